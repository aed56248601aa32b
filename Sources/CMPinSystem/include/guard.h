// SPDX-License-Identifier: Apache-2.0

// The host process during a network transfer, or a call of a TPM. In C because the environment and the signal mask are
// process state that only C reaches without the C library's overlay.
#ifndef CMPINSYSTEM_GUARD_H
#define CMPINSYSTEM_GUARD_H

#include <signal.h>

struct mpin_guard {
    sigset_t mask;
    int pipe_was_pending;
    int hides_environment;
};

// Blocks every signal that can wait, so that no handler of the host runs on the module's thread and no time is lost. If
// the system marks the caller as untrusted (a set-uid host), it also shows an empty environment to libraries.
void mpin_guard_enter(struct mpin_guard *guard);

// Does the same for a library whose logging depends on the environment, even if the caller is trusted: the library logs
// nothing. Other threads see the environment with one more line, or an empty one if it is very large.
void mpin_guard_enter_mute(struct mpin_guard *guard);

// One signal that a system call of this thread may raise.
struct mpin_signal_hold {
    sigset_t mask;
    int signal;
    int was_pending;
};

// Blocks it, so that the call only fails with an errno.
void mpin_signal_hold(struct mpin_signal_hold *hold, int signal);

// Discards the signal if it was raised meanwhile, and restores the mask.
void mpin_signal_release(const struct mpin_signal_hold *hold);

// Restores everything, and discards a SIGPIPE that the transfer raised.
void mpin_guard_leave(struct mpin_guard *guard);

#endif
