// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CAgent.h"
#include "CMPinSystem.h"

enum { backlog = 512 };

// How often a wait that a close causes is interrupted, in microseconds.
enum { interruption = 100 };

// An option of Linux 6.16 that the C library's headers lack.
#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83
#endif

// Makes the kernel refuse descriptors that come with a message. Closing one may take as long as its owner likes, and if
// the file is in a user's own file system, the wait cannot even be interrupted. Older kernels do not have this option;
// see interrupt_waits.
static void refuse_descriptors(int listener) {
    const int no = 0;
    (void)setsockopt(listener, SOL_SOCKET, SO_PASSRIGHTS, &no, sizeof no);
}

// Whether no process listens on a socket file any more.
static int is_stale(const struct sockaddr_un *address) {
    struct stat status;
    if (lstat(address->sun_path, &status) != 0 || !S_ISSOCK(status.st_mode)) return 0;
    int probe = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (probe < 0) return 0;
    int is_refused =
        connect(probe, (const struct sockaddr *)address, sizeof *address) != 0 && errno == ECONNREFUSED;
    close(probe);
    return is_refused;
}

static int judge_directory(const char *path) {
    char directory[sizeof((struct sockaddr_un *)0)->sun_path];
    char *name = strrchr(strcpy(directory, path), '/');
    if (name == NULL || name == directory) return MPIN_UNSAFE_PATH;
    *name = '\0';
    int result = mpin_directory_open(directory, 0, 0);
    if (result >= 0) close(result);
    return result < 0 ? result : 0;
}

int mpin_agent_listen(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) return -ENAMETOOLONG;
    strcpy(address.sun_path, path);
    int result = judge_directory(path);
    if (result != 0) return result;
    int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener < 0) return -errno;
    refuse_descriptors(listener);
    if (is_stale(&address)) unlink(path);
    // All users may connect as soon as the file exists.
    mode_t mask = umask(0111);
    result = bind(listener, (const struct sockaddr *)&address, sizeof address) != 0 ? -errno : 0;
    umask(mask);
    if (result == 0 && listen(listener, backlog) != 0) result = -errno;
    if (result == 0) return listener;
    close(listener);
    return result;
}

const char *mpin_agent_reason(int error) { return strerror(error); }

int mpin_agent_inherited(void) {
    enum { first = 3 };
    const char *process = getenv("LISTEN_PID"), *count = getenv("LISTEN_FDS");
    if (process == NULL || count == NULL || strtol(process, NULL, 10) != getpid()) return -1;
    int kind = 0, listens = 0;
    socklen_t length = sizeof kind;
    if (strcmp(count, "1") != 0 || getsockopt(first, SOL_SOCKET, SO_TYPE, &kind, &length) != 0
        || kind != SOCK_SEQPACKET || getsockopt(first, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) != 0 || !listens)
        return -2;
    // Workers use this number for their connection, and no worker gets the listener.
    int listener = fcntl(first, F_DUPFD_CLOEXEC, first + 1);
    close(first);
    if (listener < 0 || fcntl(listener, F_SETFL, O_NONBLOCK) != 0) return -2;
    refuse_descriptors(listener);
    return listener;
}

int mpin_agent_signals(void) {
    // Workers must not inherit the descriptors that this process was started with.
    (void)close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    // If SIGCHLD were ignored, as the parent process may have left it, the end of a worker would not be reported.
    if (signal(SIGCHLD, SIG_DFL) == SIG_ERR || sigprocmask(SIG_BLOCK, &set, NULL) != 0) return -errno;
    int signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    return signals < 0 ? -errno : signals;
}

int mpin_agent_wait(int listener, int signals, int milliseconds) {
    struct pollfd files[] = {{.fd = listener, .events = POLLIN}, {.fd = signals, .events = POLLIN}};
    if (poll(files, 2, milliseconds) <= 0) return 0;
    return (files[0].revents ? MPIN_AGENT_CONNECTION : 0) | (files[1].revents ? MPIN_AGENT_SIGNAL : 0);
}

int mpin_agent_is_to_end(int signals) {
    struct signalfd_siginfo signal;
    int is_to_end = 0;
    while (read(signals, &signal, sizeof signal) == sizeof signal) is_to_end |= signal.ssi_signo != SIGCHLD;
    return is_to_end;
}

int mpin_agent_accept(int listener, struct mpin_agent_peer *peer) {
    int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (connection < 0) return -errno;
    struct ucred credentials;
    socklen_t length = sizeof credentials;
    if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) {
        mpin_agent_close(connection, NULL, 0);
        return -ECONNABORTED;
    }
    *peer = (struct mpin_agent_peer){.uid = credentials.uid, .pid = credentials.pid};
    return connection;
}

static void interrupt(int signal) {
    (void)signal;
}

// If the kernel does not refuse descriptors, those that a peer has sent are closed with their message or with the
// connection. For example, closing a TCP socket with SO_LINGER and a full queue takes as long as its owner likes. A
// signal ends that wait.
static void interrupt_waits(int is_on) {
    const struct sigaction action = {.sa_handler = interrupt};
    const struct itimerval timer = {
        .it_interval = {.tv_usec = is_on ? interruption : 0}, .it_value = {.tv_usec = is_on ? interruption : 0}};
    sigset_t alarm;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    if (is_on) {
        sigaction(SIGALRM, &action, NULL);
        // The parent process may have blocked the signal.
        sigprocmask(SIG_UNBLOCK, &alarm, NULL);
    }
    setitimer(ITIMER_REAL, &timer, NULL);
}

void mpin_agent_close(int connection, const void *bytes, size_t count) {
    interrupt_waits(1);
    char unread;
    // Bounded, because the peer may go on sending.
    for (int left = count > 0 ? 64 : 0; left > 0 && recv(connection, &unread, sizeof unread, MSG_DONTWAIT) > 0; left--) {}
    if (count > 0) (void)mpin_agent_send(connection, bytes, count);
    close(connection);
    interrupt_waits(0);
}

int mpin_agent_start(int connection, const char *configuration, int is_silent) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    if (posix_spawn_file_actions_init(&files) != 0) return -ENOMEM;
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&files);
        return -ENOMEM;
    }
    sigset_t none;
    sigemptyset(&none);
    char *environment[] = {NULL};
    const char *arguments[] = {
        "mpin-agent", is_silent ? "--silent-worker" : "--worker", configuration != NULL ? "--config" : NULL,
        configuration, NULL};
    pid_t worker = 0;
    int result = posix_spawn_file_actions_adddup2(&files, connection, MPIN_AGENT_WORKER_SOCKET);
    // Each worker gets its own session: attempts are counted by the process that serves a connection, and one worker's
    // attempts must not count for another.
    if (result == 0) result = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
    if (result == 0) result = posix_spawnattr_setsigmask(&attributes, &none);
    if (result == 0)
        result = posix_spawn(
            &worker, "/proc/self/exe", &files, &attributes, (char *const *)arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return result != 0 ? -result : worker;
}

int mpin_agent_reap(int *status) {
    int result = 0;
    pid_t worker = waitpid(-1, &result, WNOHANG);
    *status = WIFEXITED(result) ? WEXITSTATUS(result) : -1;
    return worker > 0 ? worker : 0;
}
