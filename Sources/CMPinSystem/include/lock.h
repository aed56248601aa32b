// SPDX-License-Identifier: Apache-2.0

// File locks between processes. In C because flock's constants are macros and waiting must end at a deadline.
#ifndef CMPINSYSTEM_LOCK_H
#define CMPINSYSTEM_LOCK_H

#include <stdint.h>

// Opens a lock file in a directory and takes its exclusive lock, waiting until `deadline_ns` on the monotonic clock.
// Locking needs no write permission. With `create` a missing file is created with mode 0600, and a failure to create it
// is returned. If the file was removed meanwhile, its name is opened again. Returns a descriptor for
// mpin_lock_release; below zero -errno (-ETIMEDOUT at the deadline) or an MPIN_UNSAFE value.
int mpin_lock_take(int directory, const char *name, int create, int64_t deadline_ns);

// Unlocks and closes it. The explicit unlock also takes effect where a child process has inherited the descriptor.
void mpin_lock_release(int lock);

#endif
