/* SPDX-License-Identifier: BSD-3-Clause
 * What can be chosen, and the chips to choose it by. */

/* Everything that the files hold, and of it what is chosen at first. */
function firstChoice(report, allSeries) {
    const roofs = allSeries.flatMap(series => series.roofs), points = allSeries.flatMap(series => series.points);
    const needed = new Set([...roofs.map(roof => roof.type), ...points.map(point => point.type)]);
    const types = ['f64', 'f32', 'f16', 'bf16', 'i8'].filter(type => needed.has(type));
    const bandwidths = roofs.filter(roof => roof.kind === 'bandwidth'), {view} = report;
    const names = levelNames(allSeries), patterns = [...new Set(bandwidths.map(roof => roof.op))];
    const used = new Set(roofs.map(roof => roof.isa)), own = new Map(report.isas);
    const isas = [...own.keys(), ...[...used].filter(name => name && !own.has(name))].filter(name => used.has(name));
    return {
        report,
        levelNames: names,
        looks: [...new Set(report.machines.flatMap(machine => machine.points.map(groupOf)))],
        known: {
            isas: isas.map(name => [name, own.get(name) ?? name]),
            types,
            patterns,
            levels: names.filter(name => bandwidths.some(roof => roof.level === name)),
        },
        isas: new Set(['', ...isas.filter(name => !view.isa || name === view.isa)]),
        types: new Set([types.includes(view.type) ? view.type : types[0]]),
        levels: new Set(names),
        pattern: patterns.includes(view.pattern) ? view.pattern : '',
        perCycle: false,
        mixed: false,
        dram: view.dram,
    };
}

/* A box to tick, or one of several; returns its input. */
function addChip(parent, {text, checked, color, type = 'checkbox', name}, changed) {
    const chip = element(parent, 'label', {class: 'chip'}), input = element(chip, 'input', {type, name, value: text});
    const face = element(chip, 'span');
    if (color)
        element(face, 'i', {style: {'--color': color}});
    face.append(text);
    input.checked = checked;
    input.addEventListener('change', () => changed(input.checked));
    return input;
}

function addGroup(parent, title) {
    const group = element(parent, 'fieldset');
    element(group, 'legend', {}, title);
    return group;
}

/* A chip for each [name, text] that a set may have, unless there is nothing to choose from. */
function addSet(parent, title, entries, set, update, colorOf = () => null) {
    const group = entries.length > 1 && addGroup(parent, title);
    for (const [name, text] of group ? entries : [])
        addChip(group, {text, checked: set.has(name), color: colorOf(name)}, on => {
            set[on ? 'add' : 'delete'](name);
            update();
        });
}

/* Of more machines than there are colours one takes a colour that no other has that is shown, its own if it can. */
function takeColor(list, allSeries) {
    const others = allSeries.filter(series => series.shown && !list.includes(series));
    const taken = new Set(others.map(machineColor)), own = list[0].machineNumber;
    const colors = [own, ...Array(COLORS.machines).keys()], color = colors.find(c => !taken.has(machineColor({color: c}))) ?? own;
    list.forEach(series => series.color = color);
}

/* A machine's places; where there are several machines its name switches it off, and on as it was at first. Gives each
 * series a way to be shown or not. */
function addMachine(parent, list, allSeries, several, update) {
    const [first] = list, group = addGroup(parent, several ? '' : 'Threads');
    const isShown = () => list.some(series => series.shown), face = {text: first.label, color: machineColor(first)};
    const name = several && addChip(group.firstChild, {...face, checked: isShown()}, on => {
        list.forEach(series => series.set(on && series.place.shown));
        update();
    });
    for (const series of list) {
        const chip = addChip(group, {text: series.place.label, checked: series.shown}, on => {
            series.set(on);
            update();
        });
        series.set = on => {
            if (name && on && !isShown())
                takeColor(list, allSeries);
            chip.checked = series.shown = on;
            if (name) {
                name.checked = isShown();
                name.nextSibling.firstChild.style.setProperty('--color', machineColor(series));
            }
        };
    }
}

/* Of all machines that are shown: one core of each, or as many as there are. */
function addAlike(parent, lists, update) {
    const group = addGroup(parent, 'All that are shown');
    for (const [text, isBetter] of [['fewest threads', (a, b) => a < b], ['most threads', (a, b) => a > b]])
        element(group, 'button', {type: 'button'}, text).addEventListener('click', () => {
            for (const list of lists.filter(all => all.some(series => series.shown))) {
                const best = list.reduce((a, b) => isBetter(b.place.threads, a.place.threads) ? b : a);
                list.forEach(series => series.set(series === best));
            }
            update();
        });
}

function addPatterns(parent, choice, update) {
    const title = 'Access pattern', select = element(addGroup(parent, title), 'select', {'aria-label': title});
    for (const name of ['', ...choice.known.patterns])
        element(select, 'option', {value: name, selected: name === choice.pattern}, name || 'the best');
    select.addEventListener('change', () => {
        choice.pattern = select.value;
        update();
    });
}

function addUnits(parent, choice, update) {
    const group = addGroup(parent, 'Values');
    for (const [text, isPerCycle] of [['per second', false], ['per cycle', true]])
        addChip(group, {text, type: 'radio', name: 'unit', checked: choice.perCycle === isPerCycle}, () => {
            choice.perCycle = isPerCycle;
            update();
        });
}

/* Points that the files may hold, and that are not shown at first. */
function addExtras(parent, allSeries, choice, update) {
    const hasTraffic = point => point.flop_per_dram_byte > 0, extras = [
        ['mixed', 'mixed kernels', series => series.machine.validation.length > 0],
        ['dram', 'at flop per DRAM byte', series => !series.isOfTraffic && series.points.some(hasTraffic)],
    ].filter(([, , has]) => allSeries.some(has));
    const group = extras.length && addGroup(parent, 'Points');
    for (const [key, text] of extras)
        addChip(group, {text, checked: choice[key]}, on => {
            choice[key] = on;
            update();
        });
}

function addControls(parent, allSeries, choice, update) {
    const panel = element(parent, 'div', {class: 'controls'}), twice = name => [name, name], {known} = choice;
    const lists = choice.report.machines.map(machine => allSeries.filter(series => series.machine === machine));
    if (allSeries.length > 1)
        lists.forEach(list => addMachine(panel, list, allSeries, lists.length > 1, update));
    if (lists.length > 1)
        addAlike(panel, lists, update);
    addSet(panel, 'Instruction set', known.isas, choice.isas, update);
    addSet(panel, 'Type', known.types.map(twice), choice.types, update);
    const colorOf = name => levelColor(choice.levelNames.indexOf(name), choice);
    addSet(panel, 'Level', known.levels.map(twice), choice.levels, update, colorOf);
    if (known.patterns.length > 1)
        addPatterns(panel, choice, update);
    if (allSeries.some(series => series.roofs.some(roof => roof.per_cycle)))
        addUnits(panel, choice, update);
    addExtras(panel, allSeries, choice, update);
}
