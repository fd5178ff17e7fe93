/* SPDX-License-Identifier: BSD-3-Clause
 * The HTML report in a real browser: `node report.mjs BROWSER FOLDER` with the reports one.html, six.html, kinds.html, elsewhere.html, many.html, brief.html, levels.html,
 * crowd.html, series.html, gpu.html, code.html and hostile.html, and of a fleet fleet.html in the folder; ONLY=testName,… runs those alone. How it is moved by
 * hand is in hands.mjs, what the reader makes of it in state.mjs, who does not see it in access.mjs. */
import {existsSync, readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {pathToFileURL} from 'node:url';
import {openPage, startBrowser} from './browser.mjs';
import {chip, click, count, expect, isSeen, keep, line, overlaps, placeOf, press, text} from './checks.mjs';
import {testAccess, testFocus} from './access.mjs';
import {testKeyboard, testTouch} from './hands.mjs';
import {testFirstScreen, testFlow, testGuide, testPhone, testPictures} from './state.mjs';

const [program, folder] = process.argv.slice(2);
const browser = await startBrowser(program);
function open(name, options) {
    return openPage(browser, pathToFileURL(resolve(folder, name)).href, options);
}

async function testOpening() {
    const page = await open('one.html');
    expect('the report opens from disk, without a network', {
        'only the file is asked for': page.requests.length === 1 && page.requests[0].startsWith('file:'),
        'nothing is complained of': page.troubles.length === 0,
        'the chart is drawn': await count(page, '#roofline .line') > 2,
        'the still picture has gone': await count(page, '#still') === 0,
        'tables and card are filled': await count(page, '#roofs tbody tr') > 2 && await count(page, '#cards article') === 1,
    });
    await keep(page, 'report-one-1280');
}

async function testHover() {
    const page = await open('one.html');
    await page.mouse('mouseMoved', await placeOf(page, `${line(' L1 ')} path`));
    const told = await text(page, '#roofline .tip');
    expect('hovering tells of a roof', {
        'its value': /\d B\/s|\d.?[kMGTP]B\/s/.test(told) && /B\/cycle/.test(told),
        'its kernel': /(avx512|sse)\.\w+/.test(told),
        'its conditions': /clock/.test(told) && /CPUs/.test(told),
        'what it allows here': /flop\/B allows/.test(told),
        'the line is marked': await count(page, `${line(' L1 ')}.active`) === 1,
    });
    await keep(page, 'report-hover', false);
    await page.mouse('mouseMoved', await placeOf(page, '#roofline .point[data-name*=work] .marker', 0));
    const point = await text(page, '#roofline .tip');
    expect('and of an application', {
        'its name': /work/.test(point),
        'its intensity': /flop\/B/.test(point),
        'its zone': /level not known/.test(point),
        [`its roof (${point.slice(0, 300)})`]: /bound byat most \d+ % of/.test(point),
        'its doubts': /▲/.test(point),
    });
    await page.mouse('mouseMoved', await placeOf(page, '#bandwidth .line path', 0));
    expect('and of a size', {
        'its size and bandwidth': /KiB per thread.*[GT]B\/s.*B\/cycle/.test(await text(page, '#bandwidth .tip')),
    });
    await page.mouse('mouseMoved', {x: 2, y: 2});
    expect('elsewhere nothing is told', {'no tip': !await isSeen(page, '#roofline .tip')});
}

async function testChoices() {
    const page = await open('one.html');
    const rows = await count(page, '#roofs tbody tr');
    await click(page, chip('L1'));
    expect('a toggle hides a roof', {'no line': await count(page, line(' L1 ')) === 0, 'no rows': await count(page, '#roofs tbody tr') < rows});
    await click(page, chip('L1'));
    expect('and shows it again', {'the line': await count(page, line(' L1 ')) === 1, 'the rows': await count(page, '#roofs tbody tr') === rows});
    const names = () => text(page, '#roofline .labels text'), first = await names();
    await click(page, chip('AVX2'));
    const own = await text(page, '#roofs tbody th');
    expect('of one instruction set', {'its ceilings': (await names()).includes('AVX2 FMA') && !(await names()).includes('AVX-512'),
        'its rows': own.includes('avx2.') && !own.includes('avx512')});
    await click(page, chip('all'));
    await click(page, chip('f32'));
    expect('with another type', {'its ceiling too': (await names()).includes('FMA f32'), 'its rows': (await text(page, '#roofs th')).includes('.f32.')});
    await click(page, chip('f32'));
    await click(page, chip('2 cores'));
    expect('with other threads', {'both': (await text(page, '#roofline .legend')).includes('1 core2 cores'), 'their rows': (await text(page, '#roofs td')).includes('|2 cores|')});
    await click(page, chip('2 cores'));
    expect('and back', {'all as before': await names() === first});
    expect('nothing is complained of', {'a clean console': page.troubles.length === 0});
}

async function testTables() {
    const page = await open('six.html');
    const values = () => page.evaluate(`[...document.querySelectorAll('#roofs tbody tr')].map(row => row.cells[8].textContent)`);
    const sort = name => press(page, '#roofs', name);
    const number = value => Number.parseFloat(value) || 0;
    await sort('clock');
    const falling = await values();
    await sort('clock');
    const rising = await values();
    expect('a table is sorted by its heads', {
        'falling': falling.length > 10 && falling.every((v, i) => i === 0 || number(v) <= number(falling[i - 1])),
        'rising': rising.every((v, i) => i === 0 || number(v) >= number(rising[i - 1])),
        'it says so': await count(page, '#roofs th[aria-sort=ascending]') === 1,
    });
    await page.evaluate(`(input => { input.value = 'avx512 dram'; input.dispatchEvent(new Event('input')); })(document.querySelector('#roofs input'))`);
    const kept = await page.evaluate(`[...document.querySelectorAll('#roofs tbody tr')].map(row => row.textContent)`);
    expect('and filtered', {'only those': kept.length > 0 && kept.every(row => /avx512.*DRAM/.test(row))});
}

async function testMachines() {
    const page = await open('six.html'), own = '#roofline .line[data-name*="Core 3,"]';
    expect('six machines are drawn', {'lines of the third': await count(page, own) > 3, 'a legend': (await text(page, '#roofline .legend')).includes('Core 6')});
    await keep(page, 'report-six-1280');
    await click(page, chip('Core 3'));
    expect('a machine can be hidden', {'no lines': await count(page, own) === 0, 'no rows': !(await text(page, '#roofs td')).includes('Core 3')});
    await click(page, chip('Core 3'));
    expect('and shown again', {'lines': await count(page, own) > 3});
    expect('nothing is complained of', {'a clean console': page.troubles.length === 0});
}

/* At first only memory's lines, and a table of all machines before the others; on a phone the chart scrolls, with the
 * labels that it has elsewhere. */
async function testGlance(page) {
    const rows = await page.evaluate(`[...document.querySelectorAll('#glance tbody tr')].map(row => [...row.cells].map(cell => cell.textContent).join('|'))`);
    const legend = await text(page, '#roofline .legend'), labels = await count(page, '#roofline .labels text');
    expect('several machines at a glance', {
        'only memory is drawn': legend.includes('DRAM') && !legend.includes('L1'),
        [`the table (${rows})`]: rows.length === 5 && rows.some(row => /^Zen 3 \(2 cores\)\|2\|103\sGflop\/s\|61.8\sGB\/s\|1.67\|C$/.test(row)),
        'before what follows': await page.evaluate(`document.querySelector('#roofline + #glance + #beside') !== null`),
    });
    const phone = await open('kinds.html', {width: 390});
    expect('and on a phone', {
        'as many labels': await count(phone, '#roofline .labels text') === labels && labels >= 10,
        'the chart scrolls': await phone.evaluate(`(pan => pan.scrollWidth > pan.clientWidth)(document.querySelector('#roofline .pan'))`),
        'the page does not': await phone.evaluate('document.documentElement.scrollWidth <= innerWidth'),
    });
    await keep(phone, 'report-kinds-390');
}

/* Machines of one and of two cores, two of them of one kind. */
async function testKinds() {
    const page = await open('kinds.html'), heading = () => text(page, 'h1'), table = '#beside table';
    const names = async () => (await text(page, '#roofline .labels text:has(.strong) .strong')).split('|');
    const cells = row => page.evaluate(`[...document.querySelectorAll('${table} tbody tr')].find(row => row.cells[0].textContent === ${JSON.stringify(row)})?.innerText ?? ''`);
    expect('machines of different sizes', {
        'the title says of how many cores': await heading() === '5 machines, all cores',
        'a name at each ceiling': (await names()).length === 5,
        [`none is cut (${await names()})`]: new Set(await names()).size === 5 && !(await names()).some(name => name.includes('…')),
    });
    await testGlance(page);
    for (const level of ['L1', 'L2', 'L3'])
        await click(page, chip(level));
    expect('with all levels', {
        'a bandwidth at most lines': await count(page, '#roofline .labels rect') >= 14 && /DRAM [\d.]+\sGB\/s/.test(await text(page, '#roofline .labels text')),
        'of equal lines the lower one is wider': await page.evaluate(`[...document.querySelectorAll('#roofline .line path')].some(path => Number.parseFloat(path.style.strokeWidth) > 4)`),
        'the chart is wide': await page.evaluate(`(axis => axis.getBBox().width)(document.querySelector('#roofline .axis'))`) > 700,
        'its warnings are folded': !await isSeen(page, '#notes li'),
        'no column of its roofs is cut': await page.evaluate(`(scroll => scroll.scrollWidth <= scroll.clientWidth)(document.querySelector('#roofs .scroll'))`),
    });
    expect('side by side', {
        [`values and ratios (${await cells('DRAM bandwidth')})`]: /30.0 GB\/s.*58.0 GB\/s\s1.94 ×/.test(await cells('DRAM bandwidth')),
        'a latency': /1.35 ns/.test(await cells('L1 latency, one core')),
        'a column each': await count(page, `${table} thead th`) === 5,
        'what differs between them': /11.8 GiB.*17.3 GiB/.test(await cells('memory')),
        'nothing that does not': await cells('hypervisor') === '',
    });
    await keep(page, 'report-kinds-1280');
    await click(page, chip('one core'));
    expect('of one core each', {'the title says so': await heading() === '5 machines, one core', 'the table, too': /30.2 GB\/s\s1.01 ×/.test(await cells('DRAM bandwidth'))});
    await click(page, chip('Zen 3 (2 cores)'));
    expect('a machine is hidden', {'its column': await count(page, `${table} thead th`) === 4, 'its card': await count(page, '#cards article') === 4});
    expect('nothing is complained of', {[`a clean console (${page.troubles})`]: page.troubles.length === 0});
    const elsewhere = await open('elsewhere.html');
    expect('applications at another choice are counted', {
        [`it says so (${await text(elsewhere, '#roofline .print')})`]: /Applications with another number of threads, which Choose shows: 2\./.test(await text(elsewhere, '#roofline .print')),
        'they are not drawn': await count(elsewhere, '#roofline .point') === 0,
    });
    await click(elsewhere, chip('one core'));
    expect('and shown there', {'both': await count(elsewhere, '#roofline .point') === 2, 'nothing is counted': !/another number/.test(await text(elsewhere, '#roofline .print'))});
    const phone = await open('kinds.html', {width: 400, height: 800});
    expect('on a phone the first screen has the chart', {'it is seen': await phone.evaluate(`document.querySelector('#roofline .chart svg').getBoundingClientRect().top`) < 400});
}

async function testManyMachines() {
    const page = await open('many.html'), names = [3, 4].map(number => `Core ${number}`), more = ['Core 11', 'Core 12'];
    const colors = () => page.evaluate(`[...document.querySelectorAll('#roofline .legend path')].map(path => path.style.stroke).filter(color => color.includes('series'))`);
    const toldOf = await text(page, '#roofline .print');
    expect('of many machines six are shown at first', {'six colours': new Set(await colors()).size === 6, 'it says so and why': toldOf.includes('6 of 12 machines: the first, and those that differ most')});
    for (const name of [...names, ...more])
        await click(page, chip(name));
    const legend = await text(page, '#roofline .legend');
    expect('the others can be chosen', {'they are': more.every(name => legend.includes(name)) && !legend.includes(names[0])});
}

/* More than fifty: a card and a colour for each shown one alone, and a filter to find the others. */
async function testBrief() {
    const page = await open('brief.html'), chips = () => page.evaluate(`[...document.querySelectorAll('#choices .list .chip')].filter(chip => !chip.hidden).length`);
    const enter = word => page.evaluate(`(input => { input.value = '${word}'; input.dispatchEvent(new Event('input')); })(document.querySelector('#choices input[type=search]'))`);
    expect('of fifty and more machines', {
        'six are drawn': await count(page, '#roofline .labels .strong') === 6, 'and have cards': await count(page, '#cards article') === 6,
        'it says what is left out': (await text(page, '#roofline .print')).includes('best roofs of one core'),
        'one style sheet': await count(page, 'style, link') === 1, 'no picture of each': await count(page, 'svg') < 30,
        'all can be chosen': await chips() === 51,
    });
    await enter('core 4');
    expect('a filter finds one', {'few remain': await chips() === 11});
    await press(page, '#choices', 'none');
    expect('none can be shown', {'the controls stay': await isSeen(page, '#unfold'), 'no chart': !await isSeen(page, '#roofline .chart svg'), 'no cards': await count(page, '#cards article') === 0});
    await click(page, chip('Core 44'));
    expect('and only that one is shown', {'its card': await text(page, '#cards h3') === 'Core 44', 'beside the first': await text(page, '#beside thead th') === 'Core 1|Core 44',
        'a chart of its own': await count(page, '#roofline .line[data-name^="Core 44"]') === 2, 'nothing is complained of': page.troubles.length === 0});
    await keep(page, 'report-brief-1280');
}

/* The page of a fleet: its answer first, in tables. */
async function testFleet() {
    for (const [width, dark] of [[1280, false], [390, true]]) {
        const page = await open('fleet.html', {width, dark}), rows = section => count(page, `#${section} tbody tr`);
        expect(`the page of a fleet at ${width} pixels`, {
            'only the file is asked for': page.requests.length === 1, [`nothing is complained of (${page.troubles})`]: page.troubles.length === 0,
            'its sum': await text(page, 'h1') === '60 nodes of 2 machine types, 12 outliers', 'every outlier': await rows('outliers') === 12,
            'with its reason': /node0020.*throttled socket.*the core clock is low/.test(await text(page, '#outliers tr')),
            'every node': await rows('nodes') === 60, 'the usual values': /Granite Rapids.*217\sGflop\/s/.test(await text(page, '#types tr')),
            'its picture': await isSeen(page, '#still svg'), 'it fits': await page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
        });
        await press(page, '#nodes', 'DRAM');
        await press(page, '#nodes', 'DRAM');
        expect('sorted by what is slow', {'the lost channel is first': /node0005.*lost DIMM or channel/.test(await text(page, '#nodes tbody tr:first-child'))});
        await keep(page, `fleet-${width}`);
    }
}

/* Workloads by size; two of them are powers of two. */
async function testSeries() {
    const page = await open('series.html'), shapes = await text(page, '#roofline .legend span:has(path)'), labels = (await text(page, '#roofline .labels text')).split('|');
    const reach = await page.evaluate(`Math.max(...[...document.querySelectorAll('#roofline .point .marker')].map(node => node.getBBox().width))`);
    expect('series of workloads', {
        'a shape in the legend each': ['fourier cold', 'vector cold'].every(name => shapes.includes(name)),
        'a line each': await count(page, '#roofline .line[data-name$=cold]') === 2,
        'sizes as in pictures': [/^2[¹²][⁰¹²³⁴⁵⁶⁷⁸⁹]/, /^[\d.]+\s[kM]/].every(size => labels.some(label => size.test(label))),
        'small points': reach < 13,
    });
}

/* A GPU's bytes are those of its DRAM, and nothing of its cores is known. */
async function testTraffic() {
    const page = await open('gpu.html'), title = await text(page, '#roofline .title.x'), print = await text(page, '#roofline .print');
    const heads = await page.evaluate(`[...document.querySelectorAll('#points thead th')].filter(head => head.checkVisibility()).map(head => head.textContent)`);
    expect('an axis of memory traffic', {
        'its title': title.includes('between caches and memory'),
        'its small print': print.includes('between caches and memory') && !print.includes('core asks for') && !print.includes('per cycle'),
        'no columns without content': heads.includes('flop/DRAM B') && !heads.includes('flop/B'),
        'nothing to choose from': await count(page, '#choices > *') === 0,
        'nothing is complained of': page.troubles.length === 0,
    });
}

async function testLooks() {
    const LOOKS = [['one', 1280], ['one', 390], ['six', 1280], ['six', 390], ['crowd', 1280], ['crowd', 390], ['series', 1280], ['series', 390], ['kinds', 1280], ['kinds', 390],
        ['many', 1280], ['gpu', 390], ['code', 1280], ['code', 390], ['hostile', 390]];
    for (const [name, width] of LOOKS) {
        const page = await open(`${name}.html`, {width}), troubles = [];
        for (const chart of ['roofline', 'bandwidth', 'latency'])
            troubles.push(...await overlaps(page, chart));
        expect(`${name} at ${width} pixels`, {
            'it fits': await page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
            [`labels stand clear (${troubles.slice(0, 3)})`]: troubles.length === 0,
            'no tick is cut off': await page.evaluate(`[...document.querySelectorAll('.chart .tick')].every(node => {
                const {left, right} = node.getBoundingClientRect();
                return left >= 0 && right <= node.ownerSVGElement.getBoundingClientRect().right + 0.5;
            })`),
            'what is drawn is named': await count(page, '#roofline .labels text') > 2 || await count(page, '#roofline .legend span') > 2,
        });
        await keep(page, `report-${name}-${width}`);
    }
    for (const dark of [false, true]) {
        const page = await open('one.html', {dark}), ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
        const isDark = async () => Number((await ground()).match(/\d+/)[0]) < 80;
        expect(`in the ${dark ? 'dark' : 'light'}`, {'the ground is so': await isDark() === dark});
    }
}

async function testCode() {
    const page = await open('code.html'), cells = () => page.evaluate(`[...document.querySelectorAll('#code tr')].map(row =>
        [...row.cells].map(cell => cell.textContent.replace(/\\s/g, ' ')).join('|'))`);
    expect('the code of a loop is folded', {
        'what it is': /work\/solve:6, 75\s% of the time, 4\sk iterations/.test(await text(page, '#code summary')),
        'none of it is seen': !await isSeen(page, '#code table'),
    });
    await click(page, '#code summary');
    const rows = await cells();
    expect('and unfolds', {
        'it is seen': await isSeen(page, '#code table'),
        'a line has the sums of its instructions': rows.some(row => /^5\.0 %\|4 k\|\|32 kB\|32 kB\|7\|        c\[i\]/.test(row)),
        'inlined functions stand apart': rows.some(row => /square, inlined: work\.h/.test(row)),
        'an instruction has its own': rows.some(row => /^70 %\|4 k\|1\|\|\|64\|square:3\|0x25\|mulsd xmm0, xmm0$/.test(row)),
        'gaps are told': rows.some(row => /…$/.test(row)),
        'no more than there is': rows.length === 11,
    });
    await keep(page, 'report-code');
    const without = await open('one.html');
    expect('without it there is no section', {'it is hidden': !await isSeen(without, '#code')});
}

async function testHostile() {
    const page = await open('hostile.html');
    expect('hostile texts are inert', {
        'no script of theirs ran': await page.evaluate('window.hacked === undefined'),
        'no tag of theirs': await count(page, 'img, b, iframe') === 0,
        'they are to be read': (await text(page, 'body')).includes('<img src=x'),
        'nothing is complained of': page.troubles.length === 0,
    });
}

async function testWithoutScript() {
    const page = await open('one.html', {script: false});
    await keep(page, 'report-without-script');
    const {nodes} = await page.send('Accessibility.getFullAXTree').catch(() => ({nodes: []}));
    const names = nodes.map(node => node.name?.value ?? '');
    expect('without JavaScript', {'the picture is there': names.some(name => /L1/.test(name)), 'it says what is missing': names.some(name => /JavaScript/.test(name))});
}

async function testPrint() {
    const page = await open('one.html');
    await page.send('Emulation.setEmulatedMedia', {media: 'print'});
    expect('on paper', {
        'the chart': await isSeen(page, '#roofline .chart svg'),
        'no controls': !await isSeen(page, '#choices') && !await isSeen(page, '.tools'),
        'the tables with their heads': await isSeen(page, '#roofs thead') && await page.evaluate(`document.querySelector('#roofs .scroll').scrollHeight <= document.querySelector('#roofs .scroll').clientHeight`),
    });
    await keep(page, 'report-print');
}

async function arrived(name) {
    const path = resolve(folder, name);
    for (let i = 0; i < 100 && !existsSync(path); i++)
        await wait(100);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

const TESTS = [testOpening, testFirstScreen, testHover, testChoices, testGuide, testFlow, testTouch, testKeyboard,
    testFocus, testTables, testMachines, testKinds, testManyMachines, testBrief, testFleet, testSeries, testTraffic, testLooks, testPhone, testAccess, testCode, testHostile,
    testWithoutScript, testPrint, testPictures];

try {
    await browser.send('Browser.setDownloadBehavior', {behavior: 'allow', downloadPath: resolve(folder)});
    for (const test of TESTS.filter(({name}) => (process.env.ONLY ?? name).split(',').includes(name)))
        await test(open, arrived, resolve(folder)).catch(error => console.log(`not ok ${test.name}: ${error.message}`));
} finally {
    await browser.stop();
}
