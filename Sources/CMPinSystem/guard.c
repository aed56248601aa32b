#define _GNU_SOURCE
#include "guard.h"

#include <pthread.h>
#include <stddef.h>
#include <sys/auxv.h>
#include <time.h>
#include <unistd.h>

static int pipe_pending(void) {
    sigset_t pending;
    return sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1;
}

void mpin_guard_enter(struct mpin_guard *guard) {
    // Faults of the program itself stay deliverable: blocked, they would kill the process without a word.
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
    sigset_t blocked;
    sigfillset(&blocked);
    for (size_t index = 0; index < sizeof faults / sizeof *faults; index++) sigdelset(&blocked, faults[index]);
    guard->pipe_was_pending = pipe_pending();
    pthread_sigmask(SIG_BLOCK, &blocked, &guard->mask);

    guard->environment = __environ;
    static char *empty[] = {NULL};
    if (getauxval(AT_SECURE) != 0) __environ = empty;
}

void mpin_guard_leave(struct mpin_guard *guard) {
    __environ = guard->environment;
    if (!guard->pipe_was_pending && pipe_pending()) {
        sigset_t only;
        sigemptyset(&only);
        sigaddset(&only, SIGPIPE);
        const struct timespec at_once = {0, 0};
        sigtimedwait(&only, NULL, &at_once);
    }
    pthread_sigmask(SIG_SETMASK, &guard->mask, NULL);
}
