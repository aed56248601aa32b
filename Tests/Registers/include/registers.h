// SPDX-License-Identifier: Apache-2.0

// The content of the vector registers; tests look for secrets there.
#ifndef REGISTERS_H
#define REGISTERS_H

#include <stdint.h>

// Records the content of the vector registers, before anything else uses them.
void registers_take(void);

// A word of the last record; 0 past the end.
uint64_t registers_word(int number);

// How many words there are: two for each register.
int registers_count(void);

// Fills the registers with one word, as a calculation would.
void registers_fill(uint64_t word);

#endif
