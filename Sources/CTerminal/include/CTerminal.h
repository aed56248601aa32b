// SPDX-License-Identifier: Apache-2.0

// Signal handlers of a program with a terminal: exit on Ctrl-C, and a notice when a transfer takes long. In C, because
// only C defines what a signal handler may access. And input that the terminal does not show.
#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <signal.h>
#include <stdint.h>
#include <termios.h>

// The number of columns that a character takes, in any locale: the C library's own answer is for the current one.
int mpin_terminal_columns(uint32_t character);

// Installs handlers for SIGINT, SIGTERM and SIGHUP that write `words` to `descriptor` and exit with 128 plus the signal
// number. Ignored signals stay ignored.
void mpin_terminal_on_interrupt(int descriptor, const char *words);

// Installs handlers for these signals that exit with 0, for a program that runs until a signal ends it.
void mpin_terminal_end_on_interrupt(void);

// Sets the notice that is written to standard error once when a transfer lasts more than half a second.
void mpin_terminal_set_notice(const char *words);

// Called when a transfer begins (1) and ends (0): starts and stops the timer for the notice.
void mpin_terminal_watch_transfer(int begins);

// A terminal that does not show what the user types. Until mpin_hidden_end, signals that end or stop the program are
// blocked, so that the terminal is always restored.
struct mpin_hidden_input {
    int terminal;
    int is_begun;
    int is_hidden;
    struct termios found;
    sigset_t mask;
};

enum mpin_hidden_event {
    MPIN_HIDDEN_INPUT,  // there is input
    MPIN_HIDDEN_STOP,   // call mpin_hidden_stop, then ask again
    MPIN_HIDDEN_END,    // a signal that ends the program has arrived
};

// Hides the input, except its line feeds. Returns 0 if it is not a terminal, or cannot hide the input.
int mpin_hidden_begin(struct mpin_hidden_input *input, int terminal);

// Waits for one of the events.
enum mpin_hidden_event mpin_hidden_wait(const struct mpin_hidden_input *input);

// Shows the input and lets the signal of Ctrl-Z stop the process until SIGCONT. Returns whether the input is hidden again.
int mpin_hidden_stop(struct mpin_hidden_input *input);

// Takes a SIGINT that has arrived, for a program in which Ctrl-C cancels only the question.
void mpin_hidden_cancel(void);

// Shows the input again. A blocked signal that has arrived takes effect.
void mpin_hidden_end(struct mpin_hidden_input *input);

#endif
