// Memory for secrets. Here because mmap's flags and a wipe that no optimiser removes are not to be had in Swift
// without importing the C library into the module.
#ifndef CMPINSYSTEM_SECRET_H
#define CMPINSYSTEM_SECRET_H

#include <stddef.h>

// Maps `size` bytes of zeroes of their own: kept out of core dumps, empty in a forked child, locked into memory where
// the process may lock. NULL when the kernel gives no memory or cannot keep it out of dumps.
void *mpin_secret_map(size_t size);

// Wipes and unmaps what mpin_secret_map gave.
void mpin_secret_unmap(void *page, size_t size);

// Locks what mpin_secret_map gave, or finds that it is locked: mpin_secret_map does without where it has to. 0, or -errno.
int mpin_secret_lock(void *page, size_t size);

// From here on this process leaves no core dump, and nobody but root looks into its memory. For programs that are
// their own master; never for a host that the module is a guest of. 0, or -errno of what could not be done.
int mpin_process_deny_dumps(void);

// Overwrites memory with zeroes; never optimised away.
void mpin_wipe(void *bytes, size_t count);

// Overwrites the stack below the caller and all registers that a call may use, where finished calculations left copies
// of what they worked on.
void mpin_wipe_stack(void);

#endif
