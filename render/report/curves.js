/* SPDX-License-Identifier: BSD-3-Clause
 * Bandwidth or latency against size as a chart's content: the staircase. */

const CURVE_AXES = { /* by kind: per second, per cycle */
    bandwidth: [{title: 'Bandwidth [GB/s]', divisor: 1e9}, {title: 'Bandwidth [B per cycle and core]'}],
    latency: [{title: 'Latency of a load', kind: 'seconds'}, {title: 'Latency of a load [cycles]'}],
};

function curveName(curve, label) {
    const parts = [curve.kernel, counted(curve.threads, 'thread'), curve.core_kind, curve.small_pages && '4 KiB pages'];
    return `${label ? `${label}: ` : ''}${parts.filter(Boolean).join(', ')}`;
}

function curveLine(curve, label, style, choice) {
    const unit = curve.kind === 'latency' ? 's' : 'bytes_per_s', name = curveName(curve, label);
    const points = curve.points.filter(p => valueOf(p, choice) > 0);
    const distance = (p, x) => Math.abs(Math.log(p.working_set_bytes / x));
    return {
        name,
        ...style,
        width: 1.8,
        rings: true,
        path: points.map(p => [p.working_set_bytes, valueOf(p, choice)]),
        tell: x => {
            const near = points.reduce((best, p) => distance(p, x) < distance(best, x) ? p : best);
            return {
                title: `${binary(near.working_set_bytes)} per thread`,
                value: bothRates({...near, unit}),
                rows: [['curve', name], ['clock', near.clock_hz && si(near.clock_hz, 'Hz')]],
                doubts: causes(near, choice),
            };
        },
    };
}

/* Where each level ends, as detected and as the sweep found. */
function sizeMarks(levels, choice) {
    return levels.slice(0, -1).flatMap((level, i) => {
        const color = levelColor(i, choice), look = {high: true, color, textColor: forLetters(color)};
        const detected = `${level.name} ${binary(level.detected_bytes)}`, found = binary(level.effective_bytes);
        return level.disagrees ? [
            {...look, at: level.effective_bytes, text: `${level.name} ends near ${found}`},
            {...look, at: level.detected_bytes, text: `${detected} (detected)`},
        ] : [{...look, at: level.detected_bytes, text: detected}];
    });
}

/* Of the machines that are shown; no lines where there are no curves. */
function curvesContent(allSeries, choice, kind) {
    const shown = allSeries.filter(series => series.shown), several = choice.report.machines.length > 1;
    const machines = [...new Set(shown.map(series => series.machine))];
    const lines = machines.flatMap(machine => {
        const series = shown.find(s => s.machine === machine), label = several && series.label;
        const styleOf = i => several ? {color: machineColor(series), dash: DASHES[i % DASHES.length]}
            : {color: machineColor({color: i})};
        const curves = machine.curves.filter(curve => curve.kind === kind);
        return curves.map((curve, i) => curveLine(curve, label, styleOf(i), choice));
    }).filter(line => line.path.length > 1);
    const vertices = lines.flatMap(line => line.path), xs = vertices.map(([x]) => x), ys = vertices.map(([, y]) => y);
    return {
        name: kind,
        lines,
        bands: [],
        points: [],
        marks: machines.length === 1 ? sizeMarks(machines[0].levels[0], choice) : [],
        x: {title: 'Working set of one thread', kind: 'bytes', base: 2, range: [Math.min(...xs), Math.max(...xs)]},
        y: {...CURVE_AXES[kind][Number(choice.perCycle)], range: [Math.min(...ys) / 1.3, Math.max(...ys) * 1.5]},
    };
}
