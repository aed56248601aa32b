// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "guard.h"

#include <pthread.h>
#include <stddef.h>
#include <sys/auxv.h>
#include <time.h>
#include <unistd.h>

static int is_pending(int signal) {
    sigset_t pending;
    return sigpending(&pending) == 0 && sigismember(&pending, signal) == 1;
}

static sigset_t only(int signal) {
    sigset_t set = {0};
    sigaddset(&set, signal);
    return set;
}

static void take_away(int signal) {
    const sigset_t set = only(signal);
    const struct timespec at_once = {0, 0};
    sigtimedwait(&set, NULL, &at_once);
}

void mpin_signal_hold(struct mpin_signal_hold *hold, int signal) {
    const sigset_t set = only(signal);
    hold->signal = signal;
    hold->was_pending = is_pending(signal);
    pthread_sigmask(SIG_BLOCK, &set, &hold->mask);
}

void mpin_signal_release(const struct mpin_signal_hold *hold) {
    if (!hold->was_pending && is_pending(hold->signal)) take_away(hold->signal);
    pthread_sigmask(SIG_SETMASK, &hold->mask, NULL);
}

// A process has one environment and may be in several transfers at once: the first one hides it, the last one restores
// it. If each restored what it found, a later one would restore the empty environment permanently.
static pthread_mutex_t environment_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned transfers;
static char **environment;
static char *shown[512];

// A variable that libtss2 reads: without it, libtss2 would log to stderr, or to any file that the environment names.
static char mute[] = "TSS2_LOG=all+none";

static int is_set_uid(void) {
    return getauxval(AT_SECURE) != 0;
}

// Fills the replacement of the environment. The program's own variables follow the line above if they can be trusted:
// other threads of the program may read them meanwhile.
static void fill_shown(void) {
    size_t count = 0;
    shown[count++] = mute;
    for (char **entry = environment; !is_set_uid() && entry && *entry; entry++) {
        if (count == sizeof shown / sizeof *shown - 1) {
            count = 1;
            break;
        }
        shown[count++] = *entry;
    }
    shown[count] = NULL;
}

static void hide_environment(void) {
    pthread_mutex_lock(&environment_lock);
    if (transfers++ == 0) {
        environment = __environ;
        fill_shown();
        __environ = shown;
    }
    pthread_mutex_unlock(&environment_lock);
}

static void show_environment(void) {
    pthread_mutex_lock(&environment_lock);
    // Another thread that has set a variable meanwhile has made a copy, which contains both.
    if (--transfers == 0 && (is_set_uid() || __environ == shown)) __environ = environment;
    pthread_mutex_unlock(&environment_lock);
}

static void enter(struct mpin_guard *guard, int hides_environment) {
    // Signals for errors of the program itself stay deliverable: if they were blocked, they would kill the process
    // silently.
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
    sigset_t blocked;
    sigfillset(&blocked);
    for (size_t index = 0; index < sizeof faults / sizeof *faults; index++) sigdelset(&blocked, faults[index]);
    pthread_sigmask(SIG_BLOCK, &blocked, &guard->mask);
    // A signal that was not blocked has been delivered.
    guard->pipe_was_pending = sigismember(&guard->mask, SIGPIPE) == 1 && is_pending(SIGPIPE);

    guard->hides_environment = hides_environment;
    if (hides_environment) hide_environment();
}

void mpin_guard_enter(struct mpin_guard *guard) {
    enter(guard, is_set_uid());
}

void mpin_guard_enter_mute(struct mpin_guard *guard) {
    enter(guard, 1);
}

void mpin_guard_leave(struct mpin_guard *guard) {
    if (guard->hides_environment) show_environment();
    if (!guard->pipe_was_pending && is_pending(SIGPIPE)) take_away(SIGPIPE);
    pthread_sigmask(SIG_SETMASK, &guard->mask, NULL);
}
