/* SPDX-License-Identifier: BSD-3-Clause
 * How a chart is zoomed and moved: by mouse, by fingers, by keys and by buttons. */

const ZOOM = 1.5, MOVE = 60; /* of one key: a factor, and pixels */

/* Whether a range is still something to look at: not far beyond the whole, nor a speck of it. */
function isSane([low, high], [homeLow, homeHigh], linear) {
    if (linear)
        return high > 0 && low > -homeHigh && high - low < 20 * homeHigh && high - low > 1e-4 * homeHigh;
    return high / low > 1.0005 && low > homeLow / 1000 && high < homeHigh * 1000;
}

function setView(chart, view) {
    if (!isSane(view.x, chart.home.x, chart.linear) || !isSane(view.y, chart.home.y, chart.linear))
        return;
    chart.view = view;
    draw(chart);
}

/* Around a place, or the middle. */
function zoom(chart, factor, at) {
    const {frame, linear, view} = chart;
    const x = at ? (at.x - frame.left) / (frame.right - frame.left) : 0.5;
    const y = at ? (frame.bottom - at.y) / (frame.bottom - frame.top) : 0.5;
    setView(chart, {x: rescale(view.x, linear, factor, x), y: rescale(view.y, linear, factor, y)});
}

function zoomToBox(chart, a, b) {
    const rise = (p, q) => [p, q].sort((v, w) => v - w);
    if (Math.abs(a.x - b.x) > 8 && Math.abs(a.y - b.y) > 8)
        setView(chart, {
            x: rise(chart.xScale.value(a.x), chart.xScale.value(b.x)),
            y: rise(chart.yScale.value(a.y), chart.yScale.value(b.y)),
        });
}

function move(chart, dx, dy) {
    const {frame, linear, view} = chart;
    setView(chart, {
        x: rescale(view.x, linear, 1, 0, -dx / (frame.right - frame.left)),
        y: rescale(view.y, linear, 1, 0, dy / (frame.bottom - frame.top)),
    });
}

/* The whole, or of it what is asked for. */
function showWhole(chart, asked) {
    const {content, linear} = chart, range = axis => linear ? [0, axis.most ?? axis.range[1]] : axis.range;
    const isFine = which => (linear || asked[which][0] > 0) && isSane(asked[which], chart.home[which], linear);
    chart.home = {x: range(content.x), y: range(content.y)};
    chart.view = asked && isFine('x') && isFine('y') ? asked : chart.home;
    draw(chart);
}

/* The hit that it is, or none; what was chosen already is given up. */
function choose(chart, hit) {
    chart.chosen = hit && hit.item.id !== chart.chosen ? hit.item.id : '';
    draw(chart);
}

/* Where an event is, in the chart's own pixels. */
function placeOf(chart, event) {
    const box = chart.svg.getBoundingClientRect(), part = chart.width / box.width;
    return {x: (event.clientX - box.left) * part, y: (event.clientY - box.top) * part};
}

function pinch(chart, down, id, at) {
    const [, other] = [...down].find(([key]) => key !== id), before = down.get(id);
    const apart = (p, q) => Math.max(10, Math.hypot(p.x - q.x, p.y - q.y));
    zoom(chart, apart(at, other) / apart(before, other), {x: (at.x + other.x) / 2, y: (at.y + other.y) / 2});
}

function drawBox(chart, a, b) {
    chart.svg.querySelector('.box')?.remove();
    const width = Math.abs(a.x - b.x), height = Math.abs(a.y - b.y);
    element(chart.svg, 'rect', {class: 'box', x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), width, height});
}

/* One pointer drags, or with Shift spans a box, or stays where it is and chooses; two pinch; none only points. */
function listenToPointers(chart) {
    const {svg} = chart, down = new Map(), STILL = 4;
    let corner = null, began = null;
    const press = event => {
        const at = placeOf(chart, event), isMouse = event.pointerType === 'mouse';
        down.set(event.pointerId, at);
        corner = event.shiftKey ? at : null;
        began = corner || down.size > 1 ? null : at;
        if (isMouse)
            svg.setPointerCapture(event.pointerId);
        else
            tellNear(chart, at, 26);
    };
    const moved = event => {
        const at = placeOf(chart, event), before = down.get(event.pointerId);
        if (!before)
            tellNear(chart, at, 14);
        else if (down.size > 1)
            pinch(chart, down, event.pointerId, at);
        else if (corner)
            drawBox(chart, corner, at);
        else
            move(chart, at.x - before.x, at.y - before.y);
        if (before)
            down.set(event.pointerId, at);
    };
    const release = event => {
        down.delete(event.pointerId);
        svg.querySelector('.box')?.remove();
        if (corner && event.type === 'pointerup')
            zoomToBox(chart, corner, placeOf(chart, event));
        const at = placeOf(chart, event), isStill = began && Math.hypot(at.x - began.x, at.y - began.y) < STILL;
        if (isStill && event.type === 'pointerup')
            choose(chart, nearestHit(chart, at, event.pointerType === 'mouse' ? 14 : 26));
        corner = began = null;
    };
    svg.addEventListener('pointerdown', press);
    svg.addEventListener('pointermove', moved);
    svg.addEventListener('pointerup', release);
    svg.addEventListener('pointercancel', release);
    svg.addEventListener('pointerleave', event => event.pointerType === 'mouse' && tell(chart, null));
    svg.addEventListener('dblclick', () => showWhole(chart));
}

/* Without Ctrl the wheel scrolls the page, unless the chart was chosen. */
function listenToWheel(chart) {
    chart.svg.addEventListener('wheel', event => {
        if (!event.ctrlKey && !event.metaKey && document.activeElement !== chart.svg)
            return;
        event.preventDefault();
        zoom(chart, Math.exp(-event.deltaY / 300), placeOf(chart, event));
    }, {passive: false});
}

function listenToKeys(chart) {
    const actions = {
        '+': () => zoom(chart, ZOOM),
        '=': () => zoom(chart, ZOOM),
        '-': () => zoom(chart, 1 / ZOOM),
        0: () => showWhole(chart),
        ArrowLeft: () => move(chart, MOVE, 0),
        ArrowRight: () => move(chart, -MOVE, 0),
        ArrowUp: () => move(chart, 0, MOVE),
        ArrowDown: () => move(chart, 0, -MOVE),
        n: () => tellNext(chart, 1),
        p: () => tellNext(chart, -1),
        Enter: () => choose(chart, chart.hits.find(hit => hit.node === chart.active?.node)),
        Escape: () => chart.active ? tell(chart, null) : choose(chart, null),
    };
    chart.svg.addEventListener('keydown', event => {
        if (!actions[event.key] || event.ctrlKey || event.metaKey || event.altKey)
            return;
        event.preventDefault();
        actions[event.key]();
    });
}

function addButtons(chart, name, bar) {
    const tools = element(bar, 'div', {class: 'tools', role: 'group', 'aria-label': `${name}: view`});
    const add = (text, title) => element(tools, 'button', {type: 'button', title}, text);
    add('−', 'Zoom out').addEventListener('click', () => zoom(chart, 1 / ZOOM));
    add('+', 'Zoom in').addEventListener('click', () => zoom(chart, ZOOM));
    add('Whole', 'Show the whole chart').addEventListener('click', () => showWhole(chart));
    const linear = add('Linear axes', 'Even axes instead of logarithmic ones');
    chart.setLinear = isLinear => {
        chart.linear = isLinear;
        linear.setAttribute('aria-pressed', isLinear);
    };
    chart.setLinear(false);
    linear.addEventListener('click', () => {
        chart.setLinear(!chart.linear);
        showWhole(chart);
    });
    for (const kind of ['svg', 'png'])
        add(kind.toUpperCase(), `Save what is seen as ${kind.toUpperCase()}`).addEventListener('click', () => savePicture(chart, kind));
}

/* How high a chart may be so that it is seen whole: in the first screen if it is the page's first, else below its own
 * heading. What is unfolded above it does not count. */
function roomFor(section, figure) {
    const isFirst = section === document.querySelector('main > section'), above = figure.getBoundingClientRect().top;
    const top = isFirst ? document.body.getBoundingClientRect().top : section.getBoundingClientRect().top;
    const unfolded = section.querySelector('#choices')?.offsetHeight ?? 0, MARGIN = 8;
    return innerHeight - (above - top - unfolded) - MARGIN;
}

/* Of a point what its guide says, or what it is; of a line its name and value. */
function chosenText(item) {
    const {text, more} = item.label ?? {}, {title, value} = item.path ? {} : item.tip(item.x);
    return (item.path ? [text || item.name, more || item.sublabel] : [title, item.guide?.text ?? value]).filter(Boolean).join(': ');
}

/* What a chart is before anything is shown in it. */
function emptyChart(section, name, told, changed) {
    const figure = section.querySelector('.chart'), svg = figure.querySelector('svg'), guide = section.querySelector('.guide'), flow = section.querySelector('.flow');
    svg.setAttribute('aria-label', `${name}. Keys: n and p go from line to line, Enter chooses, plus and minus zoom, arrows move.`);
    return {
        figure, svg, changed,
        told: {...told, title: `${told.title} · ${name}`, section, notes: []},
        tip: element(figure, 'div', {class: 'tip', role: 'status', hidden: true}),
        hits: [],
        active: null,
        chosen: '',
        room: () => roomFor(section, figure),
        tellChosen(item) {
            guide.textContent = item ? chosenText(item) : '';
            if (flow)
                showFlow(flow, item?.flow);
        },
    };
}

/* A chart in a section, {name, told: what a picture of it tells, changed(): called when it was drawn}. show(content) draws
 * it, and keeps what was zoomed to as long as its axes stay the same; ask() says what the next show() zooms to. */
function makeChart(section, {name, told, changed}) {
    const chart = emptyChart(section, name, told, changed), redraw = () => chart.content && draw(chart);
    addButtons(chart, name, section.querySelector('.bar'));
    listenToPointers(chart);
    listenToWheel(chart);
    listenToKeys(chart);
    new ResizeObserver(() => chart.figure.clientWidth !== chart.width && redraw()).observe(chart.figure);
    addEventListener('resize', redraw);
    return {
        show(content, notes) {
            const isZoomed = chart.view !== chart.home && chart.content?.y.title === content.y.title, {asked} = chart;
            chart.content = content;
            chart.told.notes = notes;
            chart.asked = undefined;
            return isZoomed && asked === undefined ? draw(chart) : showWhole(chart, asked);
        },
        isLinear: () => chart.linear,
        setLinear: chart.setLinear,
        zoomed: () => chart.view === chart.home ? null : chart.view,
        ask: view => chart.asked = view,
        chosen: () => chart.chosen,
        choose: id => chart.chosen = id,
        look() {
            redraw();
            chart.figure.scrollIntoView({block: 'center'});
            chart.svg.focus({preventScroll: true});
        },
    };
}
