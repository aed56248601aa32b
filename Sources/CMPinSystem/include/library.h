// SPDX-License-Identifier: Apache-2.0

// Shared libraries that are loaded with dlopen when their first function is needed. Linking them would cost every
// process that loads the module a millisecond, and not all hosts have all of them.
//
// A library's functions are listed once, each with the name of its member in the table:
//
//     #define LIBM(EACH) EACH(sine, sin) EACH(cosine, cos)
//     struct mpin_libm { LIBM(MPIN_LIBRARY_MEMBER) };
//     static struct mpin_libm table;
//     static struct mpin_library library = {
//         .file = "libm.so.6", .names = LIBM(MPIN_LIBRARY_NAME), .table = &table, .opening = PTHREAD_MUTEX_INITIALIZER};
//
// The library's own header declares each member, so that a prototype cannot differ from it.
#ifndef CMPINSYSTEM_LIBRARY_H
#define CMPINSYSTEM_LIBRARY_H

#include <pthread.h>

#define MPIN_LIBRARY_MEMBER(member, function) __typeof__(&function) member;
#define MPIN_LIBRARY_NAME(member, function) #function "\0"

struct mpin_library {
    const char *file;
    // The names of the functions in the order of the table, each ended by a NUL, the last by two.
    const char *names;
    // A struct with a pointer for each function and nothing else.
    void *table;
    // Called once when all functions have been found; returns 0, or an errno. May be NULL.
    int (*start)(void);
    // Held while the library is loaded. Each library has its own: if a process forks while another of its threads loads
    // libcurl, that mutex stays locked in the child, which may still need libcrypto.
    pthread_mutex_t opening;
    // Set when the table can be used.
    int is_open;
};

// Loads the library if it is not loaded yet, and fills the table. It stays loaded until the process ends: otherwise its
// exit handlers would outlive it, and other users of it in the host may rely on it. Any thread may call this. Returns
// 0, or the errno of the failure; the next call tries again.
int mpin_library_open(struct mpin_library *library);

// Checks for free memory before using a library that handles a lack of it badly: one that never retries a failed setup,
// or that leaves Swift without memory, which ends the process.

// Whether more memory can be mapped than a transfer or a signature needs. Returns 0, or an errno.
int mpin_memory_try(void);

// Memory that is reserved while such a library works and freed afterwards, for the code that runs next. NULL if it
// cannot be allocated.
void *mpin_reserve_take(void);
void mpin_reserve_give(void *reserve);

#endif
