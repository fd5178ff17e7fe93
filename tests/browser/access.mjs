/* SPDX-License-Identifier: BSD-3-Clause
 * The report for those who do not see it or use no mouse: landmarks, names, headings, letters, and the way of the focus.
 * With AXE=FILE, axe-core's axe.min.js, that engine judges the page, too. */
import {existsSync, readFileSync} from 'node:fs';
import {click, count, expect, faintColors, keep, text} from './checks.mjs';

const CONTROLS = ['button', 'checkbox', 'radio', 'combobox', 'textbox', 'searchbox', 'spinbutton', 'application', 'region', 'listbox'];

/* What the browser tells an assistant: [{role, name}] of everything that it does not ignore. */
async function tree(page) {
    const {nodes} = await page.send('Accessibility.getFullAXTree');
    return nodes.filter(node => !node.ignored).map(({role, name}) => ({role: role?.value, name: name?.value?.trim() ?? ''}));
}

const unnamed = (nodes, roles) => nodes.filter(({role, name}) => roles.includes(role) && !name).map(({role}) => role);

/* Headings that leave a level out, by their texts. */
const leaps = page => page.evaluate(`(levels => [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].filter(node => node.checkVisibility())
    .filter(node => {
        const level = Number(node.localName[1]), isLeap = level > (levels.at(-1) ?? 0) + 1;
        levels.push(level);
        return isLeap;
    }).map(node => node.textContent))([])`);

/* Drawings that are neither named nor out of the way. */
const mute = page => page.evaluate(`[...document.querySelectorAll('svg, img, canvas')].filter(node => node.checkVisibility() &&
    !node.closest('[aria-hidden=true]') && !(node.getAttribute('role') && node.getAttribute('aria-label'))).length`);

async function judge(page, what) {
    const path = process.env.AXE;
    if (!path || !existsSync(path))
        return console.log(`skip ${what}, by axe-core: AXE=FILE says where its axe.min.js is`);
    await page.evaluate(`${readFileSync(path, 'utf8')};0`);
    const found = await page.evaluate(`axe.run().then(({violations}) => violations.map(({id, nodes}) => id + ' at ' + nodes[0].target.join(' ')))`);
    expect(`${what}, by axe-core`, {[`no violation (${found.slice(0, 3)})`]: found.length === 0});
}

async function expectNamed(page, what) {
    const nodes = await tree(page), nameless = unnamed(nodes, CONTROLS), leapt = await leaps(page);
    const ids = await page.evaluate(`(all => all.filter((id, i) => all.indexOf(id) !== i))([...document.querySelectorAll('[id]')].map(node => node.id))`);
    expect(what, {
        'one main part, one head and one foot': ['main', 'banner', 'contentinfo'].every(role => nodes.filter(node => node.role === role).length === 1),
        'one title': await count(page, 'h1') === 1,
        [`no level of headings is left out (${leapt})`]: leapt.length === 0,
        [`what can be used has a name (${nameless})`]: nodes.some(({role}) => role === 'button') && nameless.length === 0,
        'drawings have a name, or are out of the way': await mute(page) === 0,
        [`each id once (${ids})`]: ids.length === 0,
    });
    await judge(page, what);
}

/* Everything that Tab stops at, until it begins anew: how often, and what shows no focus. */
async function walk(page) {
    const MOST = 250, seen = [];
    await page.evaluate(`window.stops = []; document.activeElement.blur()`);
    const step = `(node => {
        const i = stops.indexOf(node), parts = [node, node.nextElementSibling];
        if (i < 0)
            stops.push(node);
        return {again: i >= 0, isBody: node === document.body, name: node.id || node.textContent.trim() || node.name,
            isMarked: parts.some(part => part && getComputedStyle(part).outlineStyle !== 'none' && parseFloat(getComputedStyle(part).outlineWidth) >= 1)};
    })(document.activeElement)`;
    while (seen.length < MOST) {
        await page.key('Tab');
        const now = await page.evaluate(step);
        if (now.isBody || now.again)
            return {seen, ended: now.isBody || await page.evaluate(`document.activeElement === stops[0]`)};
        seen.push(now);
    }
    return {seen, ended: false};
}

export async function testAccess(open) {
    for (const dark of [false, true]) {
        const page = await open('one.html', {dark}), faint = await faintColors(page);
        expect(`letters in the ${dark ? 'dark' : 'light'}`, {[`have contrast (${faint})`]: faint.length === 0});
        await expectNamed(page, `landmarks and names in the ${dark ? 'dark' : 'light'}`);
        await click(page, '#unfold');
        await click(page, '#points tbody button');
        await expectNamed(page, `and unfolded, with a chosen point, in the ${dark ? 'dark' : 'light'}`);
    }
    await expectNamed(await open('six.html', {width: 390}), 'of six machines on a phone');
    await expectNamed(await open('hostile.html'), 'with hostile names');
}

export async function testFocus(open) {
    const page = await open('one.html');
    await click(page, '#unfold');
    const {seen, ended} = await walk(page), hidden = seen.filter(({isMarked}) => !isMarked).map(({name}) => name);
    const all = await page.evaluate(`[...document.querySelectorAll('button, select, input, summary, [tabindex="0"]')]
        .filter(node => node.checkVisibility() && !(node.type === 'radio' && !node.checked) && !stops.includes(node)).map(node => node.id || node.textContent)`);
    expect('Tab leaves nothing out, and nothing holds it', {
        [`every stop shows the focus (${hidden})`]: seen.length > 20 && hidden.length === 0,
        [`all are reached (${all.slice(0, 3)})`]: all.length === 0,
        'after the last it begins anew': ended,
    });
    await keep(page, 'report-focus', false);
    expect('the heading says what it is of', {'one machine': (await text(page, 'h1')).includes('Granite')});
}
