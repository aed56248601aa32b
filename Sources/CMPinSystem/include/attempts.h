// SPDX-License-Identifier: Apache-2.0

// Notes of login attempts, stored beside the records. In C because they are empty files that are created, renamed and
// removed by single system calls, so that no lock is needed, which a stopped process could hold.
#ifndef CMPINSYSTEM_ATTEMPTS_H
#define CMPINSYSTEM_ATTEMPTS_H

#include <stddef.h>
#include <stdint.h>

#include "process.h"

// The counts of the notes of one registration.
struct mpin_attempt_counts {
    // Attempts in flight: of processes that still run, this one included.
    int in_flight;
    // Those of them that may stay in flight: their processes are stopped, or they have taken longer than a server takes.
    int stalled;
    // Attempts that the server has counted, or may have counted, without a response that names the tries left.
    int unresolved;
    // The lowest number of tries left that a response has named, or -1.
    int left;
    // `unresolved` and `left` of this process and others that serve the same connection, in the last ten minutes.
    int own_unresolved;
    int own_left;
};

// How an attempt ended.
enum mpin_attempt_end {
    MPIN_ATTEMPT_NOT_COUNTED,
    MPIN_ATTEMPT_MAYBE,   // perhaps counted
    MPIN_ATTEMPT_WRONG,   // counted
};

// This process, and the one that serves its connection.
struct mpin_attempt_caller {
    struct mpin_process process;
    struct mpin_process serving;
};

// One attempt of this process to log in with the registration that has this tag, and the second since boot when it began.
struct mpin_attempt {
    struct mpin_process serving;
    struct mpin_process process;
    uint32_t tag;
    uint32_t serial;
    int64_t second;
};

// Finds both processes, once for all the calls below.
void mpin_attempt_caller_find(struct mpin_attempt_caller *caller);

// A tag for the bytes of an M-Pin ID.
uint32_t mpin_attempt_tag(const uint8_t *bytes, size_t count);

// Opens the directory of an account's notes inside an opened store; with `create` it is created. Returns a descriptor,
// or below zero as in files.h.
int mpin_attempts_open(int store, const char *account, int create);

// Counts the notes of a registration. Returns 0, or below zero when they cannot be read.
int mpin_attempts_count(
    int directory, uint32_t tag, const struct mpin_attempt_caller *caller, struct mpin_attempt_counts *counts);

// Notes an attempt before it is made. Returns 0, or below zero when it cannot be noted.
int mpin_attempt_begin(
    int directory, uint32_t tag, const struct mpin_attempt_caller *caller, struct mpin_attempt *attempt);

// Notes how an attempt ended. `left` is below zero, unless the end is MPIN_ATTEMPT_WRONG and the response names the tries
// left: then it also resolves earlier attempts.
void mpin_attempt_end(int directory, const struct mpin_attempt *attempt, enum mpin_attempt_end end, int left);

// Removes the notes of a registration after a successful login, except for attempts in flight.
void mpin_attempts_clear(int directory, uint32_t tag, const struct mpin_attempt_caller *caller);

#endif
