/* SPDX-License-Identifier: BSD-3-Clause
 * What the cases of the report ask of a page: texts, places, labels that stand on each other, faint colours. A line per
 * case, as in tests/cli/cli.sh. With CARMINE_PICTURES=DIR, pictures to look at. */
import {writeFileSync} from 'node:fs';
import {resolve} from 'node:path';

const pictures = process.env.CARMINE_PICTURES;

/* Conditions by name; those that do not hold are named. */
export function expect(name, conditions) {
    const wrong = Object.entries(conditions).filter(([, holds]) => !holds).map(([what]) => what);
    console.log(wrong.length ? `not ok ${name}: not so: ${wrong.join('; ')}` : `ok ${name}`);
}

export const text = (page, selector) => page.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].map(node => node.textContent).join('|')`);
export const count = (page, selector) => page.evaluate(`document.querySelectorAll(${JSON.stringify(selector)}).length`);
export const isSeen = (page, selector) => page.evaluate(`document.querySelector(${JSON.stringify(selector)})?.checkVisibility() ?? false`);
export const click = (page, selector) => page.evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`);
export const press = (page, section, name) => page.evaluate(
    `[...document.querySelectorAll('${section} button')].find(node => node.textContent === ${JSON.stringify(name)}).click()`);
export const chip = value => `#choices input[value=${JSON.stringify(value)}]`;
export const line = what => `#roofline .line[data-name*=${JSON.stringify(what)}]`;

export async function keep(page, name, whole = true) {
    if (pictures)
        writeFileSync(resolve(pictures, `${name}.png`), await page.picture(whole));
}

/* Where a drawn thing is on the screen: a part of the way along it. */
export function placeOf(page, selector, part = 0.5) {
    return page.evaluate(`(() => {
        const node = document.querySelector(${JSON.stringify(selector)});
        node.scrollIntoView({block: 'center'});
        const at = node.getPointAtLength(node.getTotalLength() * ${part}).matrixTransform(node.getScreenCTM());
        return {x: at.x, y: at.y};
    })()`);
}

/* Pairs of labels that stand on each other: turned boxes, a little smaller than what the letters cover. */
export function overlaps(page, chart) {
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
export function faintColors(page) {
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
