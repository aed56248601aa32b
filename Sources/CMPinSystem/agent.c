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
    // A socket is no file that can be opened. With anything else there, with "none", which is no path, and where others can
    // change a directory on the way, it says something else; it never returns a descriptor, for each file has a mode.
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
