/* SPDX-License-Identifier: BSD-3-Clause
 * Lines that the reader draws: {label, value, unit}. A chart's units are [name, factor, slope, the values it is of]; the
 * line is y = value × factor × x to the power of its slope. */

const MOST_OWN = 8, OWN_LETTERS = 40; /* an address holds them all */
const LEAST_VALUE = 1e-6, MOST_VALUE = 1e9; /* beyond these no axis can hold what else there is */

/* '100 GB/s name; …' and back. */
function ownText(list) {
    return list.map(({label, value, unit}) => `${value} ${unit} ${label}`).join(';');
}

function readOwn(text, units) {
    const list = text.split(';').map(part => /^(\S+) (\S+) (.+)$/.exec(part)).filter(Boolean)
        .map(([, value, unit, label]) => ({label: label.slice(0, OWN_LETTERS), value: Number(value), unit}));
    const isFine = ({value, unit}) => value >= LEAST_VALUE && value <= MOST_VALUE && units.some(([name]) => name === unit);
    return list.filter(isFine).slice(0, MOST_OWN);
}

/* As items of a chart's lines, which labels leave free. Those that rise end at the lid. */
function ownItems({own}, chart, {range: [low, high]}, values, lid) {
    const END = 1e6; /* times further, for those who move the chart */
    return own.flatMap(({label, value, unit}, i) => {
        const [, factor, slope, of] = chart.own.find(([name]) => name === unit);
        if (!values.has(of))
            return [];
        const x = [low / END, high * END], y = x.map(at => value * factor * at ** slope), more = `${plain(value)}${SPACE}${unit}`;
        const color = 'var(--magenta)', tip = {title: label, value: more, rows: [], doubts: []};
        return [{
            id: `own.${i}`, name: `own ${label}`, x, y, path: x.map((at, k) => [at, y[k]]), lid: slope ? lid : 0, color,
            textColor: 'var(--magenta-text)', width: 2, dash: '9 4', label: {text: label, more, strong: true, end: !slope, first: true},
            tip: () => tip, slope, clear: true, isOwn: true,
        }];
    });
}

/* A range that lets each line cross the chart. */
function withOwn([low, high], items, [left, right]) {
    const reach = items.map(({x: [x0], y: [y0], slope}) => [left, right].map(x => y0 * (x / x0) ** slope));
    return [Math.min(low, ...reach.map(([, end]) => end / 1.5)), Math.max(high, ...reach.map(([begin]) => begin * 1.5))];
}

/* The form, and the list of what was added, each with a button that takes it away. */
function makeOwn(form, report, units, update) {
    const list = form.querySelector('ul'), {elements} = form;
    const fill = () => {
        list.replaceChildren();
        list.hidden = report.own.length === 0;
        for (const one of report.own) {
            const entry = element(list, 'li', {}, `${one.label}, ${plain(one.value)}${SPACE}${one.unit}`);
            const away = element(entry, 'button', {type: 'button', 'aria-label': `Remove ${one.label}`}, '×');
            away.addEventListener('click', () => {
                report.own = report.own.filter(other => other !== one);
                fill();
                elements.label.focus();
                update();
            });
        }
    };
    for (const [unit] of units)
        element(elements.unit, 'option', {value: unit}, unit);
    form.addEventListener('submit', event => {
        const label = elements.label.value.replaceAll(';', ',').trim(), unit = elements.unit.value;
        event.preventDefault();
        report.own = [...report.own, ...readOwn(`${Number(elements.value.value)} ${unit} ${label}`, units)].slice(-MOST_OWN);
        form.reset();
        fill();
        elements.label.focus();
        update();
    });
    return {
        key: 'own',
        get: () => ownText(report.own),
        set(text) {
            report.own = readOwn(text, units);
            fill();
        },
    };
}
