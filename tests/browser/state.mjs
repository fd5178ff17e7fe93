/* SPDX-License-Identifier: BSD-3-Clause
 * What the reader makes of the report: the way from a point to its roof, what passed between levels, pictures to take
 * away. */
import {readFileSync} from 'node:fs';
import {chip, click, count, expect, isSeen, keep, line, placeOf, press, text} from './checks.mjs';

const POINT = '#roofline .point[data-name*=work] .marker';
const guide = page => text(page, '#roofline .guide');

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
        'the chart is still seen whole': await page.evaluate(`document.querySelector('#roofline .chart').getBoundingClientRect().bottom`) <= 900,
        'and not small': await height() >= 340});
    await click(page, '#unfold');
    expect('and folds it', {'it is not seen': !await isSeen(page, '#choices'), 'the chart is as high as before': await height() === before});
}

export async function testGuide(open) {
    const page = await open('one.html'), at = await placeOf(page, POINT, 0);
    const clickAt = async place => {
        await page.mouse('mousePressed', place, {button: 'left', clickCount: 1});
        await page.mouse('mouseReleased', place, {button: 'left', clickCount: 1});
    };
    await clickAt(at);
    const told = await guide(page), stem = await page.evaluate(`(box => box && box.height)(document.querySelector('#roofline .way')?.getBBox())`);
    const [, percent, time] = /work: (\d+)\s% of its DRAM roof.* (\d+)\sµs instead of 1\sms/.exec(told) ?? [];
    expect('a click on a point leads to its roof', {
        [`how much of it, and the time there (${told})`]: Math.abs(time - 10 * percent) <= 5,
        'a stem': stem > 10,
        'a label at it': (await text(page, '#roofline .labels text')).includes(`${percent}\u00a0% of DRAM`),
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

/* What passed between neighbours of a chosen point. */
export async function testFlow(open) {
    const choose = (page, name) => press(page, '#points', name), flow = '#roofline .flow';
    const placesOf = (page, what) => page.evaluate(`[...document.querySelectorAll('${flow} ${what}')].map(node => node.getBoundingClientRect()).map(({x, y, width, height}) => ({x, y, width, height}))`);
    for (const [width, dark] of [[1280, false], [1280, true], [390, false]]) {
        const page = await open('levels.html', {width, dark}), along = 'x', across = 'height';
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
        [`the chart and the guide (${parsed.texts})`]: parsed.texts > 20 && svg.includes('L1') && /\d\d\u00a0% of DRAM/.test(svg),
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
