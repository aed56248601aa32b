// Identification of processes, from /proc.
#ifndef CMPINSYSTEM_PROCESS_H
#define CMPINSYSTEM_PROCESS_H

#include <stdint.h>

// A process, identified by its id and start time, since ids are reused.
struct mpin_process {
    int32_t pid;
    uint64_t start;  // in clock ticks since boot; 0 where /proc does not tell
};

struct mpin_process mpin_process_self(void);

// The process that serves this connection or terminal: the session leader, if all processes between it and this one run
// the same program, as the child that sshd forks for each keyboard-interactive attempt; otherwise this process.
struct mpin_process mpin_process_serving(void);

// Whether a process is still running.
int mpin_process_lives(struct mpin_process process);

#endif
