// Which process serves a login. Here because the answers come from /proc.
#ifndef CMPINSYSTEM_PROCESS_H
#define CMPINSYSTEM_PROCESS_H

#include <stdint.h>

// A process for as long as it lives: numbers are used again, together with the time of start they are not.
struct mpin_process {
    int32_t pid;
    uint64_t start;  // in clock ticks since boot; 0 where /proc does not tell
};

struct mpin_process mpin_process_self(void);

// The process that serves the same connection or terminal as this one: the leader of its session where only copies of
// the same program lie between them, as with the child that sshd forks for each keyboard-interactive attempt; else
// this process itself.
struct mpin_process mpin_process_serving(void);

// Whether a process still runs.
int mpin_process_lives(struct mpin_process process);

#endif
