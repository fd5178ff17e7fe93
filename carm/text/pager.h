/* SPDX-License-Identifier: BSD-3-Clause
 * Long output in a terminal goes through a pager: what PAGER names, else `less -FRX`, which ends by itself where all
 * fits into one screen; without either, as it is. Nothing of it where standard output is no terminal. */
#ifndef CARM_PAGER_H
#define CARM_PAGER_H

/* What is printed from here on goes through a pager, until pager_end(). Errors leave the output as it was. */
void pager_begin(void);

/* Waits until the reader is done; that they did not want all of it is no failure. Nothing where none was begun. */
void pager_end(void);

#endif
