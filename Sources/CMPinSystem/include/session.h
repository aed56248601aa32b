// SPDX-License-Identifier: Apache-2.0

// Login sessions, as recorded by systemd-logind. In C because the files are opened with flags that Swift cannot name
// without the C library.
#ifndef CMPINSYSTEM_SESSION_H
#define CMPINSYSTEM_SESSION_H

#include <stdint.h>

// Whether the login session of a process, 0 for this one, came over the network, by its audit session id: 1, 0, or -1 if
// unknown.
//
// at, cron and users' service managers start processes in no session that logind knows. A request of such a process for
// its own user, passed as `user`, counts as remote if all sessions of that user are remote; -1 for no user.
int mpin_session_is_remote(int32_t pid, int64_t user);

#endif
