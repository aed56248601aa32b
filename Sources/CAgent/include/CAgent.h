// SPDX-License-Identifier: Apache-2.0

// The system calls of mpin-agent: its listening socket, its workers, and one connection. In C because Swift reaches
// most of them only through the C library's overlay, and not their constants.
//
// A result below zero is a failure: -errno, unless stated otherwise.
#ifndef CAGENT_H
#define CAGENT_H

#include <stddef.h>
#include <stdint.h>

// The listener

// Listens on a socket file that every user may connect to. Only root, or the process's own user, may be able to change
// its directory. A file on which no process listens any more is replaced. Returns a descriptor, or an MPIN_UNSAFE
// value.
int mpin_agent_listen(const char *path);

// Returns the text of an errno value.
const char *mpin_agent_reason(int error);

// Returns the descriptor that systemd has passed to this process, -1 if it has passed none, -2 if it is not one
// suitable socket.
int mpin_agent_inherited(void);

// Blocks the signals that report the end of a worker, or that this process has to end. Returns a descriptor for them.
int mpin_agent_signals(void);

// Waits until there is a connection or a signal, at most this many milliseconds, or without a limit if the number is
// below zero. Returns what there is.
enum { MPIN_AGENT_CONNECTION = 1, MPIN_AGENT_SIGNAL = 2 };
int mpin_agent_wait(int listener, int signals, int milliseconds);

// Whether a received signal asks this process to end.
int mpin_agent_is_to_end(int signals);

struct mpin_agent_peer {
    uint32_t uid;
    int32_t pid;
};

// Whether a user ID is one of those that /etc/subuid gives to a user for containers. One user has many of them, and
// none of them is an account.
int mpin_agent_is_subordinate(uint32_t uid);

// Accepts a connection. Returns a descriptor, or -EAGAIN if there is none.
int mpin_agent_accept(int listener, struct mpin_agent_peer *peer);

// Starts this program again as a worker with this configuration file, or NULL for the standard one, the connection as
// descriptor 3, no environment and its own session. A silent worker does not log that it refuses the request. Returns
// the process ID.
int mpin_agent_start(int connection, const char *configuration, int is_silent);

// Closes a connection, after an optional last message, and never waits for the peer. Unread input is discarded before
// that message: otherwise the peer would receive an error instead of the message.
void mpin_agent_close(int connection, const void *bytes, size_t count);

// Returns the process ID of a worker that has ended, or 0, and its exit status, -1 if a signal has ended it.
int mpin_agent_reap(int *status);

// The exit status of a worker that has refused its request.
enum { MPIN_AGENT_REFUSED = 1 };

// The connection

enum { MPIN_AGENT_WORKER_SOCKET = 3 };

// Determines the process at the other end. Returns 0, or -ESRCH if that process has ended meanwhile.
int mpin_agent_peer_of(int connection, struct mpin_agent_peer *peer);

// Receives a message of at most this many bytes within a time. Returns its length; 0 at the end of the connection;
// -EMSGSIZE for a longer message; -ETIMEDOUT.
long mpin_agent_receive(int connection, void *bytes, size_t capacity, int milliseconds);

// Receives the answer to a prompt: its kind, and the secret into the caller's buffer. No message may have arrived
// before the prompt was sent. Returns MPIN_AGENT_TEXT or another kind, or MPIN_AGENT_NO_ANSWER for anything that is not
// an answer.
int mpin_agent_ask(
    int connection, const void *prompt, size_t length, uint8_t *secret, size_t capacity, size_t *count, int milliseconds);

// Sends a message. Returns 0.
int mpin_agent_send(int connection, const void *bytes, size_t count);

// Answers a prompt with a secret, or as empty if count is 0. Returns 0.
int mpin_agent_answer(int connection, const uint8_t *secret, size_t count);

// The process

// Makes the kernel end this process after this many seconds, whatever it waits for, and names it mpin-agent: a process
// started through /proc/self/exe would be listed as "exe".
void mpin_agent_begin_worker(unsigned seconds);

// Writes a line to syslog with the facility AUTHPRIV, as mpin-agent.
void mpin_agent_log(int priority, const char *line);

// Writes a line to standard output or standard error.
void mpin_agent_say(int is_error, const char *line);

#endif
