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

/* Adds the chips of one result's series. */
function addSeries(parent, {series, words}, update) {
    const group = addGroup(parent, words.places);
    for (const one of series)
        addChip(group, {text: one.label, checked: one.shown}, on => {
            one.shown = on;
            update();
        });
}

/* Adds a chip for each of several results; many have a filter. */
function addResults(parent, {results, words}, update) {
    const MANY = 12, group = addGroup(parent, words.results), isMany = results.length > MANY;
    const filter = isMany && element(group, 'input', {type: 'search', placeholder: 'Filter', 'aria-label': `Filter ${words.results}`});
    const none = isMany && element(group, 'button', {type: 'button'}, 'none');
    const list = element(group, 'div', {class: 'list'});
    for (const result of [...results].sort((a, b) => b.first - a.first))
        result.chip = addChip(list, {text: result.label, checked: result.shown, color: 'rule'}, on => {
            result.shown = on;
            update();
        });
    filter && filter.addEventListener('input', () => results.forEach(({chip, label}) =>
        chip.parentNode.hidden = !label.toLowerCase().includes(filter.value.toLowerCase())));
    none && none.addEventListener('click', () => {
        results.forEach(result => result.shown = result.chip.checked = false);
        update();
    });
}

/* Gives the chips the present colours of their results. */
function colorChips({results}) {
    for (const result of results.filter(({chip, shown}) => chip && shown))
        result.chip.nextSibling.firstChild.style.setProperty('--color', seriesColor(result));
}

/* Folds and unfolds the controls; the chart takes the room that is left. */
function listenToFold(button, panel) {
    button.addEventListener('click', () => {
        panel.hidden = !panel.hidden;
        button.setAttribute('aria-expanded', !panel.hidden);
        dispatchEvent(new Event('resize'));
    });
}

/* The choices that the page's title names. */
function titleText({controls}) {
    return controls.filter(({titled}) => titled).flatMap(({options, chosen}) =>
        options.filter(([value]) => chosen.has(value)).map(([, text]) => text)).join(', ');
}

/* The choices in one line; if there are many series, the legend names them instead. */
function choicesText({several, series, controls}) {
    const MANY = 3, shown = series.filter(one => one.shown), isUsed = ({options}) => options.length > 1;
    const textsOf = ({options, chosen}) => options.filter(([value]) => value && chosen.has(value)).map(([, text]) => text);
    const isAll = ({kind, options, chosen}) => kind === 'shown' && chosen.size === options.length;
    const names = !several && series.length > 1 && shown.length <= MANY ? [shown.map(one => one.name).join(', ')] : [];
    return [...names, ...controls.filter(control => isUsed(control) && !isAll(control)).map(one => textsOf(one).join(', '))]
        .filter(Boolean).join(' · ');
}

/* Leaves out controls without a choice, except switches. */
function addControls(panel, report, update) {
    const {several, series, controls} = report;
    if (several)
        addResults(panel, report, update);
    else if (series.length > 1)
        addSeries(panel, report, update);
    for (const control of controls.filter(({options, kind, hides}) => options.length > (kind === 'shown' && !hides ? 0 : 1)))
        addChips(panel, control, update);
}
