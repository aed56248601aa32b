// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CTerminal.h"

#include <errno.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

static sigset_t ending(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    sigaddset(&set, SIGQUIT);
    return set;
}

static int is_pending(int number) {
    sigset_t pending;
    return sigpending(&pending) == 0 && sigismember(&pending, number) == 1;
}

static int is_ending(void) {
    return is_pending(SIGINT) || is_pending(SIGTERM) || is_pending(SIGHUP) || is_pending(SIGQUIT);
}

// Returns whether the terminal hides the input now.
static int hide(struct mpin_hidden_input *input) {
    struct termios hidden = input->found;
    hidden.c_lflag &= ~(tcflag_t)ECHO;
    hidden.c_lflag |= ECHONL;
    input->is_hidden = tcsetattr(input->terminal, TCSAFLUSH, &hidden) == 0;
    return input->is_hidden;
}

static void show(struct mpin_hidden_input *input) {
    if (input->is_hidden) tcsetattr(input->terminal, TCSAFLUSH, &input->found);
    input->is_hidden = 0;
}

int mpin_hidden_begin(struct mpin_hidden_input *input, int terminal) {
    *input = (struct mpin_hidden_input){.terminal = terminal};
    if (tcgetattr(terminal, &input->found) != 0) return 0;
    sigset_t held = ending();
    sigaddset(&held, SIGTSTP);
    pthread_sigmask(SIG_BLOCK, &held, &input->mask);
    input->is_begun = 1;
    if (hide(input)) return 1;
    mpin_hidden_end(input);
    return 0;
}

enum mpin_hidden_event mpin_hidden_wait(const struct mpin_hidden_input *input) {
    while (!is_ending()) {
        if (is_pending(SIGTSTP)) return MPIN_HIDDEN_STOP;
        struct pollfd waiting = {.fd = input->terminal, .events = POLLIN};
        int ready = poll(&waiting, 1, 200);
        if (ready > 0) return MPIN_HIDDEN_INPUT;
        if (ready < 0 && errno != EINTR) break;
    }
    return MPIN_HIDDEN_END;
}

int mpin_hidden_stop(struct mpin_hidden_input *input) {
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, SIGTSTP);
    show(input);
    pthread_sigmask(SIG_UNBLOCK, &only, NULL);
    pthread_sigmask(SIG_BLOCK, &only, NULL);
    return hide(input);
}

void mpin_hidden_cancel(void) {
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, SIGINT);
    sigtimedwait(&only, NULL, &(struct timespec){0});
}

void mpin_hidden_end(struct mpin_hidden_input *input) {
    if (!input->is_begun) return;
    input->is_begun = 0;
    show(input);
    int has_come = is_ending();
    pthread_sigmask(SIG_SETMASK, &input->mask, NULL);
    // The parent process may have blocked it.
    sigset_t signals = ending();
    if (has_come) pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}
