/* SPDX-License-Identifier: BSD-3-Clause
 * Starts the page: a report, or a page of tables alone, {version, tables: [{name: of its section, file: its name in
 * words, columns, rows}, …]}. */

function startTables() {
    const byId = id => document.getElementById(id), {version, tables} = JSON.parse(byId('data').textContent);
    for (const {name, file, columns, rows} of tables)
        makeTable(byId(name), {name: file, columns}).show(untable(rows));
    byId('made').textContent = `Made by carmine ${version}.`;
    document.querySelector('footer').hidden = false;
}

(document.getElementById('tables') ? startTables : startReport)();
