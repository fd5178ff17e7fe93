/* SPDX-License-Identifier: BSD-3-Clause
 * Scales between values and pixels, and ticks: powers on a long logarithmic axis, else even steps. An axis is
 * {title, unit, divisor, base, range: [low, high]}. */

const LEAST_SPAN = {2: 8, 10: 20}; /* high / low, by base: a shorter logarithmic axis has even steps */

/* A logarithmic scale from one pixel to another. */
function makeScale([low, high], from, to) {
    const a = Math.log(low), perPixel = (Math.log(high) - a) / (to - from);
    return {at: value => from + (Math.log(value) - a) / perPixel, value: pixel => Math.exp(a + (pixel - from) * perPixel)};
}

function powerTicks([low, high], base, most) {
    const first = Math.floor(Math.log(low) / Math.log(base)), last = Math.ceil(Math.log(high) / Math.log(base));
    const powers = step => Array.from({length: Math.floor((last - first) / step) + 1},
        (_, i) => base ** (Math.floor(first / step) * step + i * step));
    const choices = base === 10 ? [powers(1).flatMap(p => [p, 2 * p, 5 * p]), powers(1).flatMap(p => [p, 3 * p])] : [];
    for (let step = 1; step < 64; step++)
        choices.push(powers(step));
    const inside = choices.map(list => list.filter(v => v >= low * (1 - 1e-9) && v <= high * (1 + 1e-9)));
    return inside.find(list => list.length <= most) ?? [];
}

/* The step is 1, 2 or 5 times a power of ten, in the unit of the labels. */
function evenTicks([low, high], unit, most) {
    const rough = (high - low) / unit / most, power = 10 ** Math.floor(Math.log10(rough));
    const step = power * [1, 2, 5, 10].find(n => n * power >= rough * (1 - 1e-9));
    const first = Math.ceil(low / unit / step - 1e-9), last = Math.floor(high / unit / step + 1e-9);
    const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    return Array.from({length: last - first + 1},
        (_, i) => ({value: (first + i) * step * unit, text: ((first + i) * step).toFixed(decimals)}));
}

/* The unit of the labels of a stretch of an axis, and its name: '' if the title has it. */
function unitOf(axis, high) {
    if (axis.unit === 'binary')
        return prefixOf(high, BINARY);
    if (axis.unit === 'seconds') {
        const [factor, prefix] = prefixOf(high, PREFIXES);
        return [factor, `${prefix}s`];
    }
    return [axis.divisor ?? 1, ''];
}

function tickText(axis, value) {
    return axis.unit === 'binary' ? binary(value) : axis.unit === 'seconds' ? si(value, 's')
        : axis.unit === 'fraction' ? fraction(value) : plain(value / (axis.divisor ?? 1));
}

function makeTicks(axis, most) {
    const {range} = axis, [low, high] = range, base = axis.base ?? 10;
    if (high / low >= LEAST_SPAN[base])
        return powerTicks(range, base, most).map(value => ({value, text: tickText(axis, value)}));
    const [unit, name] = unitOf(axis, high);
    return evenTicks(range, unit, most).map(({value, text}) => ({value, text: name ? `${text}${SPACE}${name}` : text}));
}
