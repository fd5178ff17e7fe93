/* SPDX-License-Identifier: BSD-3-Clause
 * The file of a node's result: FOLDER/NODE.json. */
#ifndef CARM_NODE_FILE_H
#define CARM_NODE_FILE_H

#include <stdbool.h>

#include "probe/error.h"

/* Whether there is a result, of a run that was not interrupted. */
bool node_file_is_there(const char *folder, const char *node);

/* Makes the folder, where it is missing. Error: cannot; it is no folder. */
bool node_file_folder(const char *folder, struct error *err);

enum node_file_end {
    NODE_FILE_KEPT,
    NODE_FILE_NONE,      /* the text is no result: err says why */
    NODE_FILE_UNWRITABLE /* err says why */
};

/* The result that came from the node, under the name that its engine has for it. */
enum node_file_end node_file_write(const char *folder, const char *node, const char *text, struct error *err);

#endif
