/* SPDX-License-Identifier: BSD-3-Clause
 * Hovering: the tip of the item under the pointer. */

/* The distance of a place from a hit's drawing, in pixels; points win over the lines on which they lie. */
function distanceTo(hit, {x, y}) {
    const PREFERRED = 6;
    if (hit.at)
        return Math.max(0, Math.hypot(hit.at.x - x, hit.at.y - y) - hit.radius) - PREFERRED;
    return Math.min(...hit.pieces.map(([a, b]) => {
        const dx = b.x - a.x, dy = b.y - a.y, along = ((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy || 1);
        const part = Math.min(1, Math.max(0, along));
        return Math.hypot(a.x + part * dx - x, a.y + part * dy - y);
    }));
}

function fillTip(tip, {title, value, rows, doubts}, color) {
    tip.replaceChildren();
    element(tip, 'strong', {style: {'--color': color}}, title);
    element(tip, 'p', {class: 'value'}, value);
    fillList(element(tip, 'dl'), rows);
    for (const doubt of doubts)
        element(tip, 'p', {class: 'doubt'}, `▲ ${doubt}`);
}

/* Places the tip beside the pointer, within the figure and the visible page; never under the pointer. */
function placeTip({tip, figure, svg, pan, width}, {x, y}) {
    const part = svg.clientWidth / width || 1, room = figure.clientWidth, above = figure.getBoundingClientRect().top;
    const right = x * part - pan.scrollLeft + 16, left = right - tip.offsetWidth - 32, below = y * part + 14;
    const lowest = innerHeight - above - tip.offsetHeight - 4, isBeside = right + tip.offsetWidth <= room || left >= 0;
    const top = below <= lowest ? below : isBeside ? lowest : below - tip.offsetHeight - 28;
    tip.style.left = `${right + tip.offsetWidth <= room ? right : Math.max(0, left)}px`;
    tip.style.top = `${Math.max(-above, top)}px`;
}

/* Shows the tip of a hit, at the pointer or at the middle of the hit; hides it without a hit. */
function tell(chart, hit, at) {
    chart.active?.node.classList.remove('active');
    chart.tip.hidden = !hit;
    chart.active = hit ? {id: hit.item.id, node: hit.node} : null;
    if (!hit)
        return;
    const [a, b] = hit.at ? [hit.at, hit.at] : hit.pieces[Math.floor(hit.pieces.length / 2)];
    const place = at ?? {x: (a.x + b.x) / 2, y: (a.y + b.y) / 2};
    hit.node.classList.add('active');
    fillTip(chart.tip, hit.item.tip(chart.xScale.value(place.x), chart.yScale.value(place.y)), hit.item.color);
    placeTip(chart, place);
}

/* The nearest hit with a tip, within a distance in pixels. */
function nearestHit(chart, at, reach) {
    const near = chart.hits.filter(hit => hit.item.tip).map(hit => ({hit, distance: distanceTo(hit, at)}));
    return near.reduce((best, entry) => entry.distance < best.distance ? entry : best, {distance: reach}).hit;
}

function tellNear(chart, at, reach) {
    tell(chart, nearestHit(chart, at, reach), at);
}

function tellNext(chart, step) {
    const hits = chart.hits.filter(hit => hit.item.tip), now = hits.findIndex(hit => hit.node === chart.active?.node);
    const next = now < 0 ? (step > 0 ? 0 : hits.length - 1) : (now + step + hits.length) % hits.length;
    tell(chart, hits[next]);
}
