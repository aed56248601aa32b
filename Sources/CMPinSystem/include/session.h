// Login sessions, as systemd-logind keeps them. In C because the files are opened with flags that Swift has no names for
// without the C library.
#ifndef CMPINSYSTEM_SESSION_H
#define CMPINSYSTEM_SESSION_H

#include <stdint.h>

// Whether the login session of a process, 0 for this one, came over the network, by its audit session id: 1, 0, or -1 if
// unknown.
//
// at, cron and the service managers of users start processes in no session that logind knows. What such a process asks for
// its own user, who is given as `user`, came over the network if all sessions of that user did; -1 for no user.
int mpin_session_is_remote(int32_t pid, int64_t user);

#endif
