/* SPDX-License-Identifier: BSD-3-Clause
 * The cards of the shown results: facts about each, and a small table of its first series that is shown. */

function fillSmallTable(card, name, {columns, rows}) {
    const table = element(element(card, 'div', {class: 'scroll', tabindex: 0, role: 'group', 'aria-label': name}), 'table');
    const head = element(element(table, 'thead'), 'tr'), body = element(table, 'tbody');
    const isUsed = (text, i) => rows.some(row => row[i]);
    for (const title of columns.filter(isUsed))
        element(head, title ? 'th' : 'td', title ? {class: 'number', scope: 'col'} : {}, title);
    for (const [first, ...cells] of rows.map(row => row.filter(isUsed))) {
        const row = element(body, 'tr');
        element(row, 'th', {scope: 'row'}, first);
        cells.forEach(text => element(row, 'td', {class: 'number'}, text));
    }
}

function showCards(section, {results, series}) {
    section.hidden = false;
    section.querySelectorAll('article').forEach(card => card.remove());
    for (const result of results.filter(one => one.shown)) {
        const own = series.filter(one => one.result === result), first = own.find(one => one.shown) ?? own[0];
        const card = element(section, 'article');
        element(card, 'h3', {}, result.label);
        if (result.trust)
            element(card, 'p', {}, result.trust.text);
        fillList(element(card, 'dl'), result.facts);
        if (first.levels.rows.length) {
            element(card, 'h4', {}, first.label);
            fillSmallTable(card, `${result.label}, ${first.label}`, first.levels);
        }
        result.notes.forEach(note => element(card, 'p', {class: 'doubt'}, `▲ ${note}`));
    }
}
