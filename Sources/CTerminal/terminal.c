// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CTerminal.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

// Signal handlers get their data from static variables.
static char last_words[4096];
static int last_words_to = STDERR_FILENO;
static int exits_with_zero;
static char notice[512];

static void write_words(int descriptor, const char *words) {
    size_t length = strlen(words);
    while (length > 0) {
        ssize_t put = write(descriptor, words, length);
        if (put <= 0) return;
        words += put;
        length -= (size_t)put;
    }
}

static void end(int number) {
    write_words(last_words_to, last_words);
    _exit(exits_with_zero ? 0 : 128 + number);
}

static void say_notice(int number) {
    (void)number;
    int saved = errno;
    write_words(STDERR_FILENO, notice);
    notice[0] = '\0';
    errno = saved;
}

static void keep(char *place, size_t size, const char *words) {
    strncpy(place, words, size - 1);
    place[size - 1] = '\0';
}

// Unblocks a signal, because the parent process may have left it blocked. A signal that the parent ignores stays
// ignored.
static void let_through(int number) {
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, number);
    sigprocmask(SIG_UNBLOCK, &only, NULL);
}

void mpin_terminal_on_interrupt(int descriptor, const char *words) {
    last_words_to = descriptor;
    keep(last_words, sizeof last_words, words);
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = end};
    sigfillset(&action.sa_mask);
    for (size_t index = 0; index < sizeof signals / sizeof *signals; index++) {
        struct sigaction before;
        if (sigaction(signals[index], NULL, &before) == 0 && before.sa_handler == SIG_IGN) continue;
        sigaction(signals[index], &action, NULL);
        let_through(signals[index]);
    }
}

void mpin_terminal_end_on_interrupt(void) {
    exits_with_zero = 1;
    mpin_terminal_on_interrupt(STDERR_FILENO, "");
}

void mpin_terminal_set_notice(const char *words) {
    keep(notice, sizeof notice, words);
    struct sigaction action = {.sa_handler = say_notice, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
    let_through(SIGALRM);
}

void mpin_terminal_watch_transfer(int begins) {
    // Without a notice, mpin-agent uses this timer to limit the lifetime of this program. After the notice has been
    // written, the timer does not run.
    if (notice[0] == '\0') return;
    struct itimerval timer = {{0, 0}, {begins ? 1 : 0, 0}};
    setitimer(ITIMER_REAL, &timer, NULL);
}
