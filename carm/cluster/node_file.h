/* SPDX-License-Identifier: BSD-3-Clause
 * The file of a node's result: FOLDER/NODE.json. */
#pragma once

#include <stdbool.h>

struct error;

/* Whether there is a complete result: its run was not interrupted. */
bool node_file_is_there(const char *folder, const char *node);

/* Makes the folder if it is missing. Error: it cannot be made; it is not a folder. */
bool node_file_folder(const char *folder, struct error *err);

enum node_file_end {
    NODE_FILE_KEPT,
    NODE_FILE_NONE,      /* the text is not a result: err has the reason */
    NODE_FILE_UNWRITABLE /* err has the reason */
};

/* Writes the node's result under the engine's name of the node. */
enum node_file_end node_file_write(const char *folder, const char *node, const char *text, struct error *err);
