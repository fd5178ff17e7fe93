/* SPDX-License-Identifier: BSD-3-Clause
 * The way from a chosen point to what bounds it: how much of it the point reaches, and the time that it would take there.
 * Words and the keys of records come with the data: {ratio, whole, of: keys; label, below, above: texts}. */

/* 'a {name}' with the value of the name. */
function fillIn(text, values) {
    return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');
}

/* Where a line is at x, on logarithmic axes. */
function heightAt({x: [x0, x1], y: [y0, y1]}, x) {
    return y0 * (x / x0) ** (Math.log(y1 / y0) / Math.log(x1 / x0));
}

/* {y: where that is, label: in the chart, text: below it} of a point's record; null where nothing is known. */
function guideOf(words, record, item) {
    const ratio = record?.[words?.ratio], whole = record?.[words?.whole];
    if (!words || item.hollow || !(ratio > 0) || !(whole > 0))
        return null;
    const values = {ratio: percent(ratio), of: record[words.of], whole: si(whole, 's'), there: si(whole * ratio, 's')};
    const text = fillIn(ratio < 1 ? words.below : words.above, values);
    return {y: item.y / ratio, label: fillIn(words.label, values), text};
}
