// What a program owes the person who waits for it: an end at once on Ctrl-C, and a word when it takes long. Here because
// what a signal handler may touch can only be said in C.
#ifndef CTERMINAL_H
#define CTERMINAL_H

// From now on SIGINT, SIGTERM and SIGHUP end the program at once: `words` are written to `descriptor`, and it exits with
// 128 and the signal's number. Signals that the caller ignores stay ignored.
void terminal_on_interrupt(int descriptor, const char *words);

// What stands on standard error, once, when a transfer lasts for more than half a second.
void terminal_set_notice(const char *words);

// Is told when a transfer begins (1) and ends (0).
void terminal_watch_transfer(int begins);

#endif
