/* SPDX-License-Identifier: BSD-3-Clause
 * What XML does not take as it is. */
#ifndef RENDER_XML_H
#define RENDER_XML_H

/* "&amp;", for text and attributes; NULL: the character stands for itself. */
const char *xml_entity(char character);

#endif
