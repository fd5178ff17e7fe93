/* SPDX-License-Identifier: BSD-3-Clause
 * The roofline's points: applications with their verdicts, and the kernels that the model was held against. */

function zoneOf({bound_by: bound}) {
    return bound && (bound === 'compute' ? 'compute-bound' : 'memory-bound');
}

/* The roof that it could reach after the one that binds it. */
function nextName({next}) {
    return next.level ?? next.roof;
}

function pointRows(point, series) {
    const {sources, flop_per_byte: core, flop_per_dram_byte: dram} = point;
    const from = source => source ? ` (${source})` : '';
    const quartiles = (point.seconds_quartiles ?? []).map(seconds => si(seconds, 's')).join(' to ');
    const bound = `${point.bound_by}, ${percent(point.ratio)} of ${si(point.attainable_flop_per_s, 'flop/s')}`;
    return [
        ['zone', zoneOf(point)],
        ['bound by', point.bound_by && bound],
        ['next', point.next && `${nextName(point)} allows ${si(point.next.flop_per_s, 'flop/s')}`],
        ['intensity', core && `${plain(core)} flop/B${from(sources.core_bytes)}`],
        ['of DRAM', dram && `${plain(dram)} flop/B${from(sources.dram_bytes)}`],
        ['time', point.seconds && `${si(point.seconds, 's')} (${counted(point.repetitions, 'run')})`],
        ['quartiles', quartiles],
        ['share', point.part !== 'program' && percent(point.time_share)],
        ['flop', `${si(point.flop, 'flop')}${from(sources.flop)}`],
        ['threads', point.threads],
        ['from', point.origin],
        ['where', `${series.label}: ${series.place.label}`],
    ];
}

/* Points of one look: of a series, else of a program. */
function groupOf(point) {
    return point.series || point.program;
}

/* What stands beside the point: of a series its size, since the legend says the rest. */
function pointLabel(point, all) {
    if (point.series) {
        const sizes = all.filter(other => other.series === point.series).map(other => other.size);
        return {text: `${sizeText(point.size, arePowersOfTwo(sizes))}${doubtSign(point)}`};
    }
    const name = shorten(point.region === point.program ? point.program : point.name, 28);
    return {text: `${name}${doubtSign(point)}`, more: point.bound_by && `${point.bound_by} ${percent(point.ratio)}`};
}

/* Parts of one program are as large as their share of its time. */
function radiusOf(point, all) {
    const isPart = p => p.part !== 'program' && p.program === point.program;
    const isSized = !point.series && point.time_share > 0 && all.filter(isPart).length > 1;
    return isSized ? Math.max(3.5, 9 * Math.sqrt(point.time_share)) : point.series ? 4 : 5;
}

function appPoint(point, {series, single}, look, choice) {
    const y = choice.perCycle ? point.per_cycle : point.flop_per_s, rate = si(point.flop_per_s, 'flop/s');
    const color = single ? `var(--program-${look % COLORS.programs})` : machineColor(series);
    return {
        name: `${series.name} ${point.name}`,
        x: point[series.intensity],
        y,
        xSpread: series.isOfTraffic ? null : point.x_spread,
        ySpread: point.y_spread?.map(value => value * y / point.flop_per_s),
        shape: look,
        radius: radiusOf(point, series.points),
        color,
        textColor: single ? color : forLetters(color),
        label: pointLabel(point, series.points),
        tell: () => ({
            title: point.name,
            value: point.per_cycle ? `${rate} · ${plain(point.per_cycle)} flop/cycle` : rate,
            rows: pointRows(point, series),
            doubts: causes(point, choice),
        }),
    };
}

/* At its flop per DRAM byte, joined to its point. */
function addOutline(content, drawn, x) {
    const {name, y, color, shape, tell} = drawn;
    content.points.push({name: `${name} DRAM`, x, y, color, shape, tell, hollow: true, radius: 4});
    content.lines.push({name: `${name} to DRAM`, path: [[drawn.x, y], [x, y]], color, dash: '2 3', tell});
}

/* Through the points of one series, from the smallest size on. */
function addSizes(content, points, drawn) {
    for (const name of new Set(points.map(point => point.series).filter(Boolean))) {
        const members = points.map((point, i) => ({size: point.size, at: drawn[i], is: point.series === name}));
        const ordered = members.filter(member => member.is).sort((a, b) => a.size - b.size).map(member => member.at);
        const path = ordered.map(({x, y}) => [x, y]), {color, shape, tell} = ordered[0];
        content.lines.push({name: `${ordered[0].name} series`, path, color, shape, legend: name, tell});
    }
}

function addPoints(content, group, choice) {
    const {series} = group, {looks} = choice;
    const hasPlace = p => p[series.intensity] > 0 && (choice.perCycle ? p.per_cycle : p.flop_per_s) > 0;
    const points = series.points.filter(p => hasPlace(p) && choice.types.has(p.type));
    const drawn = points.map(point => appPoint(point, group, looks.indexOf(groupOf(point)), choice));
    addSizes(content, points, drawn);
    content.points.push(...drawn);
    if (choice.dram && !series.isOfTraffic)
        points.forEach(({flop_per_dram_byte: x}, i) => x > 0 && addOutline(content, drawn[i], x));
}

/* Kernels of known intensity, with what min(π, I·β) says of them. */
function addMixed(content, {series, single}, choice) {
    for (const mixed of series.machine.validation) {
        const y = choice.perCycle ? mixed.per_cycle : mixed.flop_per_s, index = choice.levelNames.indexOf(mixed.level);
        if (mixed.threads !== series.place.threads || !choice.levels.has(mixed.level) || !(y > 0))
            continue;
        content.points.push({
            name: `${series.name} ${mixed.name} ${mixed.level}`,
            x: mixed.flop_per_byte,
            y,
            hollow: true,
            radius: 2.8,
            color: single ? levelColor(index, choice) : machineColor(series),
            tell: () => ({
                title: `${mixed.level} ${mixed.name}`,
                value: si(mixed.flop_per_s, 'flop/s'),
                rows: [
                    ['intensity', `${plain(mixed.flop_per_byte)} flop/B`],
                    ['model', si(mixed.model_flop_per_s, 'flop/s')],
                    ['off by', percent(mixed.deviation, 1)],
                ],
                doubts: causes(mixed, choice),
            }),
        });
    }
}
