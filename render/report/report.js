/* SPDX-License-Identifier: BSD-3-Clause
 * The page: its head, and everything drawn anew when another choice is made. */

/* Each doubt once, with the results that it is about. */
function fillNotes(list, {results, several}) {
    for (const note of new Set(results.flatMap(result => result.notes))) {
        const names = results.filter(result => result.notes.includes(note)).map(result => result.label);
        const others = names.length > 3 ? ` and ${names.length - 3} more` : '';
        const who = several ? `${names.slice(0, 3).join(', ')}${others}: ` : '';
        element(list, 'li', {}, `${who}${note}`);
    }
}

/* The system's own choice until the button is pressed. */
function listenToTheme(button) {
    const system = matchMedia('(prefers-color-scheme: dark)'), {dataset} = document.documentElement;
    const isDark = () => dataset.theme ? dataset.theme === 'dark' : system.matches;
    const offer = () => button.textContent = isDark() ? 'Light' : 'Dark';
    button.addEventListener('click', () => {
        dataset.theme = isDark() ? 'light' : 'dark';
        offer();
    });
    system.addEventListener('change', offer);
    offer();
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

/* Paper unfolds nothing, so what is folded is shown on it. */
function unfoldForPrint() {
    let folded = [];
    addEventListener('beforeprint', () => {
        folded = [...document.querySelectorAll('details.texts:not([open])')];
        folded.forEach(details => details.open = true);
    });
    addEventListener('afterprint', () => folded.forEach(details => details.open = false));
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

/* What is said below a table: a sentence of each row, or what to do about doubts. */
function tableTexts({texts, remedies}, records, {doubts, several, words}) {
    if (texts) {
        const nameOf = record => several ? `${record.name}, ${record[words.of]}` : record.name;
        return records.filter(record => record.verdict).map(record => [nameOf(record), `${record.verdict}.`]);
    }
    const names = [...new Set(records.flatMap(record => record.doubts ?? []))].filter(name => doubts[name]);
    return remedies ? names.map(name => [`▲ ${name}`, `${doubts[name].cause}. Remedy: ${doubts[name].remedy}.`]) : [];
}

function makeTables(byId, report, charts, changed) {
    const isUsed = column => report.several || column.key !== report.words.of;
    const chooserIn = ({view}) => record => {
        view.choose(record[ID]);
        view.look();
    };
    return report.tables.map(table => {
        const columns = columnsFor(report, table.name, 'table').filter(isUsed);
        const shownIn = charts.find(({chart}) => chart.name === table.chart);
        const choose = shownIn && chooserIn(shownIn);
        return {...table, columns, view: makeTable(byId(table.name), {name: table.file, columns, choose, changed})};
    });
}

/* All that a link tells. */
function addressParts(report, charts, tables, own) {
    return [
        seriesPart(report.series),
        ...report.controls.map(controlPart),
        own,
        ...charts.flatMap(({chart, view}) => chartParts(chart.name, view)),
        ...tables.flatMap(({name, view}) => tableParts(name, view)),
    ];
}

/* The page's head and foot, and the buttons there. */
function fillFrame(byId, report) {
    const {schema, version, results, doubts} = report;
    byId('conditions').textContent = report.several ? [...new Set(results.map(result => result.name))].join(', ')
        : results[0].conditions;
    byId('made').textContent = `Made by carmine ${version}.`;
    fillNotes(byId('notes'), report);
    listenToTheme(byId('theme'));
    listenToFold(byId('unfold'), byId('choices'));
    unfoldForPrint();
    byId('save').addEventListener('click', () =>
        download('carmine-report.json', 'application/json', JSON.stringify({schema, version, results, doubts}, null, 1)));
    document.querySelectorAll('header, footer').forEach(node => node.hidden = false);
}

function start() {
    const byId = id => document.getElementById(id), report = readReport(byId('data').textContent);
    let note = () => {};
    const changed = () => note(), told = {title: document.querySelector('h1').textContent};
    fillFrame(byId, report);
    byId('still').hidden = true;
    told.about = byId('conditions').textContent;
    const charts = report.charts.map(chart => {
        const name = byId(chart.name).querySelector('h2').textContent;
        return {chart, view: makeChart(byId(chart.name), {name, told, changed})};
    });
    const tables = makeTables(byId, report, charts, changed);
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
        changed();
    };
    showCode(byId('code'), report);
    addControls(byId('choices').querySelector('.controls'), report, update);
    const own = makeOwn(byId('own'), report, report.charts.flatMap(chart => chart.own ?? []), update);
    note = keepInAddress(addressParts(report, charts, tables, own), update);
    byId('still').remove();
}

start();
