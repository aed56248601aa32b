// SPDX-License-Identifier: Apache-2.0

// Transactions of libpam's as a program that logs people in makes them.
#ifndef PAM_PROBE_TRANSACTION_H
#define PAM_PROBE_TRANSACTION_H

#include <security/pam_appl.h>

// What to log in with, and where the answers come from. A PIN is read from its file when it is asked for and is never
// anywhere else in this program, so another component left behind whatever is found later.
struct login {
    const char *directory;  // of the services
    const char *service;
    const char *user;
    const char **pins;      // names of files; the last one answers whatever comes after it
    int pin_count;
};

// The conversation of one handle.
struct talk {
    const struct login *login;
    int asked;
    int is_quiet;
};

// Starts a handle that asks `talk` and does not wait after failures. NULL when that fails.
pam_handle_t *transaction_start(const struct login *login, struct talk *talk);

// A whole transaction: start, authenticate, account, credentials after a success, end. libpam's code of the login.
int transaction(const struct login *login);

// The name of a code of libpam's, as its headers spell it.
const char *code_name(int code);

#endif
