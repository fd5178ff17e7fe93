/* SPDX-License-Identifier: BSD-3-Clause
 * The report's data as the page uses it: results with lists of records, series that are shown or hidden, controls
 * with their choices, charts as layers of plots. */

/* {columns, rows} → objects. */
function untable({columns, rows}) {
    return rows.map(row => Object.fromEntries(columns.map((name, i) => [name, row[i]])));
}

/* Expands every table within a value to a list of objects. */
function expand(value) {
    if (value === null || typeof value !== 'object')
        return value;
    if (Array.isArray(value))
        return value.map(expand);
    if (Array.isArray(value.columns) && Array.isArray(value.rows))
        return untable(value).map(expand);
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, expand(member)]));
}

/* A row of a plot with its look and texts instead of their numbers. */
function resolve(row, columns, {looks, texts}) {
    const item = Object.fromEntries(columns.map((name, i) => [name, row[i]]));
    for (const name of ['label', 'sublabel', 'aside', 'legend'])
        item[name] = texts[item[name]] ?? '';
    return {...looks[item.look], ...item};
}

function resolveAxis(axis, {axes}) {
    return axis && {...axes[axis[0]], base: axes[axis[0]].scale === 'log2' ? 2 : 10, range: axis.slice(1)};
}

/* Resolves a plot once, on demand, since most are never shown. */
function resolvePlot(plots, number) {
    const plot = plots.plots[number], of = kind => (plot[kind] ?? []).map(row => resolve(row, plots.columns[kind], plots));
    plots.resolved ??= new Map();
    if (!plots.resolved.has(number))
        plots.resolved.set(number, {
            x: resolveAxis(plot.x, plots),
            y: resolveAxis(plot.y, plots),
            lid: plot.lid ?? 0,
            edge: plot.edge ?? 0,
            notes: (plot.notes ?? []).map(text => plots.texts[text]),
            footer: plots.texts[plot.footer] ?? '',
            reading: plots.texts[plot.reading] ?? '',
            bands: of('bands'),
            lines: of('lines'),
            marks: of('marks'),
            points: of('points'),
        });
    return plots.resolved.get(number);
}

/* Reads the report. A control's choices become a set. */
function readReport(text) {
    const report = JSON.parse(text), results = expand(report.results), several = results.length > 1;
    const list = report.series.map(series => ({...series, result: results[series.result]}));
    results.forEach(result => result.shown = result.first);
    return {
        ...report,
        results,
        several,
        series: list.map((series, i) => ({...series, number: i, color: i})),
        controls: report.controls.map(control => ({...control, chosen: new Set(control.first)})),
        charts: report.charts.map(chart => ({...chart, layers: untable(chart)})),
    };
}

/* With several results, a series is shown if its result is and its values are chosen. A shown result keeps its colour,
 * the first that was free. */
function settleSeries({several, series, results, controls}) {
    const shown = results.filter(result => result.shown), taken = () => shown.map(result => result.color);
    const isFree = color => !taken().includes(color), colors = [...shown.keys()];
    results.filter(result => !result.shown).forEach(result => delete result.color);
    shown.filter(result => result.color == null).forEach(result => result.color = colors.find(isFree));
    for (const one of several ? series : []) {
        one.shown = one.result.shown && controls.every(({name, chosen}) => !one[name] || one[name].some(value => chosen.has(value)));
        one.color = one.result.color;
    }
}

/* The id of a series' row. Records store it under a symbol, so that loops over keys do not see it. */
const ID = Symbol('id');
function recordId({number}, list, row) {
    return `${number}.${list}.${row}`;
}

/* Whether the value is chosen in a control; a missing value counts as chosen. */
function isChosen({chosen}, value) {
    return value == null || chosen.has(value);
}

/* Whether a record's values are chosen in all controls. */
function isListed(record, controls) {
    return controls.every(({name, chosen}) => !record[name] || chosen.has('') || chosen.has(record[name]));
}

/* The chosen rows of a list, as records with their owner. */
function recordsOf({series, controls, words}, list) {
    const recordOf = (one, i) =>
        ({...one.result[list][i], [words.of]: one.result.label, [words.at]: one.label, [ID]: recordId(one, list, i)});
    return series.filter(one => one.shown).flatMap(one => one.rows[list].map(i => recordOf(one, i)).filter(record => isListed(record, controls)));
}

/* The columns of a list for this place or for all places. */
function columnsFor(report, list, where) {
    return report.lists[list].filter(column => (column.where ?? where) === where);
}
