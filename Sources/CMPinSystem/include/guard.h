// The host process around a network transfer, or a call of a TPM. Here because the environment and the signal mask are process state that
// only C reaches without the C library's overlay.
#ifndef CMPINSYSTEM_GUARD_H
#define CMPINSYSTEM_GUARD_H

#include <signal.h>

struct mpin_guard {
    sigset_t mask;
    int pipe_was_pending;
    int hides_environment;
};

// Blocks every signal that can wait, so that no handler of the host runs on a thread of ours and no time is lost; and
// where the system marks the caller as not to be trusted (a set-uid host), shows an empty environment to the libraries
// that read it.
void mpin_guard_enter(struct mpin_guard *guard);

// The same for a library that logs as the environment says, also where the caller may be trusted: it logs nothing. Other
// threads see the environment with one line more, or empty where it is very large.
void mpin_guard_enter_mute(struct mpin_guard *guard);

// One signal that a system call of this thread may raise.
struct mpin_signal_hold {
    sigset_t mask;
    int signal;
    int was_pending;
};

// Blocks it, so that the call fails with an errno and nothing more happens.
void mpin_signal_hold(struct mpin_signal_hold *hold, int signal);

// Takes away the one that was raised meanwhile, and puts the mask back.
void mpin_signal_release(const struct mpin_signal_hold *hold);

// Puts everything back, and takes away a SIGPIPE that the transfer raised.
void mpin_guard_leave(struct mpin_guard *guard);

#endif
