/* SPDX-License-Identifier: BSD-3-Clause
 * Special characters of XML. */
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
