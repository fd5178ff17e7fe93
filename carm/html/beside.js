/* SPDX-License-Identifier: BSD-3-Clause
 * The shown results side by side: {rows: [{name, cells: for each result [value, ratio to the base, doubts]}, …], base:
 * a result, about}. A row with a control's name as a key is listed if its value is chosen. Facts that differ follow.
 * Before it all results at a glance: {heads, rows: [{a control's name, cells: for each result its texts}], about}. */

function showGlance(section, {glance: {heads, rows, about}, results, controls}) {
    const chosen = rows.find(row => isListed(row, controls)), table = section.querySelector('table');
    section.hidden = !chosen;
    section.querySelector('.small').textContent = about;
    table.replaceChildren();
    if (!chosen)
        return;
    const head = element(element(table, 'thead'), 'tr'), body = element(table, 'tbody');
    heads.forEach((title, i) => element(head, 'th', {class: i ? 'number' : null, scope: 'col'}, title));
    chosen.cells.forEach((texts, i) => {
        const row = element(body, 'tr'), name = element(row, 'th', {scope: 'row'});
        element(name, 'i', {class: 'swatch', style: {'--color': results[i].shown ? seriesColor(results[i]) : 'transparent'}});
        name.append(results[i].label);
        texts.forEach(text => element(row, 'td', {class: 'number'}, text));
    });
}

function addHead(table, columns, {results}, base) {
    const row = element(element(table, 'thead'), 'tr');
    element(row, 'td');
    for (const i of columns) {
        const head = element(row, 'th', {class: 'number', scope: 'col', colspan: i === base ? 1 : 2});
        element(head, 'i', {class: 'swatch', style: {'--color': results[i].shown ? seriesColor(results[i]) : 'transparent'}});
        head.append(results[i].label);
    }
}

function addValues(table, rows, columns, base) {
    const body = element(table, 'tbody');
    for (const {name, cells} of rows) {
        const row = element(body, 'tr');
        element(row, 'th', {scope: 'row'}, name);
        for (const [i, [value, ratio, doubts]] of columns.map(i => [i, cells[i]])) {
            const cell = element(row, 'td', {class: 'number', title: doubts || null}, value);
            if (doubts)
                element(cell, 'span', {class: 'doubt'}, ' ▲');
            if (i !== base)
                element(row, 'td', {class: 'number ratio'}, ratio && `${ratio} ×`);
        }
    }
}

/* Facts are [name, text, whether results are compared by it]. */
function addFacts(table, columns, {results}, base) {
    const body = element(table, 'tbody'), textOf = (i, name) => results[i].facts.find(([own]) => own === name)?.[1] ?? '';
    const names = new Set(columns.flatMap(i => results[i].facts.filter(([, , isCompared]) => isCompared).map(([name]) => name)));
    for (const name of [...names].filter(name => new Set(columns.map(i => textOf(i, name))).size > 1)) {
        const row = element(body, 'tr');
        element(row, 'th', {scope: 'row'}, name);
        columns.forEach(i => element(row, 'td', {class: 'fact', colspan: i === base ? 1 : 2}, textOf(i, name)));
    }
}

function showBeside(section, report) {
    const {beside: {rows, base, about}, results, controls} = report;
    const columns = [...results.keys()].filter(i => i === base || results[i].shown);
    const isKnown = ({cells}) => columns.some(i => cells[i][0] !== '–');
    section.hidden = rows.length === 0;
    section.querySelector('.small').textContent = about;
    const table = section.querySelector('table');
    table.replaceChildren();
    if (section.hidden)
        return;
    addHead(table, columns, report, base);
    addValues(table, rows.filter(row => isListed(row, controls) && isKnown(row)), columns, base);
    addFacts(table, columns, report, base);
}
