/* SPDX-License-Identifier: BSD-3-Clause
 * The code of hot loops, folded: source lines with what each did, beside them instruction by instruction. */

/* What stands in the columns of both tables; `bar`: a share of the time is drawn, too. */
const CODE_TIME = {title: 'time', text: ({time_share}) => time_share ? percent(time_share, time_share < 0.0995 ? 1 : 0) : '', bar: true};
const once = (key, {executions, [key]: amount}) => amount && executions ? plain(amount / executions) : '';
const LINE_COLUMNS = [
    CODE_TIME,
    {title: 'runs', text: ({executions}) => executions ? si(executions, '') : ''},
    {title: 'flop', text: ({flop}) => flop ? si(flop, '') : ''},
    {title: 'loaded', text: row => row.load_bytes ? si(row.load_bytes, 'B') : ''},
    {title: 'stored', text: row => row.store_bytes ? si(row.store_bytes, 'B') : ''},
    {title: 'line', text: ({line}) => line ?? ''},
    {title: 'source', text: ({text}) => text ?? '', code: true},
];
const INSTRUCTION_COLUMNS = [
    CODE_TIME,
    {title: 'runs', text: ({executions}) => si(executions ?? 0, '')},
    {title: 'flop', hint: 'of one execution', text: row => once('flop', row)},
    {title: 'load', hint: 'B of one execution', text: row => once('load_bytes', row)},
    {title: 'store', hint: 'B of one execution', text: row => once('store_bytes', row)},
    {title: 'bits', hint: 'width of its data', text: row => row.data_bits ?? ''},
    {title: 'line', text: ({place}) => place},
    {title: 'at', text: ({offset}) => `0x${offset.toString(16)}`},
    {title: 'instruction', text: ({text}) => text, code: true},
];

/* Sums over the instructions of each line; how often ran the one that ran most often. */
function linesOf({lines = [], instructions}) {
    return lines.map((line, at) => {
        const own = instructions.filter(one => one.line === at), sum = key => own.reduce((all, one) => all + (one[key] ?? 0), 0);
        return {
            ...line, executions: Math.max(0, ...own.map(one => one.executions ?? 0)), flop: sum('flop'),
            load_bytes: sum('load_bytes'), store_bytes: sum('store_bytes'), time_share: sum('time_share'),
        };
    });
}

const fileName = path => path.split('/').at(-1);

/* What a row is headed by: another file, or a function that was inlined. */
function headOf({file, inlined}) {
    return inlined ? `${inlined}, inlined: ${fileName(file)}` : fileName(file);
}

/* Columns that say nothing of any row are left out. `between(row, last)`: what stands between two rows; ''. */
function fillCode(parent, name, columns, rows, between) {
    const used = columns.filter(({text}) => rows.some(row => text(row) !== ''));
    const scroll = element(parent, 'div', {class: 'scroll code', tabindex: 0, role: 'group', 'aria-label': name});
    const table = element(scroll, 'table'), head = element(element(table, 'thead'), 'tr'), body = element(table, 'tbody');
    for (const {title, hint, code} of used)
        element(head, 'th', {class: code ? null : 'number', scope: 'col', title: hint}, title);
    rows.forEach((row, i) => {
        const said = between(row, rows[i - 1]);
        if (said) {
            const gap = element(body, 'tr', {class: 'gap'});
            used.forEach(({code}) => element(gap, 'td', {}, code ? said : ''));
        }
        const line = element(body, 'tr');
        for (const {text, code, bar} of used)
            element(line, 'td', {class: code ? 'source' : 'number', style: bar ? {'--share': row.time_share ?? 0} : {}}, text(row));
    });
}

function showAnnotation(section, annotation, owner) {
    const {name, iterations, time_share, left_out, source_newer, instructions = []} = annotation;
    const lines = linesOf({...annotation, instructions}), fold = element(section, 'details', {class: 'annotation'});
    const facts = [time_share && `${percent(time_share)} of the time`, iterations && `${si(iterations, '').trim()} iterations`];
    element(fold, 'summary', {}, [[owner, name].filter(Boolean).join(': '), ...facts.filter(Boolean)].join(', '));
    const sources = element(fold, 'div', {class: 'beside'});
    const hasText = lines.some(({text}) => text);
    if (hasText)
        fillCode(sources, `Source of ${name}`, LINE_COLUMNS, lines, (line, last) => {
            const other = !last || headOf(last) !== headOf(line);
            return other ? headOf(line) : line.line > last.line + 1 ? '…' : '';
        });
    const placeOf = ({line}) => {
        const {file, inlined, line: number} = lines[line] ?? {};
        return number == null ? '' : inlined ? `${inlined}:${number}` : hasText ? String(number) : `${fileName(file)}:${number}`;
    };
    fillCode(sources, `Instructions of ${name}`, INSTRUCTION_COLUMNS, instructions.map(one => ({...one, place: placeOf(one)})),
        (one, last) => last && last.offset + last.code_bytes !== one.offset ? '…' : '');
    const notes = [
        left_out && `${left_out} instructions more, which ran and took less than these.`,
        source_newer && 'The source was written after the program was built: lines may not match.',
        lines.length && !hasText && `${lines[0].file} was not there when this was measured.`,
    ];
    notes.filter(Boolean).forEach(note => element(fold, 'p', {class: 'small'}, note));
}

/* Of all results that hold any. */
function showCode(section, {results, several}) {
    const shown = results.filter(({annotations}) => annotations?.length);
    section.hidden = shown.length === 0;
    shown.forEach(({annotations, label}) =>
        annotations.forEach(annotation => showAnnotation(section, annotation, several ? label : '')));
}
