// SPDX-License-Identifier: Apache-2.0

// Memory for secrets. In C because Swift has mmap's flags, and a wipe that the optimizer does not remove, only with the
// C library in the module.
#ifndef CMPINSYSTEM_SECRET_H
#define CMPINSYSTEM_SECRET_H

#include <stddef.h>

// Maps `size` zero bytes: excluded from core dumps, wiped in a forked child, locked into memory if RLIMIT_MEMLOCK
// allows it. Returns NULL if the mapping fails or cannot be excluded from dumps.
void *mpin_secret_map(size_t size);

// Wipes and unmaps memory from mpin_secret_map.
void mpin_secret_unmap(void *page, size_t size);

// Finds room for `wanted` zero bytes behind the `size` bytes of such a mapping, so that no other mapping is needed.
// Returns NULL if there is none.
void *mpin_secret_place(void *page, size_t size, size_t wanted);

// Wipes such a place and makes it free again.
void mpin_secret_leave(void *page, void *place, size_t size);

// Locks memory from mpin_secret_map, which ignores a failure to lock. Returns 0, or -errno.
int mpin_secret_lock(void *page, size_t size);

// Disables core dumps and ptrace of this process by users other than root. For our own programs only, never in the host
// process of the module. Returns 0, or -errno.
int mpin_process_deny_dumps(void);

// Overwrites memory with zeros; never optimized away.
void mpin_wipe(void *bytes, size_t count);

// Overwrites the stack below the caller and all call-used registers, where finished calculations may have left copies
// of secrets.
void mpin_wipe_stack(void);

#endif
