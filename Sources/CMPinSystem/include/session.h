// SPDX-License-Identifier: Apache-2.0

// Where the user of a process is, by the login sessions that systemd-logind records. In C because the files are opened
// with flags that Swift cannot name without the C library.
#ifndef CMPINSYSTEM_SESSION_H
#define CMPINSYSTEM_SESSION_H

#include <stdint.h>

enum mpin_place_kind {
    MPIN_PLACE_REMOTE,   // not known to be at this machine
    MPIN_PLACE_LOCAL,    // in a session at this machine
    MPIN_PLACE_OUTSIDE,  // in no session, as daemons are
};

enum { MPIN_PLACE_REASON = 80 };

// Where the user of a process is.
struct mpin_place {
    enum mpin_place_kind kind;
    char reason[MPIN_PLACE_REASON];  // why it is not local, as a clause of printable ASCII; empty if it is
};

// Finds where the user of a process is; 0 is this process.
//
// The session of a process is the one of its audit session ID, and the one of its control group. Each of them that
// logind knows must be at this machine. A process of a user's service manager is at this machine if all sessions of that
// user are, and there is at least one. `user` is the user that the manager must belong to; -1 for any.
//
// A session is at this machine only if a login program that serves a console or a local display has started it: many
// others, such as su and VNC servers, start sessions that logind does not call remote.
//
// A process that descends from a daemon that serves the network or runs jobs is not at this machine. Without logind, any
// other is.
struct mpin_place mpin_place_of(int32_t pid, int64_t user);

// Whether a terminal, with or without /dev/, is a console or a serial line of this machine.
int mpin_is_console(const char *terminal);

#endif
