// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "agent.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "files.h"

enum { greeting = 20 };

void mpin_agent_wait_for(int agent, int seconds) {
    const struct timeval limit = {.tv_sec = seconds};
    setsockopt(agent, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(agent, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

int mpin_agent_connect(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(path);
    if (length >= sizeof address.sun_path) return MPIN_AGENT_ABSENT;
    // Checks the path: the function reports a socket as a file of the wrong kind. It reports another error for any
    // other file, for "none", which is not a path, and if other users can change a directory on the path. It never
    // returns a descriptor, because every file has mode bits.
    if (mpin_path_open(path, ~0u, 0) != MPIN_UNSAFE_KIND) return MPIN_AGENT_ABSENT;
    memcpy(address.sun_path, path, length);
    int agent = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    mpin_agent_wait_for(agent, greeting);
    struct ucred peer;
    socklen_t size = sizeof peer;
    int result = MPIN_AGENT_FAILED;
    if (connect(agent, (const struct sockaddr *)&address, sizeof address) != 0) {
        if (errno == ECONNREFUSED) result = MPIN_AGENT_ABSENT;
    } else if (getsockopt(agent, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == 0) {
        return agent;
    }
    close(agent);
    return result;
}
