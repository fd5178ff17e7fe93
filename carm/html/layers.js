/* SPDX-License-Identifier: BSD-3-Clause
 * From layers of plots to a chart's content: the chosen layers over each other. A single series has the plot's own
 * colours. Several series have one colour each, and line styles replace the colours within a series. */

const CROWD = 3; /* with more series, there is no room for their names along lines */
const LONGEST = 30; /* letters of a series' name in the chart */
const FAR = 1e6; /* factor by which an open line continues: joined axes are longer */
const SERIES_COLORS = 8;
const STYLES = {solid: null, dashed: '7 4', dotted: '1.6 2.6', 'dash-dotted': '8 3 2 3'};
const GROUP_STYLES = [null, '7 4', '8 3 2 3', '4 2 2 2 2 2', '12 3', '12 3 2 3 2 3', '5 2 5 2 1 2', '2 3']; /* the last group has the last style */
const EQUAL = 0.02, WIDER = 2.6; /* lines so close, as a share; what the lower one is wider, in pixels */

function seriesColor({color}) {
    return `var(--series-${color % SERIES_COLORS})`;
}

function colorOf(name) {
    return name.startsWith('#') ? name : `var(--${name})`;
}

/* The same colour, dark or light enough for letters. */
function forLetters(color) {
    const greys = {'var(--ink)': 'var(--ink)', 'var(--soft)': 'var(--soft)', 'var(--faint)': 'var(--soft)'};
    return greys[color] ?? color.replace(')', '-text)');
}

function groupStyle(group, groups) {
    const index = groups.findIndex(([name]) => name === group);
    return index === groups.length - 1 ? GROUP_STYLES.at(-1) : GROUP_STYLES[index % (GROUP_STYLES.length - 1)];
}

/* The layers whose series and choices are shown, with the first of their series that is shown. */
function chosenLayers(chart, {series, controls, plots}) {
    const when = layer => controls.every(control => isChosen(control, layer[control.name]));
    const first = layer => [layer.series].flat().map(i => series[i]).find(one => one.shown);
    return chart.layers.filter(when).map(layer => ({layer, of: first(layer)})).filter(({of}) => of)
        .map(({layer, of}) => ({layer, of, plot: resolvePlot(plots, layer.plot)}));
}

/* Vertices of a path; open ends continue. */
function openPath(xs, ys, {begins, goes}) {
    const path = xs.map((x, i) => x == null || ys[i] == null ? null : [x, ys[i]]);
    const beyond = ([x, y], [fromX, fromY]) => {
        const slope = Math.log(y / fromY) / Math.log(x / fromX), far = x > fromX ? FAR : 1 / FAR;
        return [x * far, y * far ** slope];
    };
    const isOpen = (a, b) => a && b && a[0] !== b[0] && a[1] > 0 && b[1] > 0;
    if (begins && isOpen(path[0], path[1]))
        path[0] = beyond(path[0], path[1]);
    if (goes && isOpen(path.at(-1), path.at(-2)))
        path.push(beyond(path.pop(), path.at(-1)));
    return path;
}

/* A horizontal line with its label at the end begins at the edge. */
function fromEdge(path, {group, place}, edge) {
    const [[, y], ...rest] = path;
    return edge && !group && place === 'end' ? [[y / edge, y], ...rest] : path;
}

/* The tip of a record: the known values of its list's columns. */
function tellOf({lists, words, doubts}, list, record, series, item) {
    const whole = {...record, [words.of]: series.result.label, [words.at]: series.label};
    const told = places => lists[list].filter(({where = '', key}) => places.includes(where) && key !== 'doubts')
        .map(column => [column.title, cellText(whole, column)]).filter(([, text]) => text);
    const texts = place => told([place]).map(([, text]) => text);
    return {
        title: texts('title').join(' ') || item.label,
        value: texts('lead').join(' · ') || item.sublabel,
        rows: [...item.aside ? [item.aside.split('\t')] : [], ...told(['', 'tip'])],
        doubts: (record.doubts ?? []).map(name => `${name}: ${doubts[name]?.cause}`),
    };
}

/* The record of an item; from a list of records, the one nearest to x. */
function recordAt(item, result, x) {
    const record = result[item.list]?.[item.row];
    if (!record?.points)
        return record;
    const distance = i => item.x[i] == null ? Infinity : Math.abs(Math.log(item.x[i] / x));
    return record.points[item.x.reduce((best, _, i) => distance(i) < distance(best) ? i : best, 0)];
}

function tipOf(report, list, of, item, reading, {y: axis}) {
    if (item.row == null)
        return null;
    const height = x => axis.divisor > 1 ? si(heightAt(item, x), '') : plain(heightAt(item, x));
    return x => {
        const told = tellOf(report, item.list === 'curves' ? list : item.list, recordAt(item, of.result, x), of, item);
        const here = item.group && reading && reading.replace('{x}', plain(x, 2)).replace('{y}', height(x));
        return {...told, rows: [['here', here], ...told.rows]};
    };
}

/* A readable name, and an id for an item with a record. */
function namesOf(item, {of}) {
    const record = of.result[item.list]?.[item.row];
    return {
        name: `${of.name} ${item.label || (record?.series ?? record?.name ?? '')}`,
        id: item.row == null ? '' : recordId(of, item.list, item.row),
    };
}

/* With several series, the label has its owner; with several values of a control, that value. The owner of a line
 * beside the frame is in a row of its own. */
function lineLabel(item, {layer, of}, {several, crowded, suffixes, names}) {
    const suffix = item.group ? '' : suffixes.map(name => layer[name] ? ` ${layer[name]}` : '').join('');
    const text = item.label && `${item.label}${suffix}`, strong = item.width >= 2, end = item.place === 'end';
    if (!text || item.place === 'legend')
        return null;
    if (!several)
        return {text, more: item.sublabel, strong, end};
    const value = `${item.sublabel.split(' · ')[0]}${/ ▲$/.test(item.sublabel) ? ' ▲' : ''}`;
    return end ? {text: names.get(of), below: `${value} · ${text}`, strong, end, column: true}
        : {text: `${item.group ?? text} ${value}`, more: crowded ? '' : names.get(of), upon: true};
}

/* The name of a series among those of several results, or of one. */
function seriesName(one, {several}) {
    return several ? one.result.label : one.name;
}

/* Minor lines of one picture would fill a chart of several. */
function isMinor({place, width}) {
    return place === 'end' && width < 2;
}

/* The slope of the steepest line of a group that is drawn, at which others begin; 0: there is none. */
function steepestShown(entries, one, isHidden) {
    const lines = entries.filter(({of}) => of === one).flatMap(({plot}) => plot.lines);
    return Math.max(0, ...lines.filter(line => line.group && !isHidden(line)).map(({x, y}) => y[0] / x[0]));
}

/* The height of the highest of these lines that is drawn; 0: there is none. */
function highestShown(entries, one) {
    const lines = entries.filter(({of}) => of === one).flatMap(({plot}) => plot.lines);
    return Math.max(0, ...lines.filter(line => line.place === 'end' && !line.group && !isMinor(line)).flatMap(({y}) => y));
}

function lineItems(entry, state) {
    const {plot, of} = entry, {several, isHidden, groups, lids} = state;
    return plot.lines.filter(item => !isHidden(item) && !(several && isMinor(item))).map((item, i) => {
        const color = several && !(item.color === 'faint' && !item.list) ? seriesColor(of) : colorOf(item.color);
        const ownStyle = item.group ? groupStyle(item.group, groups) : state.isCurves ? GROUP_STYLES[i % GROUP_STYLES.length]
            : STYLES[item.dash];
        return {
            ...item,
            ...namesOf(item, entry),
            path: fromEdge(openPath(item.x, item.y, item), item, state.edges.get(of)),
            lid: item.group && lids.get(of),
            color,
            textColor: forLetters(color),
            dash: several ? ownStyle : STYLES[item.dash],
            label: lineLabel(item, entry, state),
            legend: item.place === 'legend' && item.label,
            whose: state.isCurves && of.result.label,
            tip: tipOf(state.report, state.list, of, item, state.readings.get(of), plot.x ? plot : state.axes),
        };
    });
}

/* Of equal lines, those below are wider, so that all remain visible. */
function widenEqual(lines) {
    const isStraight = ({x}) => x.length === 2, nameOf = ({group, dash}) => `${group} ${dash}`;
    const isEqual = (a, b) => nameOf(a) === nameOf(b) && Math.abs(Math.log(heightAt(a, 1) / heightAt(b, 1))) < EQUAL;
    return lines.map((line, i) => {
        const above = isStraight(line) ? lines.slice(i + 1).filter(other => isStraight(other) && isEqual(line, other)) : [];
        return {...line, width: line.width + WIDER * above.length};
    });
}

function pointItems(entry, state) {
    const {plot, of} = entry, {several, isHidden} = state;
    return plot.points.filter(item => !isHidden(item)).map(item => {
        const color = several ? seriesColor(of) : colorOf(item.color), has = spread => spread?.[0] < spread?.[3];
        return {
            ...item,
            ...namesOf(item, entry),
            xSpread: has(item.xSpread) ? item.xSpread : null,
            ySpread: has(item.ySpread) ? item.ySpread : null,
            color,
            textColor: forLetters(color),
            label: item.label ? {text: item.label, more: item.sublabel} : null,
            tip: tipOf(state.report, state.list, of, item, '', plot),
            guide: guideOf(state.guide, of.result[item.list]?.[item.row], item),
            flow: of.result[item.list]?.[item.row]?.flow,
        };
    });
}

function bandItems({plot, of}, {isHidden, lids}) {
    return plot.bands.filter(item => !isHidden(item)).map(item => ({
        ...item,
        color: colorOf(item.color),
        path: [...openPath(item.x, item.low, item), ...openPath(item.x, item.high, item).reverse()],
        lid: item.group && lids.get(of),
    }));
}

function markItems({plot}, {isHidden}) {
    return plot.marks.filter(item => !isHidden(item)).map(item => {
        const color = colorOf(item.color);
        return {...item, text: item.label, color, textColor: forLetters(color), dash: STYLES[item.dash]};
    });
}

/* "Power [W; kW]" of "Power [W]" and "Power [kW]" */
function joinTitles(titles) {
    const parts = [...new Set(titles.filter(Boolean))].map(title => /^(.*?) *\[(.*)\]$/.exec(title) ?? [title, title, '']);
    const [names, units] = [1, 2].map(i => [...new Set(parts.map(part => part[i]).filter(Boolean))]);
    return `${names.join(', ')}${units.length ? ` [${units.join('; ')}]` : ''}`;
}

/* An axis that holds those of all plots. Different titles are joined; a special choice has a title that explains
 * both. */
function joinAxes(entries, which) {
    const own = entries.filter(({plot}) => plot[which]), axes = own.map(({plot}) => plot[which]);
    const special = own.filter(({layer}) => layer.more), titled = special.length ? special : own;
    return {
        ...axes[0],
        title: joinTitles(titled.map(({plot}) => plot[which].title)),
        range: [Math.min(...axes.map(axis => axis.range[0])), Math.max(...axes.map(axis => axis.range[1]))],
    };
}

/* The meaning of colours, styles and shapes: [{name, color, dash, shape}]. */
function legendOf(content, entries, {several, groups, isCurves, report}) {
    const ink = 'var(--ink)', all = [], series = [...new Set(entries.map(({of}) => of))];
    if (several && !isCurves) {
        const used = new Set(content.lines.map(line => line.group));
        all.push(...series.map(one => ({name: seriesName(one, report), color: seriesColor(one)})));
        all.push(...groups.filter(([name]) => used.has(name))
            .map(([name]) => ({name, color: ink, dash: groupStyle(name, groups)})));
    }
    all.push(...content.lines.filter(line => line.legend).map(({legend, whose, color, dash}) =>
        ({name: several && whose ? `${whose}: ${legend}` : legend, color, dash})));
    all.push(...content.points.filter(point => point.legend).map(({legend, color, shape, hollow}) =>
        ({name: legend, color: several ? ink : color, shape, hollow})));
    all.push(...content.bands.filter(band => band.legend).map(({legend, color, alpha}) => ({name: legend, color, alpha})));
    return [...new Map(all.map(entry => [`${entry.name} ${entry.color}`, entry])).values()];
}

/* The common state for the items of a chart. */
function stateOf(chart, report, entries, series) {
    const hiding = report.controls.find(control => control.hides), groups = hiding.options;
    const known = new Set(groups.map(([name]) => name));
    const axes = entries.find(({plot}) => plot.x).plot;
    const highest = name => new Map(series.map(one =>
        [one, Math.max(0, ...entries.filter(({of}) => of === one).map(({plot}) => plot[name]))]));
    const isHidden = ({group}) => known.has(group) && !hiding.chosen.has(group);
    const names = shorten(series.map(one => seriesName(one, report)), LONGEST);
    return {
        report,
        groups,
        names: new Map(series.map((one, i) => [one, names[i]])),
        several: series.length > 1,
        crowded: series.length > CROWD,
        lids: series.length > 1 ? new Map(series.map(one => [one, highestShown(entries, one)])) : highest('lid'),
        edges: new Map(series.map(one => [one, steepestShown(entries, one, isHidden) || highest('edge').get(one)])),
        list: chart.list,
        isCurves: !chart.layers.some(layer => layer.type),
        guide: chart.guide,
        axes,
        readings: new Map(entries.filter(({plot}) => plot.reading).map(({of, plot}) => [of, plot.reading])),
        suffixes: report.controls.filter(({kind, chosen}) => kind === 'some' && chosen.size > 1).map(({name}) => name),
        isHidden,
    };
}

function itemsOf(entries, state) {
    const make = items => entries.flatMap(entry => items(entry, state));
    return {
        bands: state.several ? [] : make(bandItems),
        lines: state.several ? widenEqual(make(lineItems)) : make(lineItems),
        marks: state.several ? [] : make(markItems),
        points: make(pointItems),
    };
}

/* The content of a chart, its legend, and the small print and notes below it; null: no layer is chosen. */
function chartContent(chart, report) {
    const entries = chosenLayers(chart, report), series = [...new Set(entries.map(({of}) => of))];
    if (!entries.some(({plot}) => plot.x))
        return null;
    const state = stateOf(chart, report, entries, series), items = itemsOf(entries, state);
    const content = {name: chart.name, shapes: report.plots.shapes, ...items, x: joinAxes(entries, 'x'), y: joinAxes(entries, 'y')};
    const unique = texts => [...new Set(texts.filter(Boolean))];
    return {
        content,
        legend: legendOf(content, entries, state),
        several: state.several,
        print: unique(entries.flatMap(({plot}) => plot.footer?.split(/(?<=\.) /))),
        notes: unique(entries.flatMap(({plot, of}) => plot.notes.filter(note => !of.result.notes.includes(note))
            .map(note => report.several ? `${of.result.label}: ${note}` : note))),
    };
}
