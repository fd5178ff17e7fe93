/* SPDX-License-Identifier: BSD-3-Clause
 * The roofline as a chart's content: all groups' lines and points, and axes that hold them. */

const CROWD = 3; /* more series than that have no room for labels along their lines */

function makeGroups(shown, choice) {
    return shown.map(series => {
        const ceilings = findCeilings(series, choice), levels = findLevels(series, choice), [peak] = ceilings;
        const top = peak ? valueOf(peak, choice) : Infinity, slopes = levels.map(level => valueOf(level.roof, choice));
        const ofType = roof => ceilings.find(other => other.type === roof.type); /* the highest one */
        return {
            series,
            single: shown.length === 1,
            crowded: shown.length > CROWD,
            levels,
            ceilings: shown.length === 1 ? ceilings : ceilings.filter(roof => ofType(roof) === roof),
            peak,
            top,
            reach: peak && slopes.length ? top / Math.min(...slopes) : 1,
        };
    });
}

/* Around the ridges, and wide enough for every point. */
function rooflineAxes(groups, points, choice) {
    const xs = points.map(point => point.x), ys = points.map(point => point.y);
    const slopes = groups.flatMap(group => group.levels.map(level => valueOf(level.roof, choice)));
    const heights = groups.flatMap(group => group.ceilings.map(roof => valueOf(roof, choice)));
    const top = Math.max(...[heights, ys, slopes].find(list => list.length) ?? [1]);
    const ridges = groups.flatMap(({levels, top: peak}) => levels.map(({roof}) => Math.min(peak, top) / valueOf(roof, choice)));
    if (ridges.length === 0)
        ridges.push(1);
    const left = Math.min(2 ** Math.floor(Math.log2(Math.min(0.25, ...ridges) / 16)), ...xs.map(x => x / 1.5));
    const right = Math.max(2 ** Math.ceil(Math.log2(Math.max(1, ...ridges) * 8)), ...xs.map(x => x * 1.5));
    const lowest = slopes.length ? Math.min(...slopes) * left * 2 : top / 1000;
    const bottom = Math.min(lowest, ...[...heights, ...ys].map(y => y / 1.5)), most = Math.max(top, ...ys);
    return {
        x: {range: [left, right], most: 1.5 * Math.max(...ridges, ...xs), kind: 'intensity', base: 2},
        y: {range: [bottom, 1.8 * most], most: 1.1 * most, divisor: choice.perCycle ? 1 : 1e9},
    };
}

function rooflineTitles(shown, choice) {
    const what = !choice.types.has('i8') ? 'flop' : choice.types.size > 1 ? 'flop or op' : 'op';
    const ofTraffic = shown.filter(series => series.isOfTraffic).length;
    const bytes = ofTraffic && ofTraffic === shown.length ? 'byte between caches and memory'
        : ofTraffic ? 'byte: of the core, or of DRAM where only that is known'
        : choice.dram ? 'byte: filled, of the core; outlined, of DRAM' : 'byte that the core asks for';
    const rate = choice.perCycle ? `${what} per cycle and core` : `G${what.replace('or ', 'or G')}/s`;
    return {x: `Intensity [${what} per ${bytes}]`, y: `Performance [${rate}]`};
}

function rooflineContent(allSeries, choice) {
    const content = {name: 'roofline', bands: [], lines: [], marks: [], points: []};
    const shown = allSeries.filter(series => series.shown);
    const groups = makeGroups(shown, choice), titles = rooflineTitles(shown, choice);
    for (const group of groups) {
        content.lines.push(...group.ceilings.map(roof => ceilingLine(group, roof, choice)).reverse());
        content.lines.push(...group.levels.map(level => levelLine(group, level, choice)));
        if (group.single && group.peak) {
            const wide = group.levels.filter(level => level.floor !== level.roof);
            content.bands = wide.map(level => levelBand(group, level, choice));
            content.marks = group.levels.map(level => ridgeMark(group, level, choice));
        }
        addPoints(content, group, choice);
        if (choice.mixed)
            addMixed(content, group, choice);
    }
    const {x, y} = rooflineAxes(groups, content.points, choice);
    return {...content, x: {...x, title: titles.x}, y: {...y, title: titles.y}};
}

/* How to read what is drawn. */
function rooflinePrint({bands, points}, allSeries, choice) {
    const shown = allSeries.filter(series => series.shown), ofTraffic = shown.filter(series => series.isOfTraffic).length;
    const ofCore = shown.length - ofTraffic, hasLevels = shown.some(series => findLevels(series, choice).length > 0);
    const [machines, all] = [shown, allSeries].map(list => new Set(list.map(series => series.machine)));
    const bytes = [
        ofCore && 'Bytes are those that the core asks for; write-allocate is not counted.',
        ofTraffic && (ofCore ? 'Where only memory traffic is known, they are those that pass between caches and memory.'
            : 'Bytes are those that pass between caches and memory.'),
        ofCore && choice.dram && 'Outlines: by the bytes that pass between caches and memory.',
    ];
    const band = bands.length ? ', and its band reaches down to the weakest' : '';
    return [
        ...bytes,
        machines.size < all.size && `Shown are ${machines.size} of ${all.size} machines.`,
        ofCore && hasLevels && `A level's roof is its best access pattern among those chosen${band}.`,
        ofCore && 'Values are of all threads together; per cycle, of one core at the clock under load.',
        points.length && 'Points: medians, with boxes from quartile to quartile and whiskers to the extremes, and how much ' +
            `they reach of the roof that fits ${ofCore ? 'their own code' : 'their traffic'}.`,
    ].filter(Boolean).join(' ');
}

/* What colours, styles and shapes mean: [{name, color, dash, shape}]. Where several share the chart, a series of points
 * is known by its shape alone. */
function rooflineLegend({lines}, allSeries, choice) {
    const shown = allSeries.filter(series => series.shown), single = shown.length < 2, ink = 'var(--ink)';
    const curves = lines.filter(line => line.legend).map(({legend, color, shape}) =>
        [legend, {name: legend, color: single ? color : ink, shape, isPoint: !single}]);
    const levels = choice.levelNames.map((name, i) => ({name, color: ink, dash: levelDash(i, choice)}));
    return [
        ...single ? [] : shown.map(series => ({name: series.name, color: machineColor(series)})),
        ...single ? [] : levels.filter(level => choice.levels.has(level.name)),
        ...new Map(curves).values(),
    ];
}
