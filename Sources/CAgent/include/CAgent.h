// The system calls of mpin-agent: its listening socket, the workers that it starts, and one connection. In C because
// Swift reaches most of them only through the C library's overlay, and not their constants.
//
// A result below zero is a failure: -errno, unless something else is said.
#ifndef CAGENT_H
#define CAGENT_H

#include <stddef.h>
#include <stdint.h>

// The listener

// Listens on a socket file that every user may connect to. Its directory must be one that nobody but root, or the
// process's own user, can change; a file on which nobody listens any more is replaced. Returns a descriptor, or an
// MPIN_UNSAFE value.
int mpin_agent_listen(const char *path);

// The descriptor that systemd has passed to this process, -1 where it has passed none, -2 where it is no socket of ours.
int mpin_agent_inherited(void);

// Has signals wait that say that a worker has ended, or that this process is to end. Returns a descriptor for them.
int mpin_agent_signals(void);

// Waits until there is a connection or a signal, at most so many milliseconds, or for ever where that is below zero.
// Returns what there is.
enum { MPIN_AGENT_CONNECTION = 1, MPIN_AGENT_SIGNAL = 2 };
int mpin_agent_wait(int listener, int signals, int milliseconds);

// Whether a signal that came asks this process to end.
int mpin_agent_is_to_end(int signals);

struct mpin_agent_peer {
    uint32_t uid;
    int32_t pid;
};

// Whether a user ID is one of those that /etc/subuid gives to a user for containers: one person has many of them, and no
// account is among them.
int mpin_agent_is_subordinate(uint32_t uid);

// Accepts a connection. Returns a descriptor, -EAGAIN where there is none.
int mpin_agent_accept(int listener, struct mpin_agent_peer *peer);

// Starts this program again with these arguments (the last is NULL), the connection as descriptor 3, no environment and
// a session of its own. Returns its process id.
int mpin_agent_start(int connection, const char *const *arguments);

// Closes a connection, after a last message to it where there is one, and never waits for its peer. What came meanwhile
// is thrown away before that message: unread, it would be an error at the other end in its place.
void mpin_agent_close(int connection, const void *bytes, size_t count);

// The process id of a worker that has ended, or 0.
int mpin_agent_reap(void);

// The connection

enum { MPIN_AGENT_WORKER_SOCKET = 3 };

// Who is at the other end; 0. A process that has ended meanwhile is nobody: -ESRCH.
int mpin_agent_peer_of(int connection, struct mpin_agent_peer *peer);

// Receives a message of at most so many bytes within a time. Returns its length; 0 at the end of the connection;
// -EMSGSIZE for a longer one, -ETIMEDOUT.
long mpin_agent_receive(int connection, void *bytes, size_t capacity, int milliseconds);

// Receives the answer to a prompt: what kind it is, and the secret into the caller's buffer. Nothing may have come before
// the prompt was sent. Returns one of MPIN_AGENT_TEXT and the others, MPIN_AGENT_NO_ANSWER for everything that is no answer.
int mpin_agent_ask(
    int connection, const void *prompt, size_t length, uint8_t *secret, size_t capacity, size_t *count, int milliseconds);

// Sends a message. Returns 0.
int mpin_agent_send(int connection, const void *bytes, size_t count);

// Answers a prompt with a secret, or as empty. Returns 0.
int mpin_agent_answer(int connection, const uint8_t *secret, size_t count);

// The process

// Becomes the mpin-enroll that lies beside this program, or in bin beside its sbin, with these arguments (the last is
// NULL), the connection as its third descriptor, and nothing in its environment but the account, as if sudo had run it.
// Returns only after a failure: an MPIN_UNSAFE value where others than root can change that directory.
int mpin_agent_become_enroll(const char *const *arguments, const char *account);

// Has the kernel end this process after so many seconds, whatever it waits for, and names it mpin-agent: a process that is
// started through /proc/self/exe is listed as "exe" otherwise.
void mpin_agent_begin_worker(unsigned seconds);

// The account's user id, and its name as the account database spells it, NUL-terminated; -1 when there is none.
int64_t mpin_agent_account(const char *name, char *own, size_t capacity);

// The host name up to its first dot, NUL-terminated.
void mpin_agent_host_name(char *name, size_t capacity);

// Writes a line to syslog with the facility AUTHPRIV, as mpin-agent.
void mpin_agent_log(int priority, const char *line);
enum { MPIN_AGENT_LOG_ERR = 3, MPIN_AGENT_LOG_NOTICE = 5, MPIN_AGENT_LOG_INFO = 6, MPIN_AGENT_LOG_DEBUG = 7 };

// Writes a line to standard output or standard error.
void mpin_agent_say(int is_error, const char *line);

#endif
