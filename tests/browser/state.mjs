/* SPDX-License-Identifier: BSD-3-Clause
 * What the reader makes of the report: what its address keeps, own roofs, the way from a point to its roof, pictures to
 * take away. */
import {readFileSync} from 'node:fs';
import {chip, click, count, expect, isSeen, keep, line, placeOf, press, text} from './checks.mjs';

const POINT = '#roofline .point[data-name*=work] .marker';
const ticks = page => text(page, '#roofline .tick.x');
const address = page => page.evaluate('location.hash');
const guide = page => text(page, '#roofline .guide');

/* What is chosen rests for a moment before the address has it. */
async function settled(page, before) {
    for (let i = 0; i < 100 && await address(page) === before; i++)
        await page.evaluate('new Promise(resolve => setTimeout(resolve, 50))');
    await page.evaluate('new Promise(resolve => setTimeout(resolve, 50))'); /* the page hears of it after the address has changed */
    return address(page);
}

async function after(page, change) {
    const before = await address(page);
    await change();
    return settled(page, before);
}

async function goes(page, where) {
    await after(page, () => page.evaluate(`history.${where}()`));
}

async function addRoof(page, name, value, unit) {
    await page.evaluate(`(({elements}) => {
        elements.label.value = ${JSON.stringify(name)};
        elements.value.value = ${value};
        elements.unit.value = ${JSON.stringify(unit)};
        elements.label.form.requestSubmit();
    })(document.querySelector('#own'))`);
}

export async function testFirstScreen(open) {
    for (const name of ['one', 'six']) {
        const page = await open(`${name}.html`, {width: 1280, height: 720}), bottom = `document.querySelector('#roofline .chart').getBoundingClientRect().bottom`;
        expect(`the first screen of ${name}`, {
            'the chart is seen whole': await page.evaluate(bottom) <= 720,
            'and is not small': await page.evaluate(`document.querySelector('#roofline .chart svg').clientHeight`) >= 340,
            'what can be chosen is folded': !await isSeen(page, '#choices'),
            'and told in a line': name === 'six' || (await text(page, '#chosen')).includes('f64'),
        });
        await keep(page, `report-${name}-first`, false);
    }
    const page = await open('one.html'), height = () => page.evaluate(`document.querySelector('#roofline .chart svg').clientHeight`), before = await height();
    await click(page, '#unfold');
    expect('a button unfolds it', {'it is seen': await isSeen(page, '#choices'), 'the button says so': await count(page, '#unfold[aria-expanded=true]') === 1,
        'the chart stays as high': await height() === before});
    await click(page, '#unfold');
    expect('and folds it', {'it is not seen': !await isSeen(page, '#choices')});
}

export async function testAddress(open) {
    const page = await open('one.html'), empty = await address(page);
    const whole = await ticks(page);
    await after(page, () => click(page, chip('L1')));
    await after(page, () => click(page, chip('AVX2')));
    await after(page, () => press(page, '#roofline', '+'));
    await after(page, () => press(page, '#bandwidth', 'Linear axes'));
    await after(page, () => click(page, '#points tbody button'));
    await after(page, () => page.evaluate(`(input => { input.value = 'avx2'; input.dispatchEvent(new Event('input')); })(document.querySelector('#roofs input'))`));
    const last = await after(page, () => press(page, '#roofs', 'clock')), zoomed = await ticks(page);
    const looks = async of => JSON.stringify({ticks: await ticks(of), labels: await text(of, '.labels text'), guide: await guide(of), rows: await text(of, '#roofs tbody th'),
        pressed: await count(of, '#bandwidth [aria-pressed=true]'), chips: await of.evaluate(`[...document.querySelectorAll('.chip input')].map(input => input.checked).join()`),
        filter: await of.evaluate(`document.querySelector('#roofs input').value`), sorted: await text(of, '[aria-sort]')});
    const seen = await looks(page);
    expect('at first the address is bare', {'no fragment': empty === ''});
    const linked = await open(`one.html${last}`);
    expect('a link shows the same', {[`all of it (${last})`]: await looks(linked) === seen, 'it differs from the beginning': zoomed !== whole, 'nothing is complained of': linked.troubles.length === 0});
    await linked.load('Page.reload');
    expect('and so does the page when it is loaded anew', {'all of it': await looks(linked) === seen});
    for (let i = 0; i < 4; i++)
        await goes(page, 'back');
    expect('back takes a choice back', {'axes': await count(page, '#bandwidth [aria-pressed=true]') === 0, 'the point': await guide(page) === '', 'the zoom stays': await ticks(page) === zoomed});
    await goes(page, 'back');
    expect('and the next', {'the zoom': await ticks(page) !== zoomed && !(await address(page)).includes('view'), 'the instruction set stays': await count(page, `${chip('AVX2')}:checked`) === 1});
    await goes(page, 'back');
    await goes(page, 'back');
    expect('to the beginning', {'no fragment': await address(page) === '', 'the line is there': await count(page, line(' L1 ')) === 1});
    for (let i = 0; i < 7; i++)
        await goes(page, 'forward');
    expect('forward brings them again', {'all of it': await looks(page) === seen});
    const odd = await open('one.html#type=x&level=&isa=nix&roofline.view=1,2,NaN,4&roofline.at=9.points.9&own=-5 GB/s a;1 x b;1e300 GB/s c;1e-300 Gflop/s d;9e99;;&series=77&roofs.sort=nix&%ff=%');
    expect('an address that makes no sense is as good as none', {'the whole': await ticks(odd) === whole, 'all lines': await count(odd, line(' L1 ')) === 1,
        'no own roof': await count(odd, 'ul.own li') === 0, 'nothing is complained of': odd.troubles.length === 0});
    const hostile = await open('one.html#own=5 GB/s <img src=x onerror=hacked=1>');
    expect('nor can it do harm', {'its text is a text': (await text(hostile, 'ul.own li')).includes('<img'), 'no tag': await count(hostile, 'img') === 0});
}

export async function testOwnRoofs(open) {
    const page = await open('one.html'), title = await text(page, '#roofline .title.y');
    await click(page, '#unfold');
    await addRoof(page, 'twice DRAM', 60, 'GB/s');
    await addRoof(page, 'sheet', 2000, 'Gflop/s');
    const labels = await text(page, '#roofline .labels text');
    expect('own roofs', {'are drawn': await count(page, line('own ')) === 2, 'with their names': labels.includes('twice DRAM') && labels.includes('sheet'),
        'one beyond the axis widens it': (await text(page, '#roofline .tick.y')).includes('2000') || await page.evaluate(`document.querySelector('${line('own sheet')}').getBBox().y > 0`)});
    await page.mouse('mouseMoved', await placeOf(page, `${line('own sheet')} path`));
    expect('and told of', {'the value': /2000\s?Gflop\/s/.test(await text(page, '#roofline .tip'))});
    await click(page, '#points tbody button');
    expect('and of a chosen point', {'how much it reaches of them': /\d\s% of twice DRAM/.test(await guide(page)) && /% of sheet/.test(await guide(page))});
    await keep(page, 'report-own', false);
    await click(page, chip('per cycle'));
    expect('values per cycle are others', {'no own roof': await count(page, line('own ')) === 0, 'the axis': await text(page, '#roofline .title.y') !== title});
    await click(page, chip('per second'));
    await addRoof(page, '', 5, 'GB/s');
    await addRoof(page, 'nothing', 0, 'GB/s');
    await addRoof(page, 'less', -5, 'GB/s');
    expect('one without a name or a value is none', {'two still': await count(page, 'ul.own li') === 2});
    await click(page, 'ul.own button');
    expect('one is taken away', {'its line': await count(page, line('own twice')) === 0, 'not the other': await count(page, line('own sheet')) === 1});
    expect('nothing is complained of', {[`a clean console (${page.troubles})`]: page.troubles.length === 0});
}

export async function testGuide(open) {
    const page = await open('one.html'), at = await placeOf(page, POINT, 0);
    const clickAt = async place => {
        await page.mouse('mousePressed', place, {button: 'left', clickCount: 1});
        await page.mouse('mouseReleased', place, {button: 'left', clickCount: 1});
    };
    await clickAt(at);
    const told = await guide(page), stem = await page.evaluate(`(box => box && box.height)(document.querySelector('#roofline .way')?.getBBox())`);
    expect('a click on a point leads to its roof', {
        [`how much of it, and the time there (${told})`]: /work: 63\s% of its DRAM\? roof.* 630\sµs in place of 1\sms/.test(told),
        'a stem': stem > 10,
        'a label at it': /63\s% of DRAM/.test(await text(page, '#roofline .labels text')),
        'the point is marked': await count(page, '#roofline .point.chosen') === 1,
    });
    await keep(page, 'report-guide', false);
    await clickAt(at);
    expect('another gives it up', {'no guide': await guide(page) === '' && await count(page, '.way') === 0});
    await page.evaluate(`document.querySelector('#roofline svg[tabindex]').focus()`);
    await page.key('p');
    await page.key('Enter');
    expect('keys choose, too', {'what p went to': await count(page, '#roofline .chosen') === 1 && await guide(page) !== ''});
    await page.key('Escape');
    await page.key('Escape');
    expect('and give up', {'nothing': await count(page, '#roofline .chosen') === 0});
    for (const [chart, of] of [['#roofline', /L1 +2LD1ST: \d+ GB/], ['#bandwidth', /avx512.load/]]) {
        const on = await placeOf(page, chart === '#roofline' ? `${line(' L1 ')} path` : `${chart} .line path`, 0.3);
        await clickAt(on);
        expect(`a line of ${chart} is chosen`, {'it is marked': await count(page, `${chart} .line.chosen`) === 1, [`it is told (${await text(page, `${chart} .guide`)})`]: of.test(await text(page, `${chart} .guide`))});
    }
    expect('nothing is complained of', {[`a clean console (${page.troubles})`]: page.troubles.length === 0});
    const crowd = await open('crowd.html');
    await click(crowd, '#points tbody tr:nth-child(200) button');
    expect('a row of the table chooses in a crowd', {'its point': await count(crowd, '#roofline .point.chosen') === 1, 'the focus goes there': await crowd.evaluate(`document.activeElement.closest('section').id`) === 'roofline'});
}

/* What passed between neighbours of a chosen point: across a wide page, down a narrow one. */
export async function testFlow(open) {
    const choose = (page, name) => press(page, '#points', name), flow = '#roofline .flow';
    const placesOf = (page, what) => page.evaluate(`[...document.querySelectorAll('${flow} ${what}')].map(node => node.getBoundingClientRect()).map(({x, y, width, height}) => ({x, y, width, height}))`);
    for (const [width, dark] of [[1280, false], [1280, true], [390, false], [390, true]]) {
        const page = await open('levels.html', {width, dark}), isWide = width > 760, along = isWide ? 'x' : 'y', across = isWide ? 'height' : 'width';
        expect(`at first no point is chosen at ${width} pixels`, {'no flow': !await isSeen(page, flow)});
        await choose(page, 'forms/triad');
        const boxes = await placesOf(page, '.level'), ways = await placesOf(page, '.arrow'), shares = (await text(page, `${flow} .link strong`)).split('|');
        const [inward, outward] = (await placesOf(page, '.link:nth-of-type(8) .arrow')).map(place => place[across] - 8);
        expect(`what passed at ${width} pixels${dark ? ' in the dark' : ''}`, {
            'the boxes': await text(page, `${flow} .level`) === 'core|L1|L2|L3|DRAM',
            'one behind the other': boxes.every((box, i) => i === 0 || box[along] > boxes[i - 1][along]),
            'an arrow each way': ways.length === 8,
            [`as thick as their bytes (${inward}, ${outward})`]: Math.abs(inward / outward - 3) < 0.1,
            'how much of each': (await text(page, `${flow} .link:nth-of-type(8)`)).includes('1.28 GB loads640 MB write-allocate640 MB write-back'),
            'the longest is told': await count(page, `${flow} .longest`) === 1 && shares[3] === 'longest: 89 % of its time',
            'of the last link': await count(page, `${flow} .link:nth-of-type(8).longest`) === 1,
            'and of which point': (await text(page, `${flow} figcaption`)).startsWith('forms/triad: '),
            'it fits': await page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
        });
        await page.evaluate(`document.querySelector('${flow}').scrollIntoView({block: 'center'})`);
        await keep(page, `report-flow-${width}${dark ? '-dark' : ''}`, false);
        if (width === 1280 && !dark)
            await keep(page, 'report-flow-whole');
        await choose(page, 'forms/dgemm naive');
        await keep(page, `report-flow-naive-${width}${dark ? '-dark' : ''}`, false);
        await choose(page, 'forms/dgemm blocked');
        expect('another point has its own', {'a ceiling is longest': await count(page, `${flow} .longest`) === 0 && (await text(page, `${flow} figcaption`)).includes('its ceiling needs the longest')});
        await choose(page, 'forms/dgemm blocked');
        await page.key('Escape');
        await page.key('Escape');
        expect('none has none', {[`it is gone`]: !await isSeen(page, flow), 'nothing is complained of': page.troubles.length === 0});
    }
    const without = await open('one.html');
    await click(without, '#points tbody button');
    expect('of a point of which nothing was simulated', {'no flow': !await isSeen(without, flow) && await guide(without) !== ''});
}

export async function testPictures(open, arrived, folder) {
    const page = await open('one.html', {dark: true});
    await addRoof(page, 'a & b', 60, 'GB/s');
    await click(page, '#points tbody button');
    for (const kind of ['SVG', 'PNG'])
        await press(page, '#roofline', kind);
    const svg = await arrived('carmine-roofline.svg');
    const parsed = await page.evaluate(`(({documentElement: root}) => ({root: root.localName, wrong: root.querySelector('parsererror') !== null, title: root.firstChild.textContent, role: root.getAttribute('role'), texts: root.querySelectorAll('text').length}))(
        new DOMParser().parseFromString(${JSON.stringify(svg)}, 'image/svg+xml'))`);
    expect('a picture to take away', {
        'it is SVG': parsed.root === 'svg' && !parsed.wrong,
        'it says what it is': /Granite.*Roofline/.test(parsed.title) && parsed.role === 'img',
        'it needs nothing beside it': !/var\(|class=|<script|href/.test(svg),
        'the chart, the legend, own roofs and the guide': parsed.texts > 20 && ['L1', 'a &amp; b', '63\u00a0% of DRAM', 'where its roof'].every(part => svg.includes(part)),
        'the doubts': svg.includes('▲ unstable'),
        'it is as dark as the page': svg.includes('rgb(20, 23, 28)'),
    });
    await arrived('carmine-roofline.png');
    const png = readFileSync(`${folder}/carmine-roofline.png`), [width, height] = [16, 20].map(at => png.readUInt32BE(at));
    const alone = await open('carmine-roofline.svg'), box = await alone.evaluate(`(({width, height}) => ({width, height}))(document.documentElement.getBoundingClientRect())`);
    expect('and as PNG', {'it is one': png.subarray(1, 4).toString() === 'PNG', 'sharp': width === 2 * box.width && height === 2 * box.height, 'not empty': png.length > 20000});
    await keep(alone, 'report-saved', false);
    expect('nothing is complained of', {'a clean console': page.troubles.length === 0 && alone.troubles.length === 0});
}

export async function testPhone(open) {
    for (const name of ['one', 'six']) {
        const page = await open(`${name}.html`, {width: 400, height: 800});
        const reach = await page.evaluate(`(scroll => {
            scroll.scrollLeft = 1e6;
            const heads = [...scroll.querySelectorAll('thead th')].filter(head => head.checkVisibility()), {left, right} = scroll.getBoundingClientRect();
            const first = heads[0].getBoundingClientRect(), last = heads.at(-1).getBoundingClientRect(), row = scroll.querySelector('tbody th').getBoundingClientRect();
            const name = document.elementFromPoint(row.left + 4, row.top + row.height / 2);
            return {all: last.right <= right + 1 && last.left >= row.right - 1, stays: first.left >= left - 1 && row.left >= left - 1 && row.right <= left + 0.6 * scroll.clientWidth};
        })(document.querySelector('#roofs .scroll'))`);
        expect(`a table of ${name} on a phone`, {'its last column is reached': reach.all, 'whose row it is stays seen': reach.stays,
            'the page itself does not scroll sideways': await page.evaluate('document.documentElement.scrollWidth <= innerWidth')});
        await page.evaluate(`document.querySelector('#roofs').scrollIntoView()`);
        await keep(page, `report-${name}-phone-table`, false);
    }
}
