/* SPDX-License-Identifier: BSD-3-Clause
 * The report moved by a finger, and by keys alone. */
import {count, expect, isSeen, line, placeOf, text} from './checks.mjs';

export async function testTouch(open) {
    const page = await open('one.html', {width: 390}), at = await placeOf(page, '#roofline .point[data-name*=work] .marker', 0);
    await page.touch('touchStart', [at]);
    await page.touch('touchEnd', []);
    expect('a finger on a point tells of it', {'its name': (await text(page, '#roofline .tip')).startsWith('work')});
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
    const page = await open('one.html');
    await page.evaluate(`document.querySelector('#unfold').click()`);
    const seen = await tabTo(page, 'Roofline.'), names = seen.map(({name}) => name), hidden = seen.filter(({isMarked}) => !isMarked);
    const ORDER = ['Choose', 'SVG', 'PNG', '1 core', 'all', 'f32', 'L1'];
    const at = ORDER.map(name => names.indexOf(name));
    expect('Tab goes through everything', {
        [`in the order of the page (${names})`]: at.every((place, i) => place >= 0 && (i === 0 || place > at[i - 1])),
        'to the chart': names.at(-1).startsWith('Roofline.'),
        [`and is seen (${hidden.map(({name}) => name)})`]: hidden.length === 0,
    });
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
