/* SPDX-License-Identifier: BSD-3-Clause
 * The HTML report in a real browser: `node report.mjs BROWSER FOLDER` with the reports one.html, six.html, crowd.html and
 * hostile.html in the folder. A line per case, as in tests/cli.sh. With CARMINE_PICTURES=DIR, pictures to look at. */
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {pathToFileURL} from 'node:url';
import {openPage, startBrowser} from './browser.mjs';

const [program, folder] = process.argv.slice(2), pictures = process.env.CARMINE_PICTURES;
const browser = await startBrowser(program);

/* Conditions by name; those that do not hold are named. */
function expect(name, conditions) {
    const wrong = Object.entries(conditions).filter(([, holds]) => !holds).map(([what]) => what);
    console.log(wrong.length ? `not ok ${name}: not so: ${wrong.join('; ')}` : `ok ${name}`);
}

const open = (name, options) => openPage(browser, pathToFileURL(resolve(folder, name)).href, options);
const text = (page, selector) => page.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].map(node => node.textContent).join('|')`);
const count = (page, selector) => page.evaluate(`document.querySelectorAll(${JSON.stringify(selector)}).length`);
const isSeen = (page, selector) => page.evaluate(`document.querySelector(${JSON.stringify(selector)})?.checkVisibility() ?? false`);
const click = (page, selector) => page.evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`);
const chip = value => `#choices input[value=${JSON.stringify(value)}]`;
const line = what => `#roofline .line[data-name*=${JSON.stringify(what)}]`;

async function keep(page, name) {
    if (pictures)
        writeFileSync(resolve(pictures, `${name}.png`), await page.picture(true));
}

/* Where a drawn thing is on the screen: a part of the way along it. */
function placeOf(page, selector, part = 0.5) {
    return page.evaluate(`(() => {
        const node = document.querySelector(${JSON.stringify(selector)});
        node.scrollIntoView({block: 'center'});
        const at = node.getPointAtLength(node.getTotalLength() * ${part}).matrixTransform(node.getScreenCTM());
        return {x: at.x, y: at.y};
    })()`);
}

/* Pairs of labels that stand on each other: turned boxes, a little smaller than what the letters cover. */
function overlaps(page, chart) {
    return page.evaluate(`(() => {
        const boxes = [...document.querySelectorAll('#${chart} .labels text')].map(node => {
            const {x, y, width, height} = node.getBBox(), matrix = node.getCTM(), inset = height * 0.18;
            const corners = [[x, y + inset], [x + width, y + inset], [x + width, y + height - inset], [x, y + height - inset]];
            return {text: node.textContent, corners: corners.map(([cx, cy]) => new DOMPoint(cx, cy).matrixTransform(matrix))};
        });
        const isApart = (a, b) => [a, b].some(({corners}) => [0, 1].some(i => { /* an axis that parts them */
            const axis = {x: corners[i + 1].x - corners[i].x, y: corners[i + 1].y - corners[i].y};
            const along = box => box.corners.map(corner => corner.x * axis.x + corner.y * axis.y);
            return Math.max(...along(a)) <= Math.min(...along(b)) || Math.max(...along(b)) <= Math.min(...along(a));
        }));
        return boxes.flatMap((a, i) => boxes.slice(0, i).filter(b => !isApart(a, b)).map(b => a.text + ' on ' + b.text));
    })()`);
}

/* Colours of letters that have too little contrast to what they stand on (WCAG 2.1, 1.4.3). */
function faintColors(page) {
    return page.evaluate(`(() => {
        const probe = document.body.appendChild(document.createElement('p'));
        const lightness = name => {
            probe.style.color = 'var(--' + name + ')';
            const parts = getComputedStyle(probe).color.match(/[\\d.]+/g).slice(0, 3).map(part => part / 255);
            const [r, g, b] = parts.map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
            return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
        };
        const names = [...document.styleSheets[0].cssRules].find(rule => rule.selectorText === ':root').style;
        const texts = [...names].filter(name => /-text$|ink|soft|warn|accent|program/.test(name)).map(name => name.slice(2));
        const faint = texts.filter(name => ['paper', 'panel'].some(ground => {
            const [low, high] = [lightness(name), lightness(ground)].sort((a, b) => a - b);
            return high / low < 4.5;
        }));
        probe.remove();
        return texts.length > 10 ? faint : ['nothing was measured'];
    })()`);
}

async function testOpening() {
    const page = await open('one.html');
    expect('the report opens from disk, without a network', {
        'only the file is asked for': page.requests.length === 1 && page.requests[0].startsWith('file:'),
        'nothing is complained of': page.troubles.length === 0,
        'the chart is drawn': await count(page, '#roofline .line') > 2,
        'the still picture has gone': await count(page, '#still') === 0,
        'tables and card are filled': await count(page, '#roofs tbody tr') > 2 && await count(page, '#machines article') === 1,
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
    if (pictures)
        writeFileSync(resolve(pictures, 'report-hover.png'), await page.picture());
    await page.mouse('mouseMoved', await placeOf(page, '#roofline .point[data-name*=work] .marker', 0));
    const point = await text(page, '#roofline .tip');
    expect('and of an application', {'its name': /work/.test(point), 'its intensity': /flop\/B/.test(point), 'its doubts': /▲/.test(point)});
    await page.mouse('mouseMoved', {x: 2, y: 2});
    expect('elsewhere nothing is told', {'no tip': !await isSeen(page, '#roofline .tip')});
}

async function testChoices() {
    const page = await open('one.html'), ticks = await text(page, '#roofline .tick.y'), title = await text(page, '#roofline .title.y');
    const rows = await count(page, '#roofs tbody tr');
    await click(page, chip('L1'));
    expect('a toggle hides a roof', {'no line': await count(page, line(' L1 ')) === 0, 'no rows': await count(page, '#roofs tbody tr') < rows});
    await click(page, chip('L1'));
    expect('and shows it again', {'the line': await count(page, line(' L1 ')) === 1, 'the rows': await count(page, '#roofs tbody tr') === rows});
    await click(page, chip('per cycle'));
    expect('per cycle is another axis', {
        'its title': title.includes('Gflop/s') && (await text(page, '#roofline .title.y')).includes('per cycle'),
        'its ticks are of one core': (await text(page, '#roofline .tick.y')).split('|').every(tick => Number(tick) <= 200),
        'a roof says so': (await text(page, `#roofline .labels`)).includes('B/cycle'),
    });
    await click(page, chip('per second'));
    expect('per second is as before', {'its ticks': await text(page, '#roofline .tick.y') === ticks});
    const lines = await text(page, '#roofline .labels text');
    await page.evaluate(`(select => { select.value = 'load'; select.dispatchEvent(new Event('change')); })(document.querySelector('#choices select'))`);
    expect('a pattern is chosen', {'other roofs': await text(page, '#roofline .labels text') !== lines});
    expect('nothing is complained of', {'a clean console': page.troubles.length === 0});
}

async function testView() {
    const page = await open('one.html'), chart = '#roofline .chart svg', ticks = () => text(page, '#roofline .tick.x');
    const whole = await ticks();
    await page.evaluate(`document.querySelector(${JSON.stringify(chart)}).focus()`);
    for (let i = 0; i < 8; i++)
        await page.key('+');
    const zoomed = (await ticks()).split('|').map(Number), steps = zoomed.slice(1).map((v, i) => v - zoomed[i]);
    expect('what is zoomed into has an even axis', {
        'several ticks': zoomed.length > 2,
        'plain numbers': zoomed.every(Number.isFinite),
        'even steps': steps.every(step => Math.abs(step / steps[0] - 1) < 1e-6),
    });
    await page.key('0');
    expect('0 shows the whole', {'its ticks': await ticks() === whole});
    const at = await placeOf(page, `${line(' L1 ')} path`);
    await page.mouse('mousePressed', at, {button: 'left', clickCount: 1});
    await page.mouse('mouseMoved', {x: at.x + 90, y: at.y + 20}, {button: 'left', buttons: 1});
    await page.mouse('mouseReleased', {x: at.x + 90, y: at.y + 20}, {button: 'left', clickCount: 1});
    expect('dragging moves it', {'other ticks': await ticks() !== whole || await text(page, '#roofline .tick.y') !== ''});
    await page.key('0');
    await page.mouse('mouseWheel', at, {deltaX: 0, deltaY: -300, modifiers: 2});
    expect('Ctrl and the wheel zoom', {'other ticks': await ticks() !== whole});
    await page.key('0');
    await page.key('n');
    expect('keys go from line to line', {'a tip': await isSeen(page, '#roofline .tip'), 'a marked line': await count(page, '#roofline .active') === 1});
    await page.key('Escape');
    expect('Esc closes what is told', {'no tip': !await isSeen(page, '#roofline .tip')});
    await page.evaluate(`[...document.querySelectorAll('#roofline button')].find(button => button.textContent === 'Linear axes').click()`);
    expect('linear axes begin at 0', {'x': (await ticks()).startsWith('0'), 'y': (await text(page, '#roofline .tick.y')).startsWith('0')});
    expect('nothing is complained of', {'a clean console': page.troubles.length === 0});
}

async function testTables() {
    const page = await open('six.html');
    const values = () => page.evaluate(`[...document.querySelectorAll('#roofs tbody tr')].map(row => row.cells[8].textContent)`);
    const sort = name => page.evaluate(`[...document.querySelectorAll('#roofs th button')].find(button => button.textContent === '${name}').click()`);
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
    for (const button of ['fewest threads', 'most threads']) {
        await page.evaluate(`[...document.querySelectorAll('#choices button')].find(node => node.textContent === '${button}').click()`);
        const cores = button.startsWith('most') ? '2 cores' : '1 core', places = new Set((await text(page, '#roofs td:nth-of-type(3)')).split('|'));
        expect(`of every machine ${button}`, {'only those': places.size === 1 && places.has(cores)});
    }
    expect('nothing is complained of', {'a clean console': page.troubles.length === 0});
}

async function testLooks() {
    for (const [name, width] of [['one', 1280], ['one', 390], ['six', 1280], ['six', 390], ['crowd', 1280], ['crowd', 390], ['hostile', 390]]) {
        const page = await open(`${name}.html`, {width}), troubles = [];
        for (const chart of ['roofline', 'bandwidth', 'latency'])
            troubles.push(...await overlaps(page, chart));
        expect(`${name} at ${width} pixels`, {
            'it fits': await page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
            [`labels stand clear (${troubles.slice(0, 3)})`]: troubles.length === 0,
            'what is drawn is named': await count(page, '#roofline .labels text') > 2 || await count(page, '#roofline .legend span') > 2,
        });
        await keep(page, `report-${name}-${width}`);
    }
    for (const dark of [false, true]) {
        const page = await open('one.html', {dark}), ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
        const isDark = async () => Number((await ground()).match(/\d+/)[0]) < 80, faint = await faintColors(page);
        expect(`in the ${dark ? 'dark' : 'light'}`, {'the ground is so': await isDark() === dark, [`letters can be read (${faint})`]: faint.length === 0});
        await click(page, '#theme');
        expect('and the other way round', {'the ground is so': await isDark() !== dark});
        await keep(page, dark ? 'report-light-by-button' : 'report-dark-by-button');
    }
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
    expect('on paper', {'the chart': await isSeen(page, '#roofline .chart svg'), 'no controls': !await isSeen(page, '#choices') && !await isSeen(page, 'button')});
    await keep(page, 'report-print');
}

async function testDownload() {
    const page = await open('one.html'), arrived = async name => {
        const path = resolve(folder, name);
        for (let i = 0; i < 50 && !existsSync(path); i++)
            await wait(100);
        return existsSync(path) ? readFileSync(path, 'utf8') : '';
    };
    await browser.send('Browser.setDownloadBehavior', {behavior: 'allow', downloadPath: resolve(folder)});
    await click(page, '#save');
    const report = JSON.parse(await arrived('carmine-report.json') || '{}');
    expect('the data can be taken away', {'all roofs': report.machines?.[0].roofs.length > 2, 'by their names': report.machines?.[0].roofs[0].value > 0});
    await page.evaluate(`[...document.querySelectorAll('#roofs button')].find(button => button.textContent === 'CSV').click()`);
    const csv = (await arrived('carmine-roofs.csv')).trim().split('\r\n');
    expect('a table too', {'its heads': csv[0].startsWith('name,kind,'), 'its rows': csv.length === 1 + await count(page, '#roofs tbody tr')});
}

try {
    for (const test of [testOpening, testHover, testChoices, testView, testTables, testMachines, testLooks, testHostile, testWithoutScript, testPrint, testDownload])
        await test().catch(error => console.log(`not ok ${test.name}: ${error.message}`));
} finally {
    await browser.stop();
}
