/* SPDX-License-Identifier: BSD-3-Clause
 * Characters of XML (see xml.h). */
#include "xml.h"

#include <stddef.h>

const char *xml_entity(char character) {
    switch (character) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    default:
        return NULL;
    }
}
