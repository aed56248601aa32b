// A connection to a local server's socket whose other end has been looked at.
#ifndef CCURL_SOCKET_PEER_H
#define CCURL_SOCKET_PEER_H

#include <stdint.h>

// Connects to a Unix socket and asks the kernel who listens there. A descriptor when it is root, the process's own
// user or `server_uid`; -1 when nobody listens before the deadline; -2 when somebody else does. No byte is sent.
int socket_peer_connect(const char *path, int64_t server_uid, int64_t deadline_ns);

#endif
