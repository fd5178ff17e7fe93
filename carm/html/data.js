/* SPDX-License-Identifier: BSD-3-Clause
 * The report's data as the page uses it: results with lists of records, series that are shown or not, controls with what
 * is chosen, charts as layers of plots. */

/* {columns, rows} → objects. */
function untable({columns, rows}) {
    return rows.map(row => Object.fromEntries(columns.map((name, i) => [name, row[i]])));
}

/* Every table inside of a value as the list of objects that it is short for. */
function expand(value) {
    if (value === null || typeof value !== 'object')
        return value;
    if (Array.isArray(value))
        return value.map(expand);
    if (Array.isArray(value.columns) && Array.isArray(value.rows))
        return untable(value).map(expand);
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, expand(member)]));
}

/* A row of a plot with its look and texts in place of their numbers. */
function resolve(row, columns, {looks, texts}) {
    const item = Object.fromEntries(columns.map((name, i) => [name, row[i]]));
    for (const name of ['label', 'sublabel', 'aside', 'legend'])
        item[name] = texts[item[name]] ?? '';
    return {...looks[item.look], ...item};
}

function resolveAxis(axis, {axes}) {
    return axis && {...axes[axis[0]], base: axes[axis[0]].scale === 'log2' ? 2 : 10, range: axis.slice(1)};
}

/* Once for each plot, since most are never shown. */
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

/* What the script goes by. Of a control the chosen values are a set. */
function readReport(text) {
    const report = JSON.parse(text), results = expand(report.results), several = results.length > 1;
    const list = report.series.map(series => ({...series, result: results[series.result]}));
    const numberOf = series => results.indexOf(series.result);
    return {
        ...report,
        results,
        several,
        series: list.map((series, i) => ({
            ...series,
            number: i,
            color: several ? numberOf(series) : i,
        })),
        controls: report.controls.map(control => ({...control, chosen: new Set(control.first)})),
        charts: report.charts.map(chart => ({...chart, layers: untable(chart)})),
    };
}

/* The id of a series' row, and where its record keeps it, out of sight of who lists its keys. */
const ID = Symbol('id');
function recordId({number}, list, row) {
    return `${number}.${list}.${row}`;
}

/* Whether a value of a control's name is chosen; where there is none, it is. */
function isChosen({chosen}, value) {
    return value == null || chosen.has(value);
}

/* The rows of a list that are chosen, as records that say whose they are. */
function recordsOf({series, controls, words}, list) {
    const isListed = record => controls.every(control =>
        !record[control.name] || control.chosen.has('') || control.chosen.has(record[control.name]));
    const recordOf = (one, i) =>
        ({...one.result[list][i], [words.of]: one.result.label, [words.at]: one.label, [ID]: recordId(one, list, i)});
    return series.filter(one => one.shown).flatMap(one => one.rows[list].map(i => recordOf(one, i)).filter(isListed));
}

/* Columns of a list that are told there, or everywhere. */
function columnsFor(report, list, where) {
    return report.lists[list].filter(column => (column.where ?? where) === where);
}
