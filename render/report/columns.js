/* SPDX-License-Identifier: BSD-3-Clause
 * What stands in the tables of roofs and applications. */

function number(value) {
    return value == null ? '' : plain(value);
}

/* 'L2 3.4 ×': what lies above, and how much more that allows. */
function nextText({next, attainable_flop_per_s: attainable}) {
    return next ? `${next.level ?? next.roof} ${plain(next.flop_per_s / attainable, 2)}${SPACE}×` : '';
}

const ROOF_COLUMNS = [
    {title: 'kernel', key: r => r.name, text: r => r.name},
    {title: 'level', key: r => r.level, text: r => r.level ?? ''},
    {title: 'machine', key: r => r.machine, text: r => r.machine},
    {title: 'place', key: r => r.threads, text: r => r.place},
    {title: 'measured', key: r => r.value, text: perSecond, number: true},
    {title: 'per cycle', key: r => r.per_cycle, text: perCycle, number: true},
    {title: 'documented', key: r => r.documented_per_cycle, text: r => number(r.documented_per_cycle), number: true},
    {title: 'ratio', key: r => r.documented_ratio, text: r => percent(r.documented_ratio, 1), number: true},
    {title: 'clock', key: r => r.clock_hz, text: r => r.clock_hz ? si(r.clock_hz, 'Hz') : '', number: true},
    {title: '±', key: uncertainty, text: r => r.high ? percent(uncertainty(r), 1) : '', number: true},
    {title: 'spread', key: r => r.spread, text: r => r.spread ? percent(r.spread, 1) : '', number: true},
    {title: 'data', key: r => r.working_set_bytes, text: r => binary(r.working_set_bytes), number: true},
    {title: 'doubts', key: r => r.doubts.join(), text: r => r.doubts.join(', '), look: 'doubt'},
];

const POINT_COLUMNS = [
    {title: 'application', key: p => p.name, text: p => p.name},
    {title: 'machine', key: p => p.machine, text: p => p.machine},
    {title: 'threads', key: p => p.threads, text: p => p.threads || '', number: true},
    {title: 'time', key: p => p.seconds, text: p => si(p.seconds, 's'), number: true},
    {title: 'flop', key: p => p.flop, text: p => si(p.flop, 'flop'), number: true},
    {title: 'flop/B', key: p => p.flop_per_byte, text: p => number(p.flop_per_byte), number: true},
    {title: 'flop/DRAM B', key: p => p.flop_per_dram_byte, text: p => number(p.flop_per_dram_byte), number: true},
    {title: 'reached', key: p => p.flop_per_s, text: p => si(p.flop_per_s, 'flop/s'), number: true},
    {title: 'bound by', key: p => p.bound_by, text: p => p.bound_by ?? ''},
    {title: 'of it', key: p => p.ratio, text: p => percent(p.ratio), number: true},
    {title: 'next roof', key: p => p.next?.flop_per_s, text: nextText},
    {title: 'doubts', key: p => p.doubts.join(), text: p => p.doubts.join(', '), look: 'doubt'},
];

/* What is chosen of all roofs. */
function listRoofs(allSeries, {isas, types, levels}) {
    const isOfKind = roof => roof.kind === 'compute' ? types.has(roof.type) : levels.has(roof.level);
    const isChosen = roof => isas.has(roof.isa) && isOfKind(roof);
    return allSeries.filter(series => series.shown).flatMap(({roofs, label, place}) =>
        roofs.filter(isChosen).map(roof => ({...roof, machine: label, place: place.label})));
}

function listPoints(allSeries) {
    return allSeries.filter(series => series.shown).flatMap(({points, label}) =>
        points.map(point => ({...point, machine: label})));
}

function verdicts(points, several) {
    const nameOf = point => several ? `${point.name}, ${point.machine}` : point.name;
    return points.filter(point => point.verdict).map(point => [nameOf(point), `${point.verdict}.`]);
}

/* The doubts of all that is listed, and what to do. */
function remedies(records, {doubts}) {
    const names = [...new Set(records.flatMap(record => record.doubts))].filter(name => doubts[name]);
    return names.map(name => [`▲ ${name}`, `${doubts[name].cause}. Remedy: ${doubts[name].remedy}.`]);
}
