/* SPDX-License-Identifier: BSD-3-Clause
 * The machines' cards: what each is, under which conditions it was measured, and its levels. */

function memoryText(nodes) {
    const texts = nodes.map(node => `${binary(node.memory_bytes)} ${node.kind}`);
    return texts.length > 4 ? `${texts.length} × ${texts[0]}` : texts.join(', ');
}

function machineFacts({machine, environment, uarch, documented_sources: sources, file}) {
    const took = environment.elapsed_s;
    return [
        ['processor', machine.cpu.brand],
        ['microarchitecture', uarch],
        ['hypervisor', machine.cpu.hypervisor],
        ['cores', machine.core_count && `${machine.core_count} of ${machine.machine_core_count} usable`],
        ['packages', machine.package_count],
        ['memory', memoryText(machine.nodes.filter(node => node.memory_bytes > 0))],
        ['clock at rest', environment.rest_clock_hz && si(environment.rest_clock_hz, 'Hz')],
        ['governor', environment.governor],
        ['huge pages', environment.huge_pages],
        ['kernel', environment.kernel],
        ['microcode', environment.microcode],
        ['load before', environment.load_average && plain(environment.load_average)],
        ['measured', `${environment.started_utc}${took ? `, in ${si(took, 's')}` : ''}`],
        ['by', `carmine ${environment.version}`],
        ['command', environment.command_line],
        ['documented by', sources],
        ['file', file],
    ];
}

/* Each level of a series at its best: whatever else is chosen on the page. */
function levelRows(series, choice) {
    const isas = new Set(series.roofs.map(roof => roof.isa)), levels = new Set(choice.levelNames);
    const all = {...choice, isas, levels, perCycle: false, pattern: ''}, [peak] = allCeilings(series, all);
    const sizes = series.machine.levels.flat();
    const chases = series.machine.roofs.filter(r => r.kind === 'latency' && !r.small_pages);
    return findLevels(series, all).map(({name, roof}) => {
        const size = sizes.find(level => level.name === name), chase = chases.find(c => c.level === name);
        return [
            name,
            size?.effective_bytes ? binary(size.effective_bytes) : '',
            `${perSecond(roof)} ${roof.label}`,
            peak ? `${plain(peak.value / roof.value)} flop/B` : '',
            chase ? perSecond(chase) : '',
        ];
    });
}

function fillLevels(card, series, choice) {
    const table = element(element(card, 'div', {class: 'scroll'}), 'table');
    const head = element(element(table, 'thead'), 'tr'), body = element(table, 'tbody');
    const rows = levelRows(series, choice), titles = ['', 'size', 'bandwidth', 'ridge', 'latency'];
    const isUsed = (text, i) => rows.some(row => row[i]);
    for (const title of titles.filter(isUsed))
        element(head, 'th', {class: title && 'number', scope: 'col'}, title);
    for (const [name, ...cells] of rows.map(row => row.filter(isUsed))) {
        const row = element(body, 'tr');
        element(row, 'th', {scope: 'row'}, name);
        cells.forEach(text => element(row, 'td', {class: 'number'}, text));
    }
}

/* A card each; its levels are those of the first place that is shown. */
function showMachines(section, allSeries, choice) {
    section.hidden = false;
    section.querySelectorAll('article').forEach(card => card.remove());
    for (const machine of choice.report.machines) {
        const own = allSeries.filter(series => series.machine === machine), series = own.find(s => s.shown) ?? own[0];
        const card = element(section, 'article');
        element(card, 'h3', {}, series.label);
        if (machine.trust)
            element(card, 'p', {}, machine.trust.text);
        fillList(element(card, 'dl'), machineFacts(machine));
        if (series.roofs.length) {
            element(card, 'h4', {}, series.place.label);
            fillLevels(card, series, choice);
        }
        machine.notes.forEach(note => element(card, 'p', {class: 'doubt'}, `▲ ${note}`));
    }
}
