// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sysexits.h>
#include <unistd.h>

// SO_PEERPIDFD, which older headers lack.
enum { so_peerpidfd = 77 };

struct stat_line {
    char name[MPIN_PROCESS_NAME];
    char state;
    int32_t parent;
    int32_t session;
    uint64_t start;
};

int mpin_process_read(int32_t pid, const char *name, char text[MPIN_PROCESS_TEXT]) {
    char path[32];
    if (pid == 0) snprintf(path, sizeof path, "/proc/self/%s", name);
    else snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t count = read(file, text, MPIN_PROCESS_TEXT - 1);
    close(file);
    text[count < 0 ? 0 : count] = '\0';
    return count > 0;
}

// Reads the fields 2 (comm), 3 (state), 4 (ppid), 6 (session) and 22 (starttime) of /proc/PID/stat. The name may contain
// any characters.
static int read_stat(int32_t pid, struct stat_line *line) {
    char text[MPIN_PROCESS_TEXT];
    if (!mpin_process_read(pid, "stat", text)) return 0;
    const char *name = strchr(text, '('), *field = strrchr(text, ')');
    if (name == NULL || field == NULL) return 0;
    snprintf(line->name, sizeof line->name, "%.*s", (int)(field - name - 1), name + 1);
    for (int number = 2; field != NULL && number < 22; number++) {
        field = strchr(field + 1, ' ');
        if (field != NULL && number == 2) line->state = field[1];
        if (field != NULL && number == 3) line->parent = (int32_t)strtoll(field + 1, NULL, 10);
        if (field != NULL && number == 5) line->session = (int32_t)strtoll(field + 1, NULL, 10);
    }
    if (field == NULL) return 0;
    line->start = (uint64_t)strtoll(field + 1, NULL, 10);
    return 1;
}

int64_t mpin_process_real_uid(int32_t pid) {
    char text[MPIN_PROCESS_TEXT];
    if (!mpin_process_read(pid, "status", text)) return -1;
    // The program's name comes before it, with its line feeds escaped.
    const char *line = strstr(text, "\nUid:\t");
    return line == NULL ? -1 : strtoll(line + 6, NULL, 10);
}

int32_t mpin_process_parent(int32_t pid, char name[MPIN_PROCESS_NAME]) {
    struct stat_line line = {0};
    if (!read_stat(pid, &line)) return -1;
    memcpy(name, line.name, MPIN_PROCESS_NAME);
    return line.parent;
}

static int read_program(int32_t pid, char *program, size_t capacity) {
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/exe", pid);
    ssize_t count = readlink(path, program, capacity - 1);
    if (count <= 0) return 0;
    program[count] = '\0';
    return 1;
}

int mpin_process_peer_runs(int socket) {
    struct pollfd process = {.fd = -1, .events = POLLIN};
    socklen_t size = sizeof process.fd;
    if (getsockopt(socket, SOL_SOCKET, so_peerpidfd, &process.fd, &size) != 0) return -1;
    const int has_ended = poll(&process, 1, 0);
    close(process.fd);
    return has_ended == 0;
}

void mpin_process_find(struct mpin_process *own, struct mpin_process *serving) {
    enum { longest_way = 8 };
    struct stat_line line = {0};
    int32_t pid = getpid();
    const int is_known = read_stat(pid, &line);
    *own = *serving = (struct mpin_process){.pid = pid, .start = is_known ? line.start : 0};
    const int32_t leader = line.session;
    char program[PATH_MAX], other[PATH_MAX];
    if (!is_known || leader <= 0 || leader == pid || !read_program(pid, program, sizeof program)) return;
    for (int step = 1; step < longest_way && pid != leader; step++) {
        pid = line.parent;
        if (!read_program(pid, other, sizeof other) || strcmp(program, other) != 0) return;
        if (!read_stat(pid, &line)) return;
    }
    if (pid == leader) *serving = (struct mpin_process){.pid = pid, .start = line.start};
}

int mpin_process_become(const char *account, uint32_t user, uint32_t group) {
    if (initgroups(account, group) != 0 || setresgid(group, group, group) != 0) return -errno;
    return setresuid(user, user, user) != 0 ? -errno : 0;
}

int mpin_process_lives(struct mpin_process process) {
    struct stat_line line;
    // A zombie makes no further attempts.
    if (process.start != 0 && read_stat(process.pid, &line)) {
        return line.start == process.start && line.state != 'Z' && line.state != 'X';
    }
    return kill(process.pid, 0) == 0 || errno == EPERM;
}

int mpin_process_is_stopped(struct mpin_process process) {
    struct stat_line line;
    return read_stat(process.pid, &line) && (line.state == 'T' || line.state == 't');
}

void mpin_standard_descriptors(void) {
    for (int number = STDIN_FILENO; number <= STDERR_FILENO; number++) {
        if (fcntl(number, F_GETFD) >= 0 || errno != EBADF) continue;
        // In the wrong direction, so that its use fails; also for the programs that this one starts.
        int file = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        if (file != number) _exit(EX_IOERR);
    }
}

int mpin_spawn_keep_standard(void *actions) {
    return posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
}
