#define _GNU_SOURCE
#include "socket_peer.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "CMPinSystem.h"

// A full queue of a busy server shows as EAGAIN on a socket that does not block.
static int connect_until(int descriptor, const struct sockaddr_un *address, int64_t deadline_ns) {
    while (connect(descriptor, (const struct sockaddr *)address, sizeof *address) != 0) {
        if (errno != EAGAIN && errno != EINTR) return -1;
        if (mpin_monotonic_ns() >= deadline_ns) return -1;
        mpin_pause_ns(2000000);
    }
    return 0;
}

int socket_peer_connect(const char *path, int64_t server_uid, int64_t deadline_ns) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) return -1;
    strcpy(address.sun_path, path);
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) return -1;
    struct ucred peer;
    socklen_t length = sizeof peer;
    if (connect_until(descriptor, &address, deadline_ns) != 0) {
        close(descriptor);
        return -1;
    }
    int known = getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0;
    if (known && (peer.uid == 0 || peer.uid == geteuid() || (int64_t)peer.uid == server_uid)) return descriptor;
    close(descriptor);
    return -2;
}
