/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers as text. */

const PREFIXES = [
    [1e15, 'P'], [1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, ''],
    [1e-3, 'm'], [1e-6, 'µ'], [1e-9, 'n'], [1e-12, 'p'],
];
const BINARY = [[2 ** 40, 'TiB'], [2 ** 30, 'GiB'], [2 ** 20, 'MiB'], [2 ** 10, 'KiB'], [1, 'B']];
const SPACE = '\u00a0'; /* a blank that breaks no line */

/* Significant digits without zeros at the end: 0.125, 12300. */
function plain(value, digits = 3) {
    const rounded = Number(value.toPrecision(digits)), size = Math.abs(rounded);
    return size >= 1e7 || (size > 0 && size < 1e-4) ? rounded.toExponential() : String(rounded);
}

/* The largest row of a table of [factor, name] that the rounded value reaches. */
function prefixOf(value, table) {
    const size = Math.abs(value) * 1.0005;
    return size === 0 ? [1, ''] : table.find(([factor]) => size >= factor) ?? table.at(-1);
}

/* 89.4e9, 'B/s' → '89.4 GB/s'; '' if unknown. */
function si(value, unit, digits = 3) {
    if (!Number.isFinite(value))
        return '';
    const [factor, prefix] = prefixOf(value, PREFIXES);
    return `${plain(value / factor, digits)}${SPACE}${prefix}${unit}`;
}

function binary(bytes) {
    if (!Number.isFinite(bytes))
        return '';
    const [factor, name] = prefixOf(bytes, BINARY);
    return `${plain(bytes / factor)}${SPACE}${name}`;
}

/* 1/64 and 4096 if that is exact, else a number. */
function fraction(value) {
    return value < 1 && Number.isInteger(1 / value) ? `1/${1 / value}` : plain(value, Number.isInteger(value) ? 7 : 3);
}

function percent(ratio, digits = 0) {
    return Number.isFinite(ratio) ? `${(100 * ratio).toFixed(digits)}${SPACE}%` : '';
}

/* How many first letters a name shares with the other name most like it. */
function sharedLetters(name, names) {
    let same = 0;
    while (names.some(other => other !== name && other.slice(0, same + 1) === name.slice(0, same + 1)))
        same++;
    return same;
}

function cutEnd(text, most) {
    return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/* The first letters of a name, and those from the word on in which it differs from another. */
function cutMiddle(name, same, most) {
    const half = Math.floor(most / 2), word = name.slice(0, same).search(/[-_./ ][^-_./ ]*$/), from = Math.max(word, same - half + 4);
    const tail = cutEnd(name.slice(from), half);
    return from < half ? cutEnd(name, most) : `${name.slice(0, most - 1 - tail.length).trim()}…${tail}`;
}

/* Cuts names to this number of letters, but leaves them whole if two would be equal. */
function shorten(names, most) {
    const texts = names.map(name => name.length > most ? cutMiddle(name, sharedLetters(name, names), most) : name);
    return new Set(texts).size === new Set(names).size ? texts : names;
}

/* The text of a cell by its column {key, format, unit, units: by the record's unit, digits}; '' if unknown. */
const FORMATS = {
    number: (value, {unit}) => [plain(value), unit].filter(Boolean).join(SPACE),
    si: (value, {unit}) => si(value, unit),
    binary: (value, {unit}) => [binary(value), unit].filter(Boolean).join(' '),
    percent: (value, {digits}) => percent(value, digits),
    list: value => value.join(', '),
};
function cellText(record, column) {
    const {key, format, units} = column, value = record[key], unit = units ? units[record.unit] : column.unit;
    if (value == null || value === 0)
        return '';
    return format ? FORMATS[format](value, {...column, unit}) : String(value);
}
