// Who listens at the other end of a connection to a local server's socket.
#ifndef CCURL_SOCKET_PEER_H
#define CCURL_SOCKET_PEER_H

#include <stdint.h>

// Whether the kernel says that the peer of a connected Unix socket is root, the process's own user, or `server_uid`.
int socket_peer_is_trusted(int descriptor, int64_t server_uid);

#endif
