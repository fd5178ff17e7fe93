/* SPDX-License-Identifier: BSD-3-Clause
 * The roofline's lines: ceilings and levels of a group, which is a series that is shown: {series, single, crowded,
 * levels, ceilings, peak, top: its height, reach: the outermost ridge}. A single group is coloured by level; of several
 * each has a colour, and a level is a style of line. */

const DASHES = [null, '7 4', '8 3 2 3', '4 2 2 2 2 2', '2 3']; /* the last is the memory's */
const COLORS = {levels: 4, machines: 8, programs: 5};
const FAR = 1e6; /* so much further than it is seen at first a line goes on, for those who move the chart */
const UNITS = {
    flop_per_s: ['flop/s', 'flop/cycle'],
    op_per_s: ['op/s', 'op/cycle'],
    bytes_per_s: ['B/s', 'B/cycle'],
    s: ['s', 'cycles'],
};

function machineColor(series) {
    return `var(--machine-${series.color % COLORS.machines})`;
}

function levelColor(index, choice) {
    return index === choice.levelNames.length - 1 ? 'var(--memory)' : `var(--level-${index % COLORS.levels})`;
}

/* The same, dark or light enough for letters. */
function forLetters(color) {
    return color.replace(')', '-text)');
}

function levelDash(index, choice) {
    return index === choice.levelNames.length - 1 ? DASHES.at(-1) : DASHES[index % (DASHES.length - 1)];
}

function perSecond(roof) {
    return si(roof.value, UNITS[roof.unit][0]);
}

function perCycle(roof) {
    return roof.per_cycle ? `${plain(roof.per_cycle)} ${UNITS[roof.unit][1]}` : '';
}

/* '109 Gflop/s · 32.1 flop/cycle' */
function bothRates(roof) {
    return [perSecond(roof), perCycle(roof)].filter(Boolean).join(' · ');
}

function doubtSign(item) {
    return item.doubts?.length ? ' ▲' : '';
}

function causes(item, {report}) {
    return (item.doubts ?? []).map(name => `${name}: ${report.doubts[name]?.cause}`);
}

/* How far its interval reaches beyond its value, the further side. */
function uncertainty(roof) {
    return roof.high ? Math.max(roof.high - roof.value, roof.value - roof.low) / roof.value : null;
}

/* What there is to know of a roof beyond its value. */
function roofRows(roof, series) {
    const data = `${binary(roof.working_set_bytes)} per thread, ${binary(roof.page_bytes)} pages`;
    const documented = `${plain(roof.documented_per_cycle ?? 0)} ${UNITS[roof.unit][1]}`;
    return [
        ['kernel', `${roof.name}${roof.variant ? ` (${roof.variant})` : ''}`],
        ['documented', roof.documented_ratio && `${documented}, reached to ${percent(roof.documented_ratio, 1)}`],
        ['where', `${series.label}: ${series.place.label}${roof.cpus ? `, CPUs ${roof.cpus}` : ''}`],
        ['data', roof.working_set_bytes && data],
        ['clock', roof.clock_hz && si(roof.clock_hz, 'Hz')],
        ['±', roof.high && percent(uncertainty(roof), 1)],
        ['spread', roof.spread && percent(roof.spread, 1)],
    ];
}

function ceilingLabel(group, roof, choice) {
    const type = choice.types.size > 1 ? ` ${roof.type}` : '', strong = roof === group.peak;
    if (group.single)
        return {text: `${roof.label}${type}`, more: `${bothRates(roof)}${doubtSign(roof)}`, strong, end: true};
    const more = choice.perCycle ? perCycle(roof) : perSecond(roof);
    return {text: `${shorten(group.series.name, 28)}: ${roof.label}${type}`, more, strong, end: true, column: true};
}

/* From where it meets the highest roof. */
function ceilingLine(group, roof, choice) {
    const {series, single, levels, peak, reach} = group, height = valueOf(roof, choice);
    const begin = levels.length ? height / Math.max(...levels.map(l => valueOf(l.roof, choice))) : reach / FAR;
    const color = single ? (roof === peak ? 'var(--ink)' : 'var(--faint)') : machineColor(series);
    return {
        name: `${series.name} ${roof.name}`,
        path: [[begin, height], [reach * FAR, height]],
        color,
        textColor: !single ? forLetters(color) : roof === peak ? color : 'var(--soft)',
        width: roof === peak ? 2.4 : 1.1,
        label: ceilingLabel(group, roof, choice),
        tell: () => ({
            title: `${roof.label} ${roof.type}`,
            value: bothRates(roof),
            rows: roofRows(roof, series),
            doubts: causes(roof, choice),
        }),
    };
}

function levelLabel({series, single, crowded}, {name, roof}, choice) {
    if (crowded)
        return null;
    if (single)
        return {text: `${name} ${roof.label}`, more: `${bothRates(roof)}${doubtSign(roof)}`, strong: true};
    const more = choice.perCycle ? perCycle(roof) : perSecond(roof);
    return {text: `${shorten(series.label, 18)} ${name}`, more, strong: true};
}

function tellLevel({series, top}, {name, roof, floor}, slope, choice) {
    return x => {
        const reached = choice.perCycle ? `${plain(x * slope)} flop/cycle` : si(x * slope, 'flop/s');
        return {
            title: `${name} ${roof.label}`,
            value: bothRates(roof),
            rows: [
                ['here', x * slope <= top && `${plain(x, 2)} flop/B allows ${reached}`],
                ['ridge', Number.isFinite(top) && `${plain(top / slope)} flop/B`],
                ['weakest', floor !== roof && `${floor.label}, ${bothRates(floor)}`],
                ...roofRows(roof, series),
            ],
            doubts: causes(roof, choice),
        };
    };
}

/* Up to the peak. */
function levelLine(group, level, choice) {
    const {series, single, top, reach} = group, slope = valueOf(level.roof, choice);
    const color = single ? levelColor(level.index, choice) : machineColor(series);
    const ridge = Math.min(top / slope, reach * FAR);
    return {
        name: `${series.name} ${level.name} ${level.roof.name}`,
        path: [[ridge / FAR, ridge / FAR * slope], [ridge, ridge * slope]],
        color,
        textColor: forLetters(color),
        width: 2.4,
        dash: single ? null : levelDash(level.index, choice),
        label: levelLabel(group, level, choice),
        tell: tellLevel(group, level, slope, choice),
    };
}

/* From a level's roof down to its weakest pattern, below the peak. */
function levelBand({top}, {index, roof, floor}, choice) {
    const high = valueOf(roof, choice), low = valueOf(floor, choice), end = top / low, begin = end / FAR;
    return {
        color: levelColor(index, choice),
        path: [[begin, begin * low], [begin, begin * high], [top / high, top], [end, top]],
    };
}

function ridgeMark({top}, {index, roof}, choice) {
    const ridge = top / valueOf(roof, choice);
    return {
        at: ridge,
        to: top,
        text: plain(ridge, 2),
        color: levelColor(index, choice),
        textColor: forLetters(levelColor(index, choice)),
    };
}
