/* SPDX-License-Identifier: BSD-3-Clause
 * Controls, and the chips to choose by. A control is {name, title, kind, options: [[value, text, color]], chosen: a
 * set of values}. */

/* Adds a check box or radio button; returns its input. */
function addChip(parent, {text, checked, color, type = 'checkbox', name}, changed) {
    const chip = element(parent, 'label', {class: 'chip'}), input = element(chip, 'input', {type, name, value: text});
    const face = element(chip, 'span');
    if (color)
        element(face, 'i', {style: {'--color': color}});
    face.append(text);
    input.checked = checked;
    input.addEventListener('change', () => changed(input.checked, input));
    return input;
}

function addGroup(parent, title) {
    const group = element(parent, 'fieldset');
    element(group, 'legend', {}, title);
    return group;
}

/* Adds a chip for each value: of kind "one", one is chosen; of "some", at least one; else any number. */
function addChips(parent, control, update) {
    const {name, title, kind, options, chosen} = control;
    const group = addGroup(parent, title), type = kind === 'one' ? 'radio' : 'checkbox';
    for (const [value, text, color] of options)
        addChip(group, {text, type, name, checked: chosen.has(value), color: color && colorOf(color)}, (on, input) => {
            if (kind === 'one')
                chosen.clear();
            if (on)
                chosen.add(value);
            else if (kind === 'some' && chosen.size === 1)
                input.checked = true;
            else
                chosen.delete(value);
            update();
        });
}

/* Adds the chips of a result's series. With several results, the result's name switches all of them off, and on as
 * they were at first. Gives each series a function `set` that shows or hides it. */
function addSeries(parent, list, {several, words}, update) {
    const [first] = list, group = addGroup(parent, several ? '' : words.places), atFirst = list.filter(one => one.shown);
    const isShown = () => list.some(one => one.shown), face = {text: first.result.label, color: seriesColor(first)};
    const name = several && addChip(group.firstChild, {...face, checked: isShown()}, on => {
        list.forEach(one => one.set(on && (atFirst.length ? atFirst : list.slice(-1)).includes(one)));
        update();
    });
    for (const one of list) {
        const chip = addChip(group, {text: one.label, checked: one.shown}, on => {
            one.set(on);
            update();
        });
        one.set = on => {
            chip.checked = one.shown = on;
            if (name)
                name.checked = isShown();
        };
    }
}

/* Folds and unfolds the controls. */
function listenToFold(button, panel) {
    button.addEventListener('click', () => {
        panel.hidden = !panel.hidden;
        button.setAttribute('aria-expanded', !panel.hidden);
    });
}

/* The choices in one line; if there are many series, the legend names them instead. */
function choicesText({series, controls}) {
    const MANY = 3, shown = series.filter(one => one.shown), isUsed = ({options}) => options.length > 1;
    const textsOf = ({options, chosen}) => options.filter(([value]) => value && chosen.has(value)).map(([, text]) => text);
    const isAll = ({kind, options, chosen}) => kind === 'shown' && chosen.size === options.length;
    const names = series.length > 1 && shown.length <= MANY ? [shown.map(one => one.name).join(', ')] : [];
    return [...names, ...controls.filter(control => isUsed(control) && !isAll(control)).map(one => textsOf(one).join(', '))]
        .filter(Boolean).join(' · ');
}

/* Leaves out controls without a choice, except switches. */
function addControls(panel, report, update) {
    const {series, results, controls} = report;
    const lists = results.map(result => series.filter(one => one.result === result));
    if (series.length > 1)
        lists.forEach(list => addSeries(panel, list, report, update));
    for (const control of controls.filter(({options, kind, hides}) => options.length > (kind === 'shown' && !hides ? 0 : 1)))
        addChips(panel, control, update);
}
