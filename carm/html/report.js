/* SPDX-License-Identifier: BSD-3-Clause
 * The page: its head, and updates after each choice. */

/* Lists each note of the shown results once, with its results. They are folded, except few on a wide page. */
function fillNotes(fold, {results, several, words}) {
    const FEW = 2, WIDE_ENOUGH = 640;
    const shown = results.filter(result => result.shown), list = fold.querySelector('ul');
    const notes = new Set(shown.flatMap(result => result.notes)), [one, more] = words.notes;
    list.replaceChildren();
    fold.hidden = notes.size === 0;
    fold.firstChild.textContent = `▲ ${notes.size} ${notes.size === 1 ? one : more}`;
    fold.firstChild.hidden = notes.size <= FEW && innerWidth >= WIDE_ENOUGH;
    fold.open ||= fold.firstChild.hidden;
    for (const note of notes) {
        const names = shown.filter(result => result.notes.includes(note)).map(result => result.label);
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

/* How many results are shown, and which of them have nothing at this choice. */
function countTexts({results, series, words, several}) {
    const shown = results.filter(result => result.shown), drawn = new Set(series.filter(one => one.shown).map(one => one.result));
    const others = series.filter(one => one.result.shown && !one.shown).reduce((sum, one) => sum + one.rows.points.length, 0);
    const isFirst = results.every(result => result.shown === result.first), lacking = shown.filter(result => !drawn.has(result));
    const counts = {shown: shown.length, all: results.length, how: isFirst ? words.how : ''};
    return several ? [
        ...words.brief ? [words.brief] : [],
        ...shown.length < results.length ? [fillIn(words.shown, counts)] : [],
        ...others ? [fillIn(words.elsewhere, {count: others})] : [],
        ...lacking.length ? [fillIn(words.lacking, {names: lacking.map(result => result.label).join(', ')})] : [],
    ] : [];
}

function showChart(section, chart, shown, report, told) {
    const isEmpty = !shown || shown.content.lines.length + shown.content.points.length === 0;
    section.hidden = isEmpty && !section.querySelector('#choices > *'); /* else another choice leads back */
    section.querySelectorAll('figure, .tools').forEach(node => node.hidden = isEmpty);
    if (isEmpty) {
        section.querySelectorAll('.legend, .guide, .print').forEach(node => node.replaceChildren());
        return;
    }
    section.classList.toggle('several', shown.several);
    fillLegend(section.querySelector('.legend'), shown.legend, report.plots.shapes);
    const print = section.querySelector('.print'), notes = shown.notes.map(note => `▲ ${note}`);
    chart.show(shown.content, {...told, notes});
    if (!print)
        return;
    print.textContent = [...countTexts(report), ...shown.print].join(' ');
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
    addEventListener('beforeprint', () => byId('notes').open = true);
    listenToFold(byId('unfold'), byId('choices'));
    document.querySelectorAll('header, footer').forEach(node => node.hidden = false);
}

function startReport() {
    const byId = id => document.getElementById(id), report = readReport(byId('data').textContent);
    const head = document.querySelector('h1'), name = head.textContent;
    settleSeries(report);
    fillFrame(byId, report);
    byId('still').remove();
    const charts = report.charts.map(chart =>
        ({chart, view: makeChart(byId(chart.name), byId(chart.name).querySelector('h2').textContent)}));
    const tables = makeTables(byId, report, charts);
    const update = () => {
        settleSeries(report);
        colorChips(report);
        fillNotes(byId('notes'), report);
        head.textContent = [name, titleText(report)].filter(Boolean).join(', ');
        const told = {title: head.textContent, about: byId('conditions').textContent};
        byId('chosen').textContent = choicesText(report);
        for (const {chart, view} of charts)
            showChart(byId(chart.name), view, chartContent(chart, report), report, told);
        showGlance(byId('glance'), report);
        showBeside(byId('beside'), report);
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
