/* SPDX-License-Identifier: BSD-3-Clause
 * The guide from a chosen point to its limit: which share of it the point reaches, and the time at the limit. The
 * data have the words and the keys of records: {ratio, whole, of: keys; label, below, above: texts}. */

/* Replaces {name} by the value of the name. */
function fillIn(text, values) {
    return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');
}

/* The height of a line at x, on logarithmic axes. */
function heightAt({x: [x0, x1], y: [y0, y1]}, x) {
    return y0 * (x / x0) ** (Math.log(y1 / y0) / Math.log(x1 / x0));
}

/* {y: the height of the limit, label: in the chart, text: below it} from a point's record; null if unknown. */
function guideOf(words, record, item) {
    const ratio = record?.[words?.ratio], whole = record?.[words?.whole];
    if (!words || item.hollow || !(ratio > 0) || !(whole > 0))
        return null;
    const values = {ratio: percent(ratio), of: record[words.of], whole: si(whole, 's'), there: si(whole * ratio, 's')};
    const text = fillIn(ratio < 1 ? words.below : words.above, values);
    return {y: item.y / ratio, label: fillIn(words.label, values), text};
}
