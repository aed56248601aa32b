// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "CAgent.h"
#include "CMPinSystem.h"

enum { nanoseconds_per_millisecond = 1000000 };

int mpin_agent_peer_of(int connection, struct mpin_agent_peer *peer) {
    struct ucred credentials;
    socklen_t length = sizeof credentials;
    if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) return -errno;
    *peer = (struct mpin_agent_peer){.uid = credentials.uid, .pid = credentials.pid};
    // A process of another PID namespace has the ID 0 here.
    if (credentials.pid <= 0) return 0;
    int runs = mpin_process_peer_runs(connection);
    if (runs < 0) runs = mpin_process_lives((struct mpin_process){.pid = credentials.pid});
    return runs ? 0 : -ESRCH;
}

// Waits until a message can be received. Returns 0 at the timeout.
static int wait_for_message(int connection, int milliseconds) {
    const int64_t end = mpin_monotonic_ns() + (int64_t)milliseconds * nanoseconds_per_millisecond;
    struct pollfd file = {.fd = connection, .events = POLLIN};
    for (;;) {
        int64_t left = (end - mpin_monotonic_ns()) / nanoseconds_per_millisecond;
        int count = poll(&file, 1, left > 0 ? (int)left : 0);
        if (count >= 0 || errno != EINTR) return count > 0;
    }
}

static long receive_parts(int connection, struct iovec *parts, size_t count, int milliseconds) {
    if (!wait_for_message(connection, milliseconds)) return -ETIMEDOUT;
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = count};
    ssize_t received = recvmsg(connection, &message, MSG_DONTWAIT);
    if (received < 0) return -errno;
    return message.msg_flags & (MSG_TRUNC | MSG_CTRUNC) ? -EMSGSIZE : received;
}

long mpin_agent_receive(int connection, void *bytes, size_t capacity, int milliseconds) {
    struct iovec part = {bytes, capacity};
    return receive_parts(connection, &part, 1, milliseconds);
}

int mpin_agent_ask(
    int connection, const void *prompt, size_t length, uint8_t *secret, size_t capacity, size_t *count, int milliseconds
) {
    *count = 0;
    // A message that came unrequested is not an answer to this prompt.
    if (wait_for_message(connection, 0) || mpin_agent_send(connection, prompt, length) != 0) return MPIN_AGENT_NO_ANSWER;
    uint8_t head[2] = {0};
    struct iovec parts[] = {{head, sizeof head}, {secret, capacity}};
    long received = receive_parts(connection, parts, 2, milliseconds);
    if (received < (long)sizeof head || head[0] != MPIN_AGENT_ANSWER) return MPIN_AGENT_NO_ANSWER;
    *count = (size_t)received - sizeof head;
    switch (head[1]) {
    case MPIN_AGENT_TEXT: return *count > 0 ? MPIN_AGENT_TEXT : MPIN_AGENT_NO_ANSWER;
    case MPIN_AGENT_EMPTY:
    case MPIN_AGENT_TOO_LONG: return *count == 0 ? head[1] : MPIN_AGENT_NO_ANSWER;
    default: return MPIN_AGENT_NO_ANSWER;
    }
}

int mpin_agent_send(int connection, const void *bytes, size_t count) {
    return send(connection, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? -errno : 0;
}

int mpin_agent_answer(int connection, const uint8_t *secret, size_t count) {
    uint8_t head[2] = {MPIN_AGENT_ANSWER, count > 0 ? MPIN_AGENT_TEXT : MPIN_AGENT_EMPTY};
    struct iovec parts[] = {{head, sizeof head}, {(void *)secret, count}};
    const struct msghdr message = {.msg_iov = parts, .msg_iovlen = count > 0 ? 2 : 1};
    return sendmsg(connection, &message, MSG_NOSIGNAL) < 0 ? -errno : 0;
}
