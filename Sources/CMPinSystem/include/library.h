// Shared libraries that are opened with dlopen when their first function is needed. Linking them would cost every
// process that loads the module a millisecond, and hosts need not have all of them.
//
// A library's functions are listed once, each with the name of its member in the table:
//
//     #define LIBM(EACH) EACH(sine, sin) EACH(cosine, cos)
//     struct mpin_libm { LIBM(MPIN_LIBRARY_MEMBER) };
//     static struct mpin_libm table;
//     static struct mpin_library library = {
//         .file = "libm.so.6", .names = LIBM(MPIN_LIBRARY_NAME), .table = &table, .opening = PTHREAD_MUTEX_INITIALIZER};
//
// The library's own header gives each member its type, so that a prototype cannot differ from it.
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
    // Called once when all functions have been found; 0, or an errno. NULL for none.
    int (*start)(void);
    // Held while the library is being opened. Each has one of its own: a process that forks while another thread of it
    // starts libcurl has a copy of that mutex that stays locked, and needs libcrypto all the same.
    pthread_mutex_t opening;
    // Set when the table can be used.
    int is_open;
};

// Opens the library if it is not open yet, and fills the table. It stays open for the life of the process: its exit
// handlers would outlive it otherwise, and other users of it in the host may expect that. Any thread may call it.
// 0, or the errno of the failure; the next call tries again.
int mpin_library_open(struct mpin_library *library);

#endif
