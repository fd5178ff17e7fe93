/* SPDX-License-Identifier: BSD-3-Clause
 * Traffic between neighbours: boxes, and between two boxes an arrow in each direction, as thick as its bytes. They
 * are in a row on wide pages, in a column on narrow ones (report.css). {title, levels: names, links: [{name, share,
 * longest, inwards, outwards: {bytes, texts}}]} */

const THICKEST = 32, THINNEST = 1.5; /* pixels */

function addArrow(ways, direction, bytes, most) {
    if (bytes > 0)
        element(ways, 'i', {class: `arrow ${direction}`, style: {'--thick': `${Math.max(THINNEST, THICKEST * bytes / most)}px`}});
}

function addTexts(link, direction, {texts}) {
    const list = element(link, 'div', {class: direction});
    texts.forEach(text => element(list, 'span', {}, text));
}

function addLink(list, {name, share, longest, inwards, outwards}, most) {
    const link = element(list, 'li', {class: longest ? 'link longest' : 'link', 'aria-label': name});
    element(link, 'strong', {}, share);
    addTexts(link, 'inwards', inwards);
    const ways = element(link, 'div', {class: 'ways', 'aria-hidden': 'true'});
    addArrow(ways, 'inwards', inwards.bytes, most);
    addArrow(ways, 'outwards', outwards.bytes, most);
    addTexts(link, 'outwards', outwards);
}

/* Hides the figure if nothing is known. */
function showFlow(figure, flow) {
    figure.replaceChildren();
    figure.hidden = !flow;
    if (!flow)
        return;
    const list = element(figure, 'ol'), most = Math.max(...flow.links.flatMap(link => [link.inwards.bytes, link.outwards.bytes]));
    element(figure, 'figcaption', {class: 'small'}, flow.title);
    flow.levels.forEach((name, i) => {
        element(list, 'li', {class: 'level'}, name);
        if (flow.links[i])
            addLink(list, flow.links[i], most);
    });
}
