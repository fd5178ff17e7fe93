/* SPDX-License-Identifier: BSD-3-Clause
 * The report's data, and which roofs a choice shows. A series is a machine with a place on it: '64 cores'. A choice is
 * {isas, types, levels: sets of names, pattern, perCycle, mixed, dram, levelNames, looks: the groups of points, report}. */

/* {columns, rows} → objects. */
function untable({columns, rows}) {
    return rows.map(row => Object.fromEntries(columns.map((name, i) => [name, row[i]])));
}

/* All tables as the lists of objects that they are short for. */
function expand(report) {
    for (const machine of report.machines) {
        for (const name of ['roofs', 'points', 'validation'])
            machine[name] = untable(machine[name]);
        for (const curve of machine.curves)
            curve.points = untable(curve.points);
    }
    return report;
}

/* 'avx512.f64.fma' → ISA, type and operation; memory has no type, a chase no ISA either. */
function describeRoof(roof) {
    const parts = roof.name.split('.'), isa = parts.length > 1 ? parts[0] : '';
    return {...roof, isa, type: parts.length > 2 ? parts[1] : '', op: parts.at(-1)};
}

/* A file without roofs may hold points and curves all the same. */
function placesOf(machine) {
    return machine.places.length ? machine.places : [{label: 'no roofs', threads: 0, shown: true, roofs: []}];
}

/* Some know only what passes between caches and memory, such as a GPU's: then intensities are by those bytes. */
function describeSeries(series) {
    const bandwidths = series.roofs.filter(roof => roof.kind === 'bandwidth');
    const hasCoreBytes = bandwidths.some(roof => roof.op !== 'traffic') || series.points.some(p => p.flop_per_byte > 0);
    const isOfTraffic = !hasCoreBytes && bandwidths.length + series.points.length > 0;
    return {...series, isOfTraffic, intensity: isOfTraffic ? 'flop_per_dram_byte' : 'flop_per_byte'};
}

/* At first not more machines than stay readable. */
function makeSeries(report) {
    const MOST_AT_FIRST = 6, several = report.machines.length > 1;
    return report.machines.flatMap((machine, m) => {
        const roofs = machine.roofs.map(describeRoof), places = placesOf(machine);
        if (!places.some(place => place.shown))
            places.at(-1).shown = true;
        return places.map((place, p) => describeSeries({
            machine,
            place,
            label: machine.label,
            name: several ? `${machine.label}, ${place.label}` : place.label,
            shown: place.shown && m < MOST_AT_FIRST,
            machineNumber: m,
            color: several ? m : p,
            roofs: place.roofs.map(i => roofs[i]),
            points: machine.points.filter(point => point.place === p || point.place == null && place.shown),
        }));
    });
}

/* From the core outwards; memory of other kinds before the last. */
function levelNames(series) {
    const known = series.flatMap(s => s.machine.levels.flat().map(level => level.name));
    const measured = series.flatMap(s => s.roofs.map(roof => roof.level)).filter(Boolean);
    const all = [...new Set([...known, ...measured])], isCache = name => /^L\d$/.test(name);
    return [...all.filter(isCache).sort(), ...all.filter(name => !isCache(name)).sort().reverse()];
}

function valueOf(roof, choice) {
    return choice.perCycle ? roof.per_cycle ?? NaN : roof.value;
}

function highest(roofs, choice) {
    return roofs.reduce((best, r) => valueOf(r, choice) > (best ? valueOf(best, choice) : 0) ? r : best, null);
}

/* Each chosen level's best pattern, and the weakest one of the same ISA. Random lines, small pages and a memory's
 * traffic are no patterns of a band, but can be asked for. */
function findLevels(series, choice) {
    const isOther = op => op === 'random' || op === 'traffic' && !series.isOfTraffic;
    const isPattern = roof => roof.kind === 'bandwidth' && !roof.small_pages && choice.isas.has(roof.isa) &&
        (!isOther(roof.op) || roof.op === choice.pattern);
    return choice.levelNames.flatMap((name, index) => {
        const all = series.roofs.filter(roof => roof.level === name && isPattern(roof));
        const roof = highest(all.filter(r => !choice.pattern || r.op === choice.pattern), choice);
        if (!choice.levels.has(name) || !roof)
            return [];
        const alike = all.filter(r => r.isa === roof.isa && valueOf(r, choice) > 0);
        const floor = alike.reduce((low, r) => valueOf(r, choice) < valueOf(low, choice) ? r : low, roof);
        return [{name, index, roof, floor}];
    });
}

/* The chosen compute ceilings from the highest down. */
function allCeilings(series, choice) {
    return series.roofs.filter(roof => roof.kind === 'compute' && choice.isas.has(roof.isa) &&
        choice.types.has(roof.type) && valueOf(roof, choice) > 0)
        .sort((a, b) => valueOf(b, choice) - valueOf(a, choice));
}

/* Those worth a line of their own: of each type the best operation of each ISA, and the plain ones of the ISA that sets
 * the peak. What stands as high as another one does is drawn once. */
function findCeilings(series, choice) {
    const SAME_HEIGHT = 1.025, PLAIN = ['fma', 'add', 'mul', 'div', 'sqrt'];
    const all = allCeilings(series, choice), drawn = [];
    for (const roof of all) {
        const isBest = all.find(other => other.type === roof.type && other.isa === roof.isa) === roof;
        const peak = all.find(other => other.type === roof.type);
        const isHidden = drawn.some(other => other.type === roof.type &&
            valueOf(other, choice) < SAME_HEIGHT * valueOf(roof, choice));
        if ((isBest || PLAIN.includes(roof.op) && roof.isa === peak.isa) && !isHidden)
            drawn.push(roof);
    }
    return drawn;
}
