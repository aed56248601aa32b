// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "socket_peer.h"

#include <sys/socket.h>
#include <unistd.h>

int mpin_socket_peer_is_trusted(int descriptor, int64_t server_uid) {
    struct ucred peer;
    socklen_t length = sizeof peer;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0 || length != sizeof peer) return 0;
    return peer.uid == 0 || peer.uid == geteuid() || (int64_t)peer.uid == server_uid;
}
