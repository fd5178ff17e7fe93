/* SPDX-License-Identifier: BSD-3-Clause
 * Tables that sort and filter. */

/* Compares numbers by size, texts by alphabet. */
function compare(a, b) {
    return typeof a === 'number' ? a - b : String(a).localeCompare(String(b), 'en', {numeric: true});
}

/* Sorts by a column's keys in either direction; records without the key come last. */
function sortRecords(records, key, turn) {
    const isMissing = record => key(record) == null || key(record) === '' || Number.isNaN(key(record));
    const known = records.filter(record => !isMissing(record)).sort((a, b) => turn * compare(key(a), key(b)));
    return [...known, ...records.filter(isMissing)];
}

/* Numbers are flush right. */
function lookOf({format}) {
    return format === 'list' ? 'doubt' : format && 'number';
}

/* With choose(record), a row begins with a button. */
function fillRows(body, records, columns, choose) {
    body.replaceChildren();
    for (const record of records) {
        const row = element(body, 'tr'), [first, ...others] = columns;
        const head = element(row, 'th', {class: lookOf(first), scope: 'row'}, choose ? null : cellText(record, first));
        if (choose)
            element(head, 'button', {type: 'button', class: 'plain', title: 'Show it in the chart'}, cellText(record, first))
                .addEventListener('click', () => choose(record));
        others.forEach(column => element(row, 'td', {class: lookOf(column)}, cellText(record, column)));
    }
}

/* A table in a section: columns are {title, key, format, …}. show(records) fills it and hides columns without any
 * value. */
function makeTable(section, {name, columns, choose}) {
    const tools = element(section.querySelector('.bar'), 'div', {class: 'tools'});
    const count = element(tools, 'span', {class: 'small'});
    const filter = element(tools, 'input', {type: 'search', placeholder: 'Filter', 'aria-label': `Filter ${name}`});
    const scroll = element(section, 'div', {class: 'scroll high', tabindex: 0, role: 'group', 'aria-label': `Table of ${name}`});
    const table = element(scroll, 'table'), head = element(element(table, 'thead'), 'tr');
    const body = element(table, 'tbody');
    const textOf = record => columns.map(column => cellText(record, column)).join(' ').toLowerCase();
    const MOST = 1000; /* rows: the page stays quick */
    let records = [], used = columns, sorted = null, turn = 1;
    const listed = () => {
        const words = filter.value.toLowerCase().split(/\s+/);
        const kept = records.filter(record => words.every(word => textOf(record).includes(word)));
        return sorted ? sortRecords(kept, record => record[sorted.key], turn) : kept;
    };
    const fill = () => {
        const list = listed();
        fillRows(body, list.slice(0, MOST), used, choose);
        count.textContent = list.length > MOST ? `the first ${MOST} of ${list.length}` : `${list.length} of ${records.length}`;
        [...head.cells].forEach((cell, i) => cell.removeAttribute('aria-sort'));
        head.cells[columns.indexOf(sorted)]?.setAttribute('aria-sort', turn > 0 ? 'ascending' : 'descending');
    };
    for (const column of columns) {
        const cell = element(head, 'th', {class: lookOf(column) === 'number' && 'number', scope: 'col'});
        element(cell, 'button', {type: 'button'}, column.title).addEventListener('click', () => {
            turn = sorted === column ? -turn : lookOf(column) === 'number' ? -1 : 1;
            sorted = column;
            fill();
        });
    }
    filter.addEventListener('input', fill);
    return {
        show(list) {
            records = list;
            used = columns.filter(column => list.some(record => cellText(record, column) !== ''));
            columns.forEach((column, i) => head.cells[i].hidden = !used.includes(column));
            section.hidden = list.length === 0;
            fill();
        },
    };
}

/* Texts below a table, folded if there are many. */
function showTexts(section, title, entries) {
    const FEW = 8;
    section.querySelector('.texts')?.remove();
    if (entries.length === 0)
        return;
    const fold = element(section, 'details', {class: 'texts', open: entries.length <= FEW});
    element(fold, 'summary', {}, title);
    fillList(element(fold, 'dl'), entries);
}
