// Locks between processes. Here because flock's constants are macros and waiting must end at a deadline.
#ifndef CMPINSYSTEM_LOCK_H
#define CMPINSYSTEM_LOCK_H

#include <stdint.h>

// Opens a lock file in a directory and takes its exclusive lock, waiting until `deadline_ns` of the monotonic clock.
// Locking needs no right to write; with `create` a missing file is made, 0600, and the errno of a failure to make it
// is the answer. A descriptor for mpin_lock_release; below zero -errno (-ETIMEDOUT at the deadline) or an MPIN_UNSAFE
// value.
int mpin_lock_take(int directory, const char *name, int create, int64_t deadline_ns);

// Unlocks and closes it, also where a child of the process still has the descriptor.
void mpin_lock_release(int lock);

#endif
