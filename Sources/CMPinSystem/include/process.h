// SPDX-License-Identifier: Apache-2.0

// Identification of processes, from /proc.
#ifndef CMPINSYSTEM_PROCESS_H
#define CMPINSYSTEM_PROCESS_H

#include <stdint.h>

// A process, identified by its id and start time, since ids are reused.
struct mpin_process {
    int32_t pid;
    uint64_t start;  // in clock ticks since boot; 0 where /proc does not tell
};

// Finds this process, and the one that serves this connection or terminal: the session leader, if all processes between
// it and this one run the same program, as the child that sshd forks for each keyboard-interactive attempt; otherwise
// this process.
void mpin_process_find(struct mpin_process *own, struct mpin_process *serving);

// Reads the beginning of a file in /proc/PID as text; 0 is this process. Returns 0 if that fails.
enum { MPIN_PROCESS_TEXT = 4096 };
int mpin_process_read(int32_t pid, const char *name, char text[MPIN_PROCESS_TEXT]);

// Returns the real user ID of a process; -1 if /proc does not show it.
int64_t mpin_process_real_uid(int32_t pid);

// Returns the parent of a process, 0 if it has none here, and the name of the process, which its user may have chosen;
// -1 if /proc does not show them.
enum { MPIN_PROCESS_NAME = 20 };
int32_t mpin_process_parent(int32_t pid, char name[MPIN_PROCESS_NAME]);

// Whether the process that connected to a Unix socket still runs: 1, 0, or -1 if the kernel cannot tell, before Linux
// 6.5. While it runs, its ID cannot be reused.
int mpin_process_peer_runs(int socket);

// Makes this process of root one of an account, with all groups of that account, for good: its real, effective and saved
// user ID change, and with them its permissions. Returns 0, or -errno; the caller then has to end.
int mpin_process_become(const char *account, uint32_t user, uint32_t group);

// Whether a process is still running.
int mpin_process_lives(struct mpin_process process);

// Whether a signal or a debugger has stopped a process.
int mpin_process_is_stopped(struct mpin_process process);

// To be called first in a program. If 0, 1 or 2 is closed, it is opened so that reading from it, or writing to it,
// fails. Otherwise the next opened file would get that number, and output for standard output would be written into it.
// Ends the process with 74 if that is impossible.
void mpin_standard_descriptors(void);

// Has a child process begin with no other descriptors than these. Returns 0, or an errno.
//
// actions: a posix_spawn_file_actions_t. Its header would move system types to this module for Swift.
int mpin_spawn_keep_standard(void *actions);

#endif
