// Notes of login attempts, kept beside the records while they matter. Here because they are files without content, made,
// renamed and removed by single system calls: no lock is needed that a stopped process could hold.
#ifndef CMPINSYSTEM_ATTEMPTS_H
#define CMPINSYSTEM_ATTEMPTS_H

#include <stddef.h>
#include <stdint.h>

#include "process.h"

// What is noted for one registration.
struct mpin_attempt_counts {
    // Attempts that are being made now by living processes, this one's own included.
    int in_flight;
    // Attempts that may have been counted by the server and about which it has said nothing.
    int unresolved;
    // The fewest tries that the server has said to be left, or -1.
    int left;
    // The same three for this process and those that serve the same connection, in the last ten minutes.
    int own_unresolved;
    int own_left;
};

// How an attempt ended.
enum mpin_attempt_end {
    MPIN_ATTEMPT_NOT_COUNTED,
    MPIN_ATTEMPT_MAYBE,   // counted or not, or counted by a server that does not say what is left
    MPIN_ATTEMPT_WRONG,   // counted, and the server has said what is left
};

// One attempt of this process, at a registration that `tag` stands for.
struct mpin_attempt {
    struct mpin_process serving;
    struct mpin_process process;
    uint32_t tag;
    uint32_t serial;
};

// A tag for the bytes of an M-Pin ID.
uint32_t mpin_attempt_tag(const uint8_t *bytes, size_t count);

// Opens the directory of an account's notes inside an opened store, and makes it with `create`. A descriptor, or as in
// files.h.
int mpin_attempts_open(int store, const char *account, int create);

// Counts what is noted for a registration. 0, or below zero when that cannot be read.
int mpin_attempts_count(int directory, uint32_t tag, struct mpin_attempt_counts *counts);

// Notes that an attempt is about to be made. 0, or below zero when it cannot be noted.
int mpin_attempt_begin(int directory, uint32_t tag, struct mpin_attempt *attempt);

// Notes how it ended; `left` only with MPIN_ATTEMPT_WRONG, where it settles what was unresolved before.
void mpin_attempt_end(int directory, const struct mpin_attempt *attempt, enum mpin_attempt_end end, int left);

// Forgets all attempts at a registration but those being made: it has logged in.
void mpin_attempts_clear(int directory, uint32_t tag);

#endif
