/* SPDX-License-Identifier: BSD-3-Clause
 * Elements of the page and its drawings, and downloads. */

const SVG = document.querySelector('svg').namespaceURI;

/* A new element at the end of its parent. */
function element(parent, name, attributes = {}, text) {
    const isDrawn = parent.namespaceURI === SVG || name === 'svg';
    const node = isDrawn ? document.createElementNS(SVG, name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes))
        if (key === 'style')
            Object.entries(value).forEach(([property, setting]) => node.style.setProperty(property, setting));
        else if (value != null && value !== false)
            node.setAttribute(key, value === true ? '' : value);
    if (text != null)
        node.textContent = text;
    parent.append(node);
    return node;
}

/* Fills a list with names and texts; skips empty texts. */
function fillList(list, entries) {
    list.replaceChildren();
    for (const [name, text] of entries.filter(([, text]) => text)) {
        element(list, 'dt', {}, name);
        element(list, 'dd', {}, text);
    }
}

/* Downloads a text as a file. */
function download(name, type, text) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], {type}));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
