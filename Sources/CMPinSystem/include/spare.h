// SPDX-License-Identifier: Apache-2.0

// Checks for free memory before using a library that handles a lack of it badly: one that never retries a failed setup,
// or that leaves Swift without memory, which ends the process.
#ifndef CMPINSYSTEM_SPARE_H
#define CMPINSYSTEM_SPARE_H

// Whether more memory can be mapped than a transfer or a signature needs. Returns 0, or an errno.
int mpin_memory_try(void);

// Memory that is reserved while such a library works and freed afterwards, for the code that runs next. NULL if it
// cannot be allocated.
void *mpin_reserve_take(void);
void mpin_reserve_give(void *reserve);

#endif
