// SPDX-License-Identifier: Apache-2.0

// Valgrind's client requests, which are macros. Here because Swift cannot call macros.
#ifndef CVALGRIND_H
#define CVALGRIND_H

#include <stddef.h>
#include <stdlib.h>

// Whether the process runs under valgrind's memcheck and this program was built with its header.
int mpin_under_memcheck(void);

// From now on memcheck reports every branch and every address that depends on these bytes.
void mpin_mark_secret(const void *_Nonnull bytes, size_t count);

// From now on memcheck reports every branch and every address that depends on these digits, of which only the lowest four bits are secret: the others are the same in all decimal digits.
void mpin_mark_digits(const void *_Nonnull digits, size_t count);

// From now on it does not.
void mpin_mark_public(const void *_Nonnull bytes, size_t count);

// Does nothing, which the optimizer cannot know: what leads to these bytes has to be calculated.
void mpin_keep(const void *_Nonnull bytes, size_t count);

// How many reports there are so far.
unsigned mpin_reports(void);

#endif
