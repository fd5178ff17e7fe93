/* SPDX-License-Identifier: BSD-3-Clause
 * A chart from plain data: {name, x, y: axes, lines, bands, marks, points, shapes}. A line is {name, path, lid,
 * color, width, dash, rings, label, tip}; a point {name, x, y, xSpread, ySpread, color, alpha, shape, radius,
 * hollow, label, tip, guide}. A path is a list of vertices, null at a gap; parts above its lid are cut. A label is
 * {text, more, below: a row under it, strong, upon: its line, not above it, end: beside the right end, column: only there}. `tip(x, y)` is the hovering text. An item
 * with a tip has an id, by which one of them is chosen. */

const TEXT = 12, TITLE = 13, LINE = 15; /* pixels: letters, axes' titles, distance of lines of text */
const LEAST = 760;          /* pixels of a chart's own width: names of lines are beside the frame; in less it scrolls */
const LOWEST = 340, HIGHEST = 620; /* pixels: a chart's own height, also limited by the screen */

/* The part of a–b in the frame (Liang and Barsky 1984); null: none. */
function clip(a, b, {left, right, top, bottom}) {
    const dx = b.x - a.x, dy = b.y - a.y;
    let from = 0, to = 1;
    for (const [step, room] of [[-dx, a.x - left], [dx, right - a.x], [-dy, a.y - top], [dy, bottom - a.y]]) {
        if (step === 0 && room < 0)
            return null;
        if (step < 0)
            from = Math.max(from, room / step);
        else if (step > 0)
            to = Math.min(to, room / step);
    }
    const at = part => ({x: a.x + part * dx, y: a.y + part * dy});
    return from < to ? [at(from), at(to)] : null;
}

function pathOf(points) {
    return points.map((p, i) => `${i ? 'L' : 'M'}${p.x.toFixed(1)} ${p.y.toFixed(1)}`).join('');
}

/* Corners at radius 1; a circle has none. */
function markerPath({x, y}, corners, r) {
    return corners.length ? `${pathOf(corners.map(([dx, dy]) => ({x: x + r * dx, y: y + r * dy})))}Z`
        : `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
}

function widthOf({figure}) {
    return Math.max(LEAST, figure.clientWidth);
}

/* Chooses frame, scales and ticks for the room. */
function layOut(chart) {
    const {content} = chart, width = widthOf(chart);
    const height = Math.round(Math.max(LOWEST, Math.min(HIGHEST, 0.62 * width, chart.room())));
    const labels = content.lines.map(line => line.label).filter(label => label?.end);
    const hasColumn = labels.length > 0;
    const names = Math.max(...labels.map(label => Math.max(textWidth(label.text, TEXT, label.strong), textWidth(label.below ?? '', TEXT)))) + 10;
    const values = Math.max(...labels.map(label => label.more ? textWidth(label.more, TEXT) : 0));
    const frame = {top: 10, bottom: height - 46, right: width - (hasColumn ? 30 + names + values : 10)};
    chart.yTicks = makeTicks(content.y, Math.floor((frame.bottom - frame.top) / 30));
    frame.left = 34 + Math.max(20, ...chart.yTicks.map(tick => textWidth(tick.text, TEXT)));
    chart.xTicks = makeTicks(content.x, Math.floor((frame.right - frame.left) / 58));
    chart.xScale = makeScale(content.x.range, frame.left, frame.right);
    chart.yScale = makeScale(content.y.range, frame.bottom, frame.top);
    Object.assign(chart, {width, height, frame, column: hasColumn ? names : 0});
}

function toPixels(chart, [x, y]) {
    return {x: chart.xScale.at(x), y: chart.yScale.at(y)};
}

function drawAxes({svg, frame, content, width, height, xTicks, yTicks, xScale, yScale}) {
    const {left, right, top, bottom} = frame, grid = element(svg, 'g', {class: 'grid'});
    for (const {value, text} of xTicks) {
        const x = xScale.at(value), half = textWidth(text, TEXT) / 2;
        element(grid, 'path', {d: `M${x.toFixed(1)} ${top}V${bottom}`});
        const middle = Math.min(x, width - half - 1); /* the last label stays inside */
        element(svg, 'text', {class: 'tick x', x: middle.toFixed(1), y: bottom + 17, 'text-anchor': 'middle'}, text);
    }
    for (const {value, text} of yTicks) {
        const y = yScale.at(value);
        element(grid, 'path', {d: `M${left} ${y.toFixed(1)}H${right}`});
        element(svg, 'text', {class: 'tick y', x: left - 8, y: y + 4, 'text-anchor': 'end'}, text);
    }
    element(svg, 'path', {class: 'axis', d: `M${left} ${top}V${bottom}H${right}`});
    const wide = textWidth(content.x.title, TITLE), part = Math.min(1, width / wide), half = part * wide / 2;
    const below = {
        x: Math.max(half, Math.min((left + right) / 2, width - half)),
        y: height - 8,
        style: {'font-size': `${(part * TITLE).toFixed(1)}px`}, /* shrinks so that all of it is readable */
    };
    const beside = `translate(13 ${(top + bottom) / 2}) rotate(-90)`;
    element(svg, 'text', {class: 'title x', ...below, 'text-anchor': 'middle'}, content.x.title);
    element(svg, 'text', {class: 'title y', transform: beside, 'text-anchor': 'middle'}, content.y.title);
}

/* The part of the frame below a lid. */
function roomBelow(chart, lid) {
    return {...chart.frame, top: lid ? Math.max(chart.frame.top, chart.yScale.at(lid)) : chart.frame.top};
}

function drawBand(chart, {path, color, alpha, lid}, i) {
    const points = path.map(vertex => toPixels(chart, vertex)), {left, right, top, bottom} = roomBelow(chart, lid);
    const id = `${chart.content.name}-band-${i}`, room = element(chart.inside, 'clipPath', {id});
    element(room, 'rect', {x: left, y: top, width: right - left, height: Math.max(0, bottom - top)});
    const style = {fill: color, opacity: alpha ?? 1};
    element(chart.inside, 'path', {class: 'band', 'clip-path': `url(#${id})`, d: `${pathOf(points)}Z`, style});
}

/* A vertical line up to a height, with its text at the bottom; without a height, at the top. The text is upright if
 * there is no other room. */
function drawMark(chart, mark) {
    const {frame, content, placer} = chart, x = chart.xScale.at(mark.at);
    const piece = clip({x, y: frame.bottom}, {x, y: mark.to ? chart.yScale.at(mark.to) : frame.top}, frame);
    if (!piece)
        return;
    const {width} = mark, style = {stroke: mark.color, 'stroke-width': width, 'stroke-dasharray': mark.dash ?? 'none'};
    element(chart.inside, 'path', {class: 'mark', d: pathOf(piece), style});
    const half = textWidth(mark.text, TEXT) / 2, y = mark.to ? piece[0].y - 9 : piece[1].y + 12;
    const others = content.marks.filter(other => other !== mark).map(other => chart.xScale.at(other.at));
    const places = [y, y + LINE].flatMap(row => [{x: x + 4 + half, y: row}, {x: x - 4 - half, y: row}]);
    places.push({x: x - 9, y: y + half, angle: -Math.PI / 2});
    const isClear = at => at.angle || others.every(other => Math.abs(other - at.x) > half);
    const free = places.find(at => isClear(at) && placer.place(circlesOf(at, 2 * half, LINE, at.angle)));
    if (free)
        drawLabel(chart, mark, mark.textColor, free);
}

function drawLine(chart, line) {
    const vertices = line.path.map(vertex => vertex && toPixels(chart, vertex)), room = roomBelow(chart, line.lid);
    const isWhole = i => vertices[i] && vertices[i + 1];
    const pieces = vertices.flatMap((a, i) => isWhole(i) && clip(a, vertices[i + 1], room) || []);
    const pairs = Array.from({length: pieces.length / 2}, (_, i) => pieces.slice(2 * i, 2 * i + 2));
    if (pairs.length === 0)
        return;
    const group = element(chart.inside, 'g', {class: 'line', 'data-name': line.name});
    const style = {stroke: line.color, 'stroke-width': line.width, 'stroke-dasharray': line.dash ?? 'none'};
    element(group, 'path', {d: pairs.map(pathOf).join(''), style});
    for (const {x, y} of line.rings ? vertices.filter(Boolean) : [])
        element(group, 'circle', {cx: x.toFixed(1), cy: y.toFixed(1), r: line.rings, style: {stroke: line.color}});
    chart.hits.push({item: line, node: group, pieces: pairs});
}

/* The error box from quartile to quartile, and whiskers to the extremes. */
function drawSpread(chart, group, point, at) {
    const xs = point.xSpread?.map(chart.xScale.at), ys = point.ySpread?.map(chart.yScale.at);
    const style = {stroke: point.color, fill: point.color}, half = 2.5;
    if (xs)
        element(group, 'path', {class: 'whisker', d: `M${xs[0]} ${at.y}H${xs[3]}`, style});
    if (ys)
        element(group, 'path', {class: 'whisker', d: `M${at.x} ${ys[0]}V${ys[3]}`, style});
    if (!xs && !ys)
        return;
    const x = Math.min(xs?.[1] ?? at.x, at.x - half), right = Math.max(xs?.[2] ?? at.x, at.x + half);
    const y = Math.min(ys?.[2] ?? at.y, at.y - half), bottom = Math.max(ys?.[1] ?? at.y, at.y + half);
    element(group, 'rect', {class: 'spread', x, y, width: right - x, height: bottom - y, style});
}

function drawPoint(chart, point) {
    const at = toPixels(chart, [point.x, point.y]), {left, right, top, bottom} = chart.frame, {radius} = point;
    if (!(at.x >= left && at.x <= right && at.y >= top && at.y <= bottom))
        return;
    const group = element(chart.inside, 'g', {class: point.hollow ? 'point hollow' : 'point', 'data-name': point.name});
    drawSpread(chart, group, point, at);
    const marker = markerPath(at, chart.content.shapes[point.shape], radius);
    element(group, 'path', {class: 'marker', d: marker, style: {'--color': point.color, 'stroke-opacity': point.alpha ?? 1}});
    chart.placer.take(circlesOf(at, 2 * radius, 2 * radius));
    chart.hits.push({item: point, node: group, at, radius});
}

/* Draws a text and a second text behind it or in a column: centred at a place, or beginning there. */
function drawLabel(chart, {text, more, below, strong, upon}, color, {x, y, angle = 0}, column) {
    const baseline = {x: x - 4 * Math.sin(angle), y: y + 4 * Math.cos(angle)}, degrees = angle * 180 / Math.PI;
    const room = upon && textWidth(text, TEXT) + (more ? textWidth(`  ${more}`, TEXT) : 0) + 6, turn = `rotate(${degrees.toFixed(2)})`;
    if (upon) /* the line is interrupted */
        element(chart.labels, 'rect', {transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) ${turn}`, x: -room / 2, y: -7, width: room, height: 14});
    const node = element(chart.labels, 'text', {
        transform: `translate(${baseline.x.toFixed(1)} ${baseline.y.toFixed(1)}) ${turn}`,
        'text-anchor': column ? 'start' : 'middle',
        style: {fill: color},
    });
    element(node, 'tspan', {class: strong && 'strong'}, text);
    if (more)
        element(node, 'tspan', {x: column}, column ? more : `  ${more}`);
    if (below)
        element(node, 'tspan', {x: 0, dy: LINE}, below);
}

/* Draws the whole label, or without room a shorter one. */
function fitLabel(chart, {label, textColor, color}, findPlace) {
    for (const more of label.more ? [label.more, ''] : ['']) {
        const width = textWidth(label.text, TEXT, label.strong) + (more ? textWidth(`  ${more}`, TEXT) : 0);
        const place = findPlace(width);
        if (place) {
            drawLabel(chart, {...label, more}, textColor ?? color, place);
            return;
        }
    }
}

/* Whether the end of another line would cross the label. */
function isStruck({hits, frame}, hit) {
    const heightOf = ({pieces}) => pieces.at(-1)[1].x >= frame.right - 0.5 ? pieces.at(-1)[1].y : NaN;
    const ends = hits.filter(other => other !== hit && other.pieces && other.item.label?.end).map(heightOf);
    return ends.some(y => y < heightOf(hit) - 2 && y > heightOf(hit) - LINE - 2);
}

function labelLine(chart, {item, pieces}) {
    const length = ([a, b]) => Math.hypot(b.x - a.x, b.y - a.y), {end} = item.label;
    const longest = pieces.reduce((best, piece) => length(piece) > length(best) ? piece : best);
    const parts = end ? [1, 0.8, 0.6] : [0.06, 0.25, 0.45, 0.65, 0.85];
    const short = end ? {...item, label: {...item.label, more: ''}} : item;
    const height = LINE - 1, off = item.label.upon ? 0 : height / 2 + 3;
    fitLabel(chart, short, width => placeAlong(chart.placer, longest, {width, height, off}, parts));
}

/* Draws labels beside the frame, each with a thin line to its item. */
function labelColumn(chart, hits) {
    const {frame} = chart, ends = hits.filter(hit => hit.pieces.at(-1)[1].x >= frame.right - 0.5);
    const rows = ends.some(hit => hit.item.label.below) ? 2 : 1, gap = rows * LINE + (rows > 1 ? 6 : 1);
    const ys = spread(ends.map(hit => hit.pieces.at(-1)[1].y), frame.top + 6, frame.bottom - (rows - 1) * LINE, gap);
    ends.forEach(({item, pieces}, i) => {
        const {x, y} = pieces.at(-1)[1];
        element(chart.labels, 'path', {class: 'leader', d: `M${x + 2} ${y}L${x + 18} ${ys[i]}h4`});
        drawLabel(chart, item.label, item.textColor ?? item.color, {x: x + 26, y: ys[i]}, chart.column);
    });
}

function drawLabels(chart) {
    const labelled = chart.hits.filter(hit => hit.item.label?.text), lines = labelled.filter(hit => hit.pieces);
    const points = labelled.filter(hit => hit.at), isTold = ({item}) => item.tip; /* points with names first */
    for (const {item, at, radius} of [...points.filter(isTold), ...points.filter(hit => !isTold(hit))])
        fitLabel(chart, item, width => placeBeside(chart.placer, at, radius, width, LINE));
    if (chart.column)
        labelColumn(chart, lines.filter(hit => hit.item.label.end));
    const along = lines.filter(({item}) => chart.column ? !item.label.end : !item.label.column);
    for (const hit of along)
        if (!hit.item.label.end || hit.item.label.strong || !isStruck(chart, hit))
            labelLine(chart, hit);
}

/* Draws the way from a chosen point to the end of its guide, with the guide's text. */
function drawGuide(chart, {item, at, radius}) {
    const end = chart.yScale.at(item.guide.y), way = Math.sign(end - at.y), group = element(chart.inside, 'g', {class: 'way'});
    const x = at.x.toFixed(1), from = at.y + way * radius, middle = {x: at.x, y: (from + end) / 2};
    if ((end - from) * way > 0)
        element(group, 'path', {d: `M${x} ${from.toFixed(1)}V${end.toFixed(1)}`});
    element(group, 'path', {d: `M${at.x - 7} ${end.toFixed(1)}h14`});
    const inFrame = {...middle, y: Math.max(chart.frame.top + LINE, Math.min(chart.frame.bottom - LINE, middle.y))};
    const width = textWidth(item.guide.label, TEXT, true), free = placeBeside(chart.placer, inFrame, 5, width, LINE);
    if (free)
        drawLabel(chart, {text: item.guide.label, strong: true}, 'var(--ink)', free);
}

/* Marks the chosen item, if it is visible. */
function markChosen(chart) {
    const hit = chart.hits.find(({item}) => item.id && item.id === chart.chosen);
    hit?.node.classList.add('chosen');
    if (hit?.item.guide)
        drawGuide(chart, hit);
    chart.tellChosen(hit?.item);
}

/* Draws everything again; a shown tip remains. */
function draw(chart) {
    layOut(chart);
    const {svg, frame, content, active} = chart, {left, right, top, bottom} = frame;
    svg.replaceChildren();
    svg.setAttribute('viewBox', `0 0 ${chart.width} ${chart.height}`);
    const edge = element(svg, 'clipPath', {id: `${content.name}-frame`});
    element(edge, 'rect', {x: left, y: top - 3, width: right - left, height: bottom - top + 3});
    drawAxes(chart);
    Object.assign(chart, {hits: [], placer: makePlacer(frame), active: null});
    chart.inside = element(svg, 'g', {'clip-path': `url(#${content.name}-frame)`});
    chart.labels = element(svg, 'g', {class: 'labels'});
    content.bands.forEach((band, i) => drawBand(chart, band, i));
    content.lines.forEach(line => drawLine(chart, line));
    content.marks.forEach(mark => drawMark(chart, mark));
    content.points.forEach(point => drawPoint(chart, point));
    markChosen(chart);
    drawLabels(chart);
    tell(chart, active && chart.hits.find(hit => hit.item.tip && hit.item.id === active.id));
}
