/* SPDX-License-Identifier: BSD-3-Clause
 * Code that the program writes while it runs, page by page. A page whose code has copies is write-protected. The first
 * write to it faults; then its copies are no longer entered, and it becomes writable again. A page that cannot be
 * protected, or is written too often, is checked: its blocks are compared with the program at each entry, and end after
 * each store. All functions except written_is_checked() are called under the lock. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Reserves address space for the table. Call once, before all others. */
void written_prepare(void);

/* From now on the page of this address is known: code of this object, written by the program. `writable`: the program
 * may write to it without a system call first. `checked`: check it. */
void written_add(uint64_t address, uint32_t object, bool writable, bool checked);

/* The object of code at this address; 0: not a known page that the program writes. */
uint32_t written_object(uint64_t address);

/* Whether the page of this address is checked. Needs no lock. */
bool written_is_checked(uint64_t address);

/* Code at this address is about to be read: writes to its page are watched from now on. */
void written_watch(uint64_t address);

/* The same for the next page: an instruction at this address may cross into it. If the next page is checked, both
 * are. */
void written_watch_across(uint64_t address);

/* The block of this index, which begins at this address, is a copy of the code there. */
void written_own(uint64_t address, uint32_t block);

/* The pages between these addresses are about to change: their copies are no longer entered, and the program may write
 * to them again. */
void written_open(uint64_t low, uint64_t high);

/* Whether any page is or was watched. Needs no lock. */
bool written_any_watched(void);

/* The same as written_open(), and forgets the pages: their protection or mapping may change. */
void written_forget(uint64_t low, uint64_t high);

/* How to handle a fault on a write to an address, by code of a block in the program between `low` and `high`. */
enum written_fault {
    WRITTEN_NOT,   /* a fault of the program */
    WRITTEN_AGAIN, /* repeat the write */
    WRITTEN_LEAVE, /* repeat the write in a copy that ends after it: it may change its own block */
};
enum written_fault written_fault(uint64_t address, uint64_t low, uint64_t high);
