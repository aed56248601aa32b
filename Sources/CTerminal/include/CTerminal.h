// SPDX-License-Identifier: Apache-2.0

// Signal handlers of a program with a terminal: exit on Ctrl-C, and a notice when a transfer takes long. In C, because
// only C defines what a signal handler may access.
#ifndef CTERMINAL_H
#define CTERMINAL_H

// Installs handlers for SIGINT, SIGTERM and SIGHUP that write `words` to `descriptor` and exit with 128 plus the signal
// number. Ignored signals stay ignored.
void mpin_terminal_on_interrupt(int descriptor, const char *words);

// Sets the notice that is written to standard error once when a transfer lasts more than half a second.
void mpin_terminal_set_notice(const char *words);

// Called when a transfer begins (1) and ends (0): starts and stops the timer for the notice.
void mpin_terminal_watch_transfer(int begins);

#endif
