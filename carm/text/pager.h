/* SPDX-License-Identifier: BSD-3-Clause
 * Long output in a terminal is shown by a pager: PAGER, else `less -FRX`, which ends at once if all fits one screen;
 * without either, direct output. No pager if standard output is no terminal. */
#pragma once

/* Sends further output through a pager until pager_end(). After an error the output is unchanged. */
void pager_begin(void);

/* Waits until the reader is done. A reader who leaves early is no error. Does nothing without a pager. */
void pager_end(void);
