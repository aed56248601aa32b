// SPDX-License-Identifier: Apache-2.0

// The check of the process at the other end of a Unix socket.
#ifndef CCURL_SOCKET_PEER_H
#define CCURL_SOCKET_PEER_H

#include <stdint.h>

// Whether the peer of a connected Unix socket (SO_PEERCRED) is root, the process's own user, or `server_uid`.
int mpin_socket_peer_is_trusted(int descriptor, int64_t server_uid);

#endif
