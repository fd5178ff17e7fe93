/* SPDX-License-Identifier: BSD-3-Clause
 * The page: its head, and everything drawn anew when another choice is made. */

/* Each doubt once, with the machines that it is about. */
function fillNotes(list, {machines}, labelOf) {
    for (const note of new Set(machines.flatMap(machine => machine.notes))) {
        const names = machines.filter(machine => machine.notes.includes(note)).map(labelOf);
        const others = names.length > 3 ? ` and ${names.length - 3} more` : '';
        const who = machines.length > 1 ? `${names.slice(0, 3).join(', ')}${others}: ` : '';
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

function fillLegend(legend, entries) {
    legend.replaceChildren();
    for (const {name, color, dash, shape, isPoint} of entries) {
        const entry = element(legend, 'span'), swatch = element(entry, 'svg', {viewBox: '0 0 26 10'});
        if (!isPoint)
            element(swatch, 'path', {d: 'M0 5H26', style: {stroke: color, 'stroke-dasharray': dash ?? 'none'}});
        if (shape != null)
            element(swatch, 'path', {d: markerPath({x: 13, y: 5}, shape, 3.6), style: {fill: color}});
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

function start() {
    const byId = id => document.getElementById(id), report = expand(JSON.parse(byId('data').textContent));
    const allSeries = makeSeries(report), choice = firstChoice(report, allSeries), several = report.machines.length > 1;
    const columns = all => all.filter(column => several || column.title !== 'machine');
    const charts = {
        roofline: makeChart(byId('roofline'), 'Roofline'),
        bandwidth: makeChart(byId('bandwidth'), 'Bandwidth against size'),
        latency: makeChart(byId('latency'), 'Latency against size'),
    };
    const tables = {
        roofs: makeTable(byId('roofs'), 'roofs', columns(ROOF_COLUMNS)),
        points: makeTable(byId('points'), 'applications', columns(POINT_COLUMNS)),
    };
    const show = (id, content, legend) => {
        const section = byId(id);
        section.hidden = content.lines.length + content.points.length === 0;
        fillLegend(section.querySelector('.legend'), legend);
        if (!section.hidden)
            charts[id].show(content);
    };
    const update = () => {
        const roofs = listRoofs(allSeries, choice), points = listPoints(allSeries);
        byId('roofline').classList.toggle('several', allSeries.filter(series => series.shown).length > 1);
        const roofline = rooflineContent(allSeries, choice);
        show('roofline', roofline, rooflineLegend(roofline, allSeries, choice));
        byId('roofline').querySelector('.print').textContent = rooflinePrint(roofline, allSeries, choice);
        for (const kind of ['bandwidth', 'latency']) {
            const content = curvesContent(allSeries, choice, kind);
            show(kind, content, content.lines);
        }
        tables.roofs.show(roofs);
        tables.points.show(points);
        showTexts(byId('points'), 'Verdicts', verdicts(points, several));
        showTexts(byId('roofs'), 'Doubts and remedies', remedies([...roofs, ...points], report));
        showMachines(byId('machines'), allSeries, choice);
    };

    byId('conditions').textContent = several ? [...new Set(report.machines.map(machine => machine.name))].join(', ')
        : report.machines[0].conditions;
    byId('made').textContent = `Made by carmine ${report.version}.`;
    fillNotes(byId('notes'), report, machine => allSeries.find(series => series.machine === machine).label);
    addControls(byId('choices'), allSeries, choice, update);
    byId('choices').open = innerWidth > 700;
    byId('choices').hidden = !byId('choices').querySelector('input, select');
    listenToTheme(byId('theme'));
    unfoldForPrint();
    byId('save').addEventListener('click', () =>
        download('carmine-report.json', 'application/json', JSON.stringify(report, null, 1)));
    document.querySelectorAll('header, footer').forEach(node => node.hidden = false);
    update();
    byId('still').remove();
}

start();
