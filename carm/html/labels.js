/* SPDX-License-Identifier: BSD-3-Clause
 * Labels without overlap. A row of circles covers a text, so turned texts need no special case. A label without room
 * is left out; hovering shows it. */

const measuring = document.createElement('canvas').getContext('2d');
const fontFamily = getComputedStyle(document.body).fontFamily, widths = new Map();

function textWidth(text, size, bold) {
    const font = `${bold ? 'bold ' : ''}${size}px ${fontFamily}`, key = font + text;
    if (!widths.has(key)) {
        measuring.font = font;
        widths.set(key, measuring.measureText(text).width);
    }
    return widths.get(key);
}

/* The circles of a text around its middle, turned by an angle. */
function circlesOf(middle, width, height, angle = 0) {
    const radius = height / 2, count = Math.max(1, Math.ceil(width / radius)), reach = Math.max(0, width / 2 - radius);
    return Array.from({length: count}, (_, i) => {
        const along = count > 1 ? reach * (2 * i / (count - 1) - 1) : 0;
        return {x: middle.x + along * Math.cos(angle), y: middle.y + along * Math.sin(angle), radius};
    });
}

/* Taken circles are stored by cells, since a crowd of points has thousands. */
function makePlacer(frame) {
    const CELL = 40, cells = new Map(); /* pixels: touching circles are in the same or in neighbouring cells */
    const cellOf = (x, y, dx = 0, dy = 0) => `${Math.floor(x / CELL) + dx} ${Math.floor(y / CELL) + dy}`;
    const take = circle => {
        const cell = cellOf(circle.x, circle.y);
        cells.set(cell, [...cells.get(cell) ?? [], circle]);
    };
    const AROUND = [-1, 0, 1].flatMap(dx => [-1, 0, 1].map(dy => [dx, dy]));
    const near = ({x, y}) => AROUND.flatMap(([dx, dy]) => cells.get(cellOf(x, y, dx, dy)) ?? []);
    const inside = c => c.x - c.radius >= frame.left && c.x + c.radius <= frame.right &&
        c.y - c.radius >= frame.top && c.y + c.radius <= frame.bottom;
    const clear = c => near(c).every(t => Math.hypot(c.x - t.x, c.y - t.y) >= c.radius + t.radius);
    return {
        take: circles => circles.forEach(take),
        /* Takes the place if it is free. */
        place(circles) {
            const free = circles.every(c => inside(c) && clear(c));
            if (free)
                circles.forEach(take);
            return free;
        },
    };
}

/* Heights of texts in a column: as near to the wanted heights as the gap allows. */
function spread(wanted, top, bottom, gap) {
    const order = wanted.map((y, i) => ({y, i})).sort((a, b) => a.y - b.y), at = [];
    order.forEach((entry, k) => entry.y = Math.max(entry.y, k ? order[k - 1].y + gap : top));
    for (let k = order.length - 1, limit = bottom; k >= 0; k--, limit -= gap)
        order[k].y = Math.min(order[k].y, limit);
    order.forEach(entry => at[entry.i] = entry.y);
    return at;
}

const MOST_HIDDEN = 1 / 3; /* share of a line that a label upon it covers */

/* A place along a straight piece of a line, at a distance above it: the first free one, or null. */
function placeAlong(placer, [a, b], {width, height, off}, parts) {
    const length = Math.hypot(b.x - a.x, b.y - a.y), angle = Math.atan2(b.y - a.y, b.x - a.x);
    if (width > length * (off ? 1 : MOST_HIDDEN))
        return null;
    for (const part of parts) {
        const along = (width / 2 + part * (length - width)) / length;
        const middle = {
            x: a.x + along * (b.x - a.x) + off * Math.sin(angle),
            y: a.y + along * (b.y - a.y) - off * Math.cos(angle),
        };
        if (placer.place(circlesOf(middle, width, height, angle)))
            return {...middle, angle};
    }
    return null;
}

/* A place beside a point: right, left, above or below. */
function placeBeside(placer, at, reach, width, height) {
    const x = reach + 4 + width / 2, y = reach + 2 + height / 2;
    const tries = [[x, 0], [-x, 0], [0, -y], [0, y], [x * 0.8, -y], [x * 0.8, y], [-x * 0.8, -y], [-x * 0.8, y]];
    for (const [dx, dy] of tries) {
        const middle = {x: at.x + dx, y: at.y + dy};
        if (placer.place(circlesOf(middle, width, height)))
            return middle;
    }
    return null;
}
