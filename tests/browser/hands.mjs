/* SPDX-License-Identifier: BSD-3-Clause
 * The report moved by hand: by mouse, by fingers and by keys alone. */
import {chip, click, count, expect, isSeen, line, placeOf, press, text} from './checks.mjs';

const POINT = '#roofline .point[data-name*=work] .marker';

/* Where the point is drawn, in the chart's own pixels, and from the middle of its frame. */
const drawnAt = page => page.evaluate(`(({x, y, width, height}, frame) => ({
    x: x + width / 2,
    y: y + height / 2,
    off: Math.hypot(x + width / 2 - frame.x - frame.width / 2, y + height / 2 - frame.y - frame.height / 2),
}))(document.querySelector('${POINT}').getBBox(), document.querySelector('#roofline .axis').getBBox())`);

async function drag(page, from, to, modifiers = 0) {
    await page.mouse('mousePressed', from, {button: 'left', clickCount: 1, modifiers});
    await page.mouse('mouseMoved', to, {button: 'left', buttons: 1, modifiers});
    await page.mouse('mouseReleased', to, {button: 'left', clickCount: 1, modifiers});
}

async function doubleClick(page, at) {
    for (const clickCount of [1, 2]) {
        await page.mouse('mousePressed', at, {button: 'left', clickCount});
        await page.mouse('mouseReleased', at, {button: 'left', clickCount});
    }
}

export async function testView(open) {
    const page = await open('one.html'), ticks = () => text(page, '#roofline .tick.x'), whole = await ticks();
    const from = await placeOf(page, POINT, 0), first = await drawnAt(page);
    await drag(page, from, {x: from.x + 90, y: from.y + 20});
    const moved = await drawnAt(page);
    expect('dragging moves it', {'the point goes along': Math.hypot(moved.x - first.x - 90, moved.y - first.y - 20) < 1});
    await doubleClick(page, from);
    expect('a double click shows the whole', {'its ticks': await ticks() === whole});
    await drag(page, {x: from.x - 40, y: from.y - 30}, {x: from.x + 40, y: from.y + 30}, 8);
    expect('Shift and dragging zoom to a box', {'its middle is in the middle': (await drawnAt(page)).off < 60, 'other ticks': await ticks() !== whole});
    const box = await ticks();
    await click(page, chip('L1'));
    expect('a toggle keeps what was zoomed to', {'the same ticks': await ticks() === box});
    await click(page, chip('L1'));
    await press(page, '#roofline', 'Whole');
    expect('Whole shows the whole', {'its ticks': await ticks() === whole});
    await page.evaluate('document.activeElement.blur()');
    await page.mouse('mouseWheel', from, {deltaX: 0, deltaY: -300});
    expect('the wheel alone scrolls the page', {'the same ticks': await ticks() === whole});
    await page.mouse('mouseWheel', from, {deltaX: 0, deltaY: -300, modifiers: 2});
    expect('Ctrl and the wheel zoom', {'other ticks': await ticks() !== whole});
    await press(page, '#roofline', 'Linear axes');
    expect('linear axes begin at 0', {'x': (await ticks()).startsWith('0'), 'y': (await text(page, '#roofline .tick.y')).startsWith('0')});
    expect('nothing is complained of', {[`a clean console (${page.troubles})`]: page.troubles.length === 0});
}

export async function testTouch(open) {
    const page = await open('one.html', {width: 390}), ticks = () => text(page, '#roofline .tick.x'), whole = await ticks();
    const at = await placeOf(page, POINT, 0), apart = way => [{x: at.x - way, y: at.y}, {x: at.x + way, y: at.y}];
    await page.touch('touchStart', [at]);
    await page.touch('touchEnd', []);
    expect('a finger on a point tells of it', {'its name': (await text(page, '#roofline .tip')).startsWith('work')});
    await page.touch('touchStart', apart(20));
    for (const way of [26, 32, 40])
        await page.touch('touchMove', apart(way));
    await page.touch('touchEnd', []);
    expect('two fingers zoom', {'other ticks': await ticks() !== whole, 'not the page': await page.evaluate('visualViewport.scale') === 1});
}

/* What has the focus: its name, and whether that is seen. A chip shows it on its face. */
const focused = page => page.evaluate(`(node => ({
    name: node.getAttribute('aria-label') || node.value || node.textContent.trim(),
    isMarked: [node, node.nextElementSibling].some(part => part && parseFloat(getComputedStyle(part).outlineWidth) >= 1 &&
        getComputedStyle(part).outlineStyle !== 'none'),
}))(document.activeElement)`);

async function tabTo(page, name) {
    const MOST = 60, seen = [];
    while (seen.length < MOST && !seen.at(-1)?.name.startsWith(name)) {
        await page.key('Tab');
        seen.push(await focused(page));
    }
    return seen;
}

export async function testKeyboard(open) {
    const page = await open('one.html'), ticks = () => text(page, '#roofline .tick.x'), whole = await ticks();
    await page.evaluate(`document.querySelector('#unfold').click()`);
    const seen = await tabTo(page, 'Roofline.'), names = seen.map(({name}) => name), hidden = seen.filter(({isMarked}) => !isMarked);
    const ORDER = ['Dark', 'Data as JSON', 'Choose', 'Linear axes', 'SVG', '1 core', 'all', 'f32', 'L1', 'Access pattern', 'per second', 'Add'];
    const at = ORDER.map(name => names.indexOf(name));
    expect('Tab goes through everything', {
        [`in the order of the page (${names})`]: at.every((place, i) => place >= 0 && (i === 0 || place > at[i - 1])),
        'to the chart': names.at(-1).startsWith('Roofline.'),
        [`and is seen (${hidden.map(({name}) => name)})`]: hidden.length === 0,
    });
    for (let i = 0; i < 8; i++)
        await page.key('+');
    const zoomed = (await ticks()).split('|').map(Number), steps = zoomed.slice(1).map((v, i) => v - zoomed[i]);
    expect('what is zoomed into has an even axis', {
        'several ticks': zoomed.length > 2,
        'plain numbers': zoomed.every(Number.isFinite),
        'even steps': steps.every(step => Math.abs(step / steps[0] - 1) < 1e-6),
    });
    const before = await ticks();
    await page.key('ArrowLeft');
    expect('arrows move', {'other ticks': await ticks() !== before});
    await page.key('0');
    expect('0 shows the whole', {'its ticks': await ticks() === whole});
    await page.key('n');
    expect('keys go from line to line', {'a tip': await isSeen(page, '#roofline .tip'), 'a marked line': await count(page, '#roofline .active') === 1});
    await page.key('Escape');
    expect('Esc closes what is told', {'no tip': !await isSeen(page, '#roofline .tip')});
    await tabTo(page, 'clock');
    await page.key('Enter');
    expect('Enter sorts a table', {'by that head': await text(page, '#roofs th[aria-sort=descending]') === 'clock'});
    await page.evaluate(`document.querySelector('#choices input[value=L1]').focus()`);
    await page.key(' ');
    expect('the space bar toggles', {'no line': await count(page, line(' L1 ')) === 0});
    expect('nothing is complained of', {'a clean console': page.troubles.length === 0});
}
