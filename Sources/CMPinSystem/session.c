// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "process.h"

// Reads a small file that belongs to root as text. Returns its length, or -1.
static ssize_t read_text(const char *path, char *text, size_t capacity) {
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (file < 0) return -1;
    struct stat status;
    ssize_t count = -1;
    int is_safe = fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == 0
        && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
    if (is_safe) {
        do count = read(file, text, capacity - 1);
        while (count < 0 && errno == EINTR);
    }
    close(file);
    text[count < 0 ? 0 : count] = '\0';
    return count;
}

// Returns what follows a line feed and KEY=; NULL if there is none. Ends with the line. logind writes a comment before
// all keys.
static const char *value_of(const char *text, const char *key) {
    const char *line = strstr(text, key);
    return line == NULL ? NULL : line + strlen(key);
}

// Whether a session came over the network, by its name, which ends with a space or a line feed. Sessions without a user
// at them, such as a user's service manager and background jobs, do not show where that user is.
static int session_is_remote(const char *name) {
    char path[64], text[4096];
    snprintf(path, sizeof path, "/run/systemd/sessions/%.*s", (int)strcspn(name, " \n/"), name);
    if (read_text(path, text, sizeof text) <= 0) return -1;
    const char *class = value_of(text, "\nCLASS="), *remote = value_of(text, "\nREMOTE=");
    if (class != NULL && strncmp(class, "user", 4) != 0) return -1;
    if (remote == NULL || (*remote != '0' && *remote != '1')) return -1;
    return *remote == '1';
}

// 1 if a user has sessions and all of them came over the network, otherwise -1.
static int all_sessions_are_remote(int64_t user) {
    char path[64], text[4096];
    snprintf(path, sizeof path, "/run/systemd/users/%lld", (long long)user);
    if (read_text(path, text, sizeof text) <= 0) return -1;
    const char *name = value_of(text, "\nSESSIONS=");
    int result = -1;
    while (name != NULL && *name != '\n') {
        const char *end = name + strcspn(name, " \n");
        // A name that does not fit into the buffer is cut off.
        if (*end == '\0') break;
        switch (session_is_remote(name)) {
        case 0: return -1;
        case 1: result = 1;
        }
        name = end + (*end == ' ');
    }
    return result;
}

int mpin_session_is_remote(int32_t pid, int64_t user) {
    // For a process without a session, the number here does not belong to any session.
    char name[MPIN_PROCESS_TEXT];
    const int is_remote =
        mpin_process_read(pid, "sessionid", name) ? session_is_remote(name) : -1;
    return is_remote < 0 && user > 0 ? all_sessions_are_remote(user) : is_remote;
}
