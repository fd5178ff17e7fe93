/* SPDX-License-Identifier: BSD-3-Clause
 * The visible chart as a picture: SVG, or a PNG of it. It has the page's heading, the legend and the notes around
 * it, and is self-contained: colours and letters by value. */

const LOOKS = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-opacity', 'stroke-linejoin',
    'opacity', 'paint-order', 'font-size', 'font-weight'];
const USUAL = {
    fill: 'rgb(0, 0, 0)', 'fill-opacity': '1', stroke: 'none', 'stroke-width': '1px', 'stroke-dasharray': 'none',
    'stroke-opacity': '1', 'stroke-linejoin': 'miter', opacity: '1', 'paint-order': 'normal', 'font-size': '12px',
    'font-weight': '400',
};
const PIXELS = 2; /* of a PNG per pixel of the page */

/* A copy with the style sheet's properties as attributes. */
function plainCopy(node) {
    const copy = node.cloneNode(true), of = root => [root, ...root.querySelectorAll('*')], originals = of(node);
    of(copy).forEach((part, i) => {
        const style = getComputedStyle(originals[i]);
        ['style', 'class', 'data-name'].forEach(name => part.removeAttribute(name));
        if (['g', 'clipPath', 'svg'].includes(part.localName))
            return;
        if (part.localName === 'text')
            part.setAttribute('xml:space', 'preserve');
        for (const look of LOOKS.filter(name => style.getPropertyValue(name) !== USUAL[name]))
            part.setAttribute(look, style.getPropertyValue(look));
    });
    return copy;
}

/* Words in lines of at most this width. */
function wrapText(text, width, size) {
    return text.split(' ').reduce((lines, word) => {
        const longer = [lines.at(-1), word].filter(Boolean).join(' ');
        return textWidth(longer, size) <= width ? [...lines.slice(0, -1), longer] : [...lines, word];
    }, ['']).filter(Boolean);
}

/* Adds lines of text below a height; returns the next height. */
function addText(picture, text, top, {size, color, bold, width}) {
    const lines = wrapText(text, width - 24, size), look = {'font-size': size, fill: color, 'font-weight': bold ? 700 : 400};
    lines.forEach((line, i) => element(picture, 'text', {x: 12, y: top + size + i * (size + 4), ...look}, line));
    return top + lines.length * (size + 4);
}

/* Adds the legend's entries in rows; returns the next height. */
function addLegend(picture, legend, top, {size, color, width}) {
    let x = 12, y = top;
    for (const entry of legend.children) {
        const wide = 34 + textWidth(entry.textContent, size) + 18, swatch = plainCopy(entry.querySelector('svg'));
        if (x > 12 && x + wide > width)
            [x, y] = [12, y + size + 6];
        const place = element(picture, 'g', {transform: `translate(${x} ${y + 2})`});
        place.append(...swatch.children);
        element(picture, 'text', {x: x + 32, y: y + size - 1, 'font-size': size, fill: color}, entry.textContent);
        x += wide;
    }
    return legend.children.length ? y + size + 8 : top;
}

/* {text, width, height} of a picture of the chart, with its title, text, legend and notes. */
function makePicture(chart) {
    const {svg, width, told: {title, about, section, notes}} = chart, picture = document.createElementNS(SVG, 'svg');
    const colors = getComputedStyle(section), ink = colors.color, soft = getComputedStyle(section.querySelector('.legend')).color;
    const ground = getComputedStyle(document.body).backgroundColor, small = {size: 12, color: ink, width};
    element(picture, 'title', {}, title);
    const back = element(picture, 'rect', {fill: ground});
    let y = addText(picture, title, 8, {size: 15, color: ink, bold: true, width});
    y = addText(picture, about, y + 2, {...small, color: soft}) + 4;
    y = addLegend(picture, section.querySelector('.legend'), y, small);
    const place = element(picture, 'g', {transform: `translate(0 ${y})`});
    place.append(...plainCopy(svg).children);
    y += chart.height + 4;
    for (const note of notes)
        y = addText(picture, note, y, small);
    const height = Math.ceil(y + 6);
    Object.entries({width, height}).forEach(([name, value]) => [back, picture].forEach(node => node.setAttribute(name, value)));
    const root = {viewBox: `0 0 ${width} ${height}`, role: 'img', 'font-family': fontFamily, 'font-size': USUAL['font-size']};
    Object.entries(root).forEach(([name, value]) => picture.setAttribute(name, value));
    return {text: new XMLSerializer().serializeToString(picture), width, height};
}

async function savePicture(chart, kind) {
    const {text, width, height} = makePicture(chart), name = `carmine-${chart.content.name}.${kind}`;
    if (kind === 'svg') {
        download(name, 'image/svg+xml', text);
        return;
    }
    const image = new Image(), canvas = document.createElement('canvas');
    image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
    await image.decode();
    canvas.width = PIXELS * width;
    canvas.height = PIXELS * height;
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob(blob => download(name, 'image/png', blob));
}
