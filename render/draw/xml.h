/* SPDX-License-Identifier: BSD-3-Clause
 * Characters that XML does not accept as they are. */
#ifndef RENDER_XML_H
#define RENDER_XML_H

/* "&amp;", for text and attributes; NULL: the character needs no replacement. */
const char *xml_entity(char character);

#endif
