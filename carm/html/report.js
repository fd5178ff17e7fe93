/* SPDX-License-Identifier: BSD-3-Clause
 * The page: its head, and updates after each choice. */

/* Lists each note once, with its results. */
function fillNotes(list, {results, several}) {
    for (const note of new Set(results.flatMap(result => result.notes))) {
        const names = results.filter(result => result.notes.includes(note)).map(result => result.label);
        const others = names.length > 3 ? ` and ${names.length - 3} more` : '';
        const who = several ? `${names.slice(0, 3).join(', ')}${others}: ` : '';
        element(list, 'li', {}, `${who}${note}`);
    }
}

function fillLegend(legend, entries, shapes) {
    legend.replaceChildren();
    for (const {name, color, dash, shape, hollow, alpha} of entries) {
        const entry = element(legend, 'span'), swatch = element(entry, 'svg', {viewBox: '0 0 26 10', 'aria-hidden': 'true'});
        const marker = shape != null && markerPath({x: 13, y: 5}, shapes[shape], 3.6);
        if (marker)
            element(swatch, 'path', {d: marker, style: hollow ? {fill: 'none', stroke: color, 'stroke-width': 1.3} : {fill: color}});
        else if (alpha)
            element(swatch, 'path', {d: 'M3 0H23V10H3Z', style: {fill: color, opacity: Math.max(0.25, alpha)}});
        else
            element(swatch, 'path', {d: 'M0 5H26', style: {stroke: color, 'stroke-dasharray': dash ?? 'none'}});
        entry.append(name);
    }
}

function showChart(section, chart, shown, report) {
    section.hidden = !shown || shown.content.lines.length + shown.content.points.length === 0;
    if (section.hidden)
        return;
    section.classList.toggle('several', shown.several);
    fillLegend(section.querySelector('.legend'), shown.legend, report.plots.shapes);
    const all = report.results.length, seen = new Set(report.series.filter(one => one.shown).map(one => one.result)).size;
    const few = seen < all ? report.words.shown.replace('{shown}', seen).replace('{all}', all) : '';
    const known = new Set(report.results.flatMap(result => result.notes)), print = section.querySelector('.print');
    const notes = shown.notes.filter(note => !known.has(note)).map(note => `▲ ${note}`);
    chart.show(shown.content, notes);
    if (!print)
        return;
    print.textContent = [few, ...shown.print].filter(Boolean).join(' ');
    section.querySelectorAll('p.doubt').forEach(note => note.remove());
    print.after(...notes.map(note => element(section, 'p', {class: 'doubt small'}, note)));
}

/* The texts below a table: the verdict of each row, or remedies. */
function tableTexts({texts, remedies}, records, {doubts, several, words}) {
    if (texts) {
        const nameOf = record => several ? `${record.name}, ${record[words.of]}` : record.name;
        return records.filter(record => record.verdict).map(record => [nameOf(record), `${record.verdict}.`]);
    }
    const names = [...new Set(records.flatMap(record => record.doubts ?? []))].filter(name => doubts[name]);
    return remedies ? names.map(name => [`▲ ${name}`, `${doubts[name].cause}. Remedy: ${doubts[name].remedy}.`]) : [];
}

function makeTables(byId, report, charts) {
    const isUsed = column => report.several || column.key !== report.words.of;
    return report.tables.map(table => {
        const columns = columnsFor(report, table.name, 'table').filter(isUsed);
        const shownIn = charts.find(({chart}) => chart.name === table.chart);
        const choose = shownIn && (record => shownIn.view.choose(record[ID]));
        return {...table, columns, view: makeTable(byId(table.name), {name: table.file, columns, choose})};
    });
}

/* Fills the page's head and foot. */
function fillFrame(byId, report) {
    const {version, results} = report;
    byId('conditions').textContent = report.several ? [...new Set(results.map(result => result.name))].join(', ')
        : results[0].conditions;
    byId('made').textContent = `Made by carmine ${version}.`;
    fillNotes(byId('notes'), report);
    listenToFold(byId('unfold'), byId('choices'));
    document.querySelectorAll('header, footer').forEach(node => node.hidden = false);
}

function start() {
    const byId = id => document.getElementById(id), report = readReport(byId('data').textContent);
    const told = {title: document.querySelector('h1').textContent};
    fillFrame(byId, report);
    byId('still').remove();
    told.about = byId('conditions').textContent;
    const charts = report.charts.map(chart =>
        ({chart, view: makeChart(byId(chart.name), {name: byId(chart.name).querySelector('h2').textContent, told})}));
    const tables = makeTables(byId, report, charts);
    const update = () => {
        byId('chosen').textContent = choicesText(report);
        for (const {chart, view} of charts)
            showChart(byId(chart.name), view, chartContent(chart, report), report);
        const records = tables.map(({name}) => recordsOf(report, name));
        tables.forEach((table, i) => {
            table.view.show(records[i]);
            const listed = table.texts ? records[i] : records.flat();
            showTexts(byId(table.name), table.texts ?? table.remedies, tableTexts(table, listed, report));
        });
        showCards(byId('cards'), report);
    };
    showCode(byId('code'), report);
    addControls(byId('choices'), report, update);
    update();
}

start();
