/* SPDX-License-Identifier: BSD-3-Clause
 * Characters that XML does not accept as they are. */
#pragma once

/* "&amp;", for text and attributes; NULL: the character needs no replacement. */
const char *xml_entity(char character);
