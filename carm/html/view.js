/* SPDX-License-Identifier: BSD-3-Clause
 * A chart in its section: pointers, clicks and keys, its buttons, and when it is drawn again. */

/* Chooses the hit, or nothing; a chosen hit is released. */
function choose(chart, hit) {
    chart.chosen = hit && hit.item.id !== chart.chosen ? hit.item.id : '';
    draw(chart);
}

/* The place of an event, in the chart's own pixels. */
function placeOf(chart, event) {
    const box = chart.svg.getBoundingClientRect(), part = chart.width / box.width;
    return {x: (event.clientX - box.left) * part, y: (event.clientY - box.top) * part};
}

function listenToPointers(chart) {
    const {svg} = chart, reach = event => event.pointerType === 'mouse' ? 14 : 26;
    const point = event => tellNear(chart, placeOf(chart, event), reach(event));
    svg.addEventListener('pointerdown', point);
    svg.addEventListener('pointermove', point);
    svg.addEventListener('click', event => choose(chart, nearestHit(chart, placeOf(chart, event), reach(event))));
    svg.addEventListener('pointerleave', event => event.pointerType === 'mouse' && tell(chart, null));
}

function listenToKeys(chart) {
    const actions = {
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
    const tools = element(bar, 'div', {class: 'tools', role: 'group', 'aria-label': `${name}: save`});
    for (const kind of ['svg', 'png'])
        element(tools, 'button', {type: 'button', title: `Save the chart as ${kind.toUpperCase()}`}, kind.toUpperCase())
            .addEventListener('click', () => savePicture(chart, kind));
}

/* The greatest height of a chart that is visible as a whole: on the first screen for the page's first chart, else
 * below its own heading. */
function roomFor(section, figure) {
    const isFirst = section === document.querySelector('main > section'), above = figure.getBoundingClientRect().top;
    const top = isFirst ? document.body.getBoundingClientRect().top : section.getBoundingClientRect().top;
    const MARGIN = 8;
    return innerHeight - (above - top) - MARGIN;
}

/* The text of the chosen item: a point's guide or value, a line's name and value. */
function chosenText(item) {
    const {text, more} = item.label ?? {}, {title, value} = item.path ? {} : item.tip(item.x);
    return (item.path ? [text || item.name, more || item.sublabel] : [title, item.guide?.text ?? value]).filter(Boolean).join(': ');
}

/* A chart before its content is shown. */
function emptyChart(section, name) {
    const figure = section.querySelector('.chart'), svg = figure.querySelector('svg'), guide = section.querySelector('.guide'), flow = section.querySelector('.flow');
    svg.setAttribute('aria-label', `${name}. Keys: n and p move from line to line, Enter chooses.`);
    const pan = element(figure, 'div', {class: 'pan'});
    pan.append(svg);
    return {
        figure, svg, pan,
        told: {name, section, notes: []},
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

/* Makes a chart in a section. show(content, told: title, text and notes of a saved picture) draws it. */
function makeChart(section, name) {
    const chart = emptyChart(section, name), redraw = () => chart.content && draw(chart);
    addButtons(chart, name, section.querySelector('.bar'));
    listenToPointers(chart);
    listenToKeys(chart);
    new ResizeObserver(() => widthOf(chart) !== chart.width && redraw()).observe(chart.figure);
    addEventListener('resize', redraw);
    return {
        show(content, {title, about, notes}) {
            chart.content = content;
            Object.assign(chart.told, {title: `${title} · ${name}`, about, notes});
            draw(chart);
        },
        choose(id) {
            chart.chosen = id;
            draw(chart);
            chart.figure.scrollIntoView({block: 'center'});
            chart.svg.focus({preventScroll: true});
        },
    };
}
