/* SPDX-License-Identifier: BSD-3-Clause
 * Code that the program writes while it runs, page by page. A page whose code has copies is write-protected, so that
 * the first write to it comes here as a fault: its copies are entered no more, and it may be written again. Pages that
 * cannot be watched in this way, or are written too often, are checked: their blocks are compared with the program each
 * time they are entered, and end behind each store. All but written_is_checked() is called under the lock. */
#ifndef BENCH_COUNT_WRITTEN_H
#define BENCH_COUNT_WRITTEN_H

#include <stdbool.h>
#include <stdint.h>

/* Reserves address space for the table. To be called once, first. */
void written_prepare(void);

/* From now on the page of this address is one of those: code of this object, which the program may write to, or not
 * without a system call before. `checked`: it is to be checked. */
void written_add(uint64_t address, uint32_t object, bool writable, bool checked);

/* The object of code at this address; 0: the page is not known as one that the program writes. */
uint32_t written_object(uint64_t address);

/* Whether the page of this address is checked. Needs no lock. */
bool written_is_checked(uint64_t address);

/* Code at this address is about to be read: writes to its page are watched from now on. */
void written_watch(uint64_t address);

/* The same of the next page: an instruction at this address may lie in both, which are checked if that one is. */
void written_watch_across(uint64_t address);

/* The block of this index, which begins at this address, is a copy of code there. */
void written_own(uint64_t address, uint32_t block);

/* The pages between these addresses are about to change: no copy of code there is entered any more, and the program may
 * write to them as it could before. */
void written_open(uint64_t low, uint64_t high);

/* Whether there are pages that are watched, or were. Needs no lock. */
bool written_any_watched(void);

/* The same as written_open(), and what is known of the pages is forgotten: their protection may change, or what is
 * mapped. */
void written_forget(uint64_t low, uint64_t high);

/* What to do about a fault of the CPU that says that an address must not be written, by code of a block that lies in
 * the program between `low` and `high`. */
enum written_fault {
    WRITTEN_NOT,   /* it is the program's own */
    WRITTEN_AGAIN, /* the write can be made now */
    WRITTEN_LEAVE, /* so it can, but it may change the block that it is in: to be made in a copy that ends behind it */
};
enum written_fault written_fault(uint64_t address, uint64_t low, uint64_t high);

#endif
