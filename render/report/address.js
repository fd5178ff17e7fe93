/* SPDX-License-Identifier: BSD-3-Clause
 * What the page shows, kept in the fragment of its address: a link shows what its sender saw, and back and forward go
 * through what was chosen. A part of it is {key, get(): its text, '' as at first, set(text)}; a text that a part does not
 * understand is as good as none. */

const REST_MS = 300; /* what rests so long is a step of the browser's history */
const NOTHING = '-', ANYTHING = '*';

function fragmentOf(parts) {
    return new URLSearchParams(parts.map(({key, get}) => [key, get()]).filter(([, text]) => text)).toString();
}

/* Sets all parts by the address, now and whenever it changes, and calls update(). Returns what is to be called when
 * anything may have changed. */
function keepInAddress(parts, update) {
    let timer = 0, last = '';
    const read = () => {
        const given = new URLSearchParams(location.hash.slice(1));
        clearTimeout(timer);
        parts.forEach(({key, set}) => set(given.get(key) ?? ''));
        update();
        clearTimeout(timer);
        last = fragmentOf(parts);
    };
    const write = () => {
        const now = fragmentOf(parts);
        if (now !== last)
            history.pushState(null, '', `${location.href.split('#')[0]}${now && '#'}${now}`);
        last = now;
    };
    addEventListener('hashchange', read);
    read();
    return () => {
        clearTimeout(timer);
        timer = setTimeout(write, REST_MS);
    };
}

/* Of a control: the values that are chosen. */
function controlPart({name, kind, options, first, chosen, sync}) {
    const isFirst = () => chosen.size === first.length && first.every(value => chosen.has(value));
    const isFine = values => kind === 'shown' || values.length === 1 || kind === 'some' && values.length > 0;
    return {
        key: name,
        get: () => isFirst() ? '' : [...chosen].map(value => value || ANYTHING).join() || NOTHING,
        set(text) {
            const asked = text.split(',').map(value => value === ANYTHING ? '' : value);
            const known = options.map(([value]) => value).filter(value => asked.includes(value));
            const values = text && (known.length || text === NOTHING) && isFine(known) ? known : first;
            chosen.clear();
            values.forEach(value => chosen.add(value));
            sync?.();
        },
    };
}

/* Of all series: the numbers of those that are shown. */
function seriesPart(series) {
    const atFirst = series.filter(one => one.shown).map(one => one.number);
    const shown = () => series.filter(one => one.shown).map(one => one.number);
    return {
        key: 'series',
        get: () => shown().join() === atFirst.join() ? '' : shown().join() || NOTHING,
        set(text) {
            const asked = text.split(',').map(Number), known = series.filter(one => text && asked.includes(one.number));
            const wanted = known.length || text === NOTHING ? known.map(one => one.number) : atFirst;
            for (const one of series.filter(each => each.set))
                one.set(false);
            for (const one of series.filter(each => each.set && wanted.includes(each.number)))
                one.set(true);
        },
    };
}

/* Of a chart, as makeChart() returns it: what was zoomed to, its axes, and what was chosen in it. */
function chartParts(name, view) {
    const numbers = ({x, y}) => [...x, ...y].map(value => Number(value.toPrecision(5)));
    return [
        {key: `${name}.axes`, get: () => view.isLinear() ? 'linear' : '', set: text => view.setLinear(text === 'linear')},
        {
            key: `${name}.view`,
            get: () => view.zoomed() ? numbers(view.zoomed()).join() : '',
            set(text) {
                const [x0, x1, y0, y1] = text.split(',').map(Number);
                view.ask([x0, x1, y0, y1].every(Number.isFinite) && x0 < x1 && y0 < y1 ? {x: [x0, x1], y: [y0, y1]} : null);
            },
        },
        {key: `${name}.at`, get: () => view.chosen(), set: text => view.choose(text)},
    ];
}

/* Of a table: its words, and the column that it is sorted by, falling with a minus. */
function tableParts(name, view) {
    return [
        {key: `${name}.filter`, get: () => view.filter(), set: text => view.setFilter(text)},
        {key: `${name}.sort`, get: () => view.sorted(), set: text => view.setSorted(text)},
    ];
}
