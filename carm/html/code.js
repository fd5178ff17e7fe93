/* SPDX-License-Identifier: BSD-3-Clause
 * Code in folds: tables of texts from the data, with a bar behind shares. */

/* Leaves out columns without any text. */
function fillCode(parent, name, {heads, lines}) {
    const used = heads.map((head, i) => ({...head, i})).filter(({i}) => lines.some(({cells}) => cells?.[i]));
    const scroll = element(parent, 'div', {class: 'scroll code', tabindex: 0, role: 'group', 'aria-label': name});
    const table = element(scroll, 'table'), head = element(element(table, 'thead'), 'tr'), body = element(table, 'tbody');
    for (const {title, kind, hint} of used)
        element(head, 'th', {class: kind === 'code' ? null : 'number', scope: 'col', title: hint || null}, title);
    for (const {cells, share, gap} of lines) {
        const row = element(body, 'tr', {class: gap ? 'gap' : null});
        for (const {kind, i} of used)
            if (gap)
                element(row, 'td', {}, kind === 'code' ? gap : '');
            else
                element(row, 'td', {class: kind === 'code' ? 'source' : 'number', style: kind === 'share' ? {'--share': share} : {}}, cells[i]);
    }
}

/* Shows the code of all results that have any. */
function showCode(section, {results, several}) {
    const all = results.flatMap(({code, label}) => code.map(one => ({...one, owner: several ? `${label}: ` : ''})));
    section.hidden = all.length === 0;
    for (const {title, tables, notes, owner} of all) {
        const fold = element(section, 'details', {class: 'annotation'});
        element(fold, 'summary', {}, `${owner}${title}`);
        const beside = element(fold, 'div', {class: 'beside'});
        tables.forEach((table, i) => fillCode(beside, `${title}, ${i + 1} of ${tables.length}`, table));
        notes.forEach(note => element(fold, 'p', {class: 'small'}, note));
    }
}
