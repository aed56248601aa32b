#define _GNU_SOURCE
#include "session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Reads a small file as text. Returns its length, or -1.
static ssize_t read_text(const char *path, char *text, size_t capacity, int must_be_roots) {
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (file < 0) return -1;
    struct stat status;
    ssize_t count = -1;
    int is_safe = fstat(file, &status) == 0 && S_ISREG(status.st_mode)
        && (!must_be_roots || (status.st_uid == 0 && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0));
    if (is_safe) {
        do count = read(file, text, capacity - 1);
        while (count < 0 && errno == EINTR);
    }
    close(file);
    text[count < 0 ? 0 : count] = '\0';
    return count;
}

// A number from a file in /proc; -1 if there is none or it is unset (2^32 - 1).
static int64_t number_in(const char *path) {
    char text[16];
    if (read_text(path, text, sizeof text, 0) <= 0) return -1;
    uint64_t number = 0;
    const char *digit = text;
    for (; *digit >= '0' && *digit <= '9'; digit++) number = number * 10 + (uint64_t)(*digit - '0');
    return digit == text || number >= UINT32_MAX ? -1 : (int64_t)number;
}

int mpin_session_is_remote(int32_t pid) {
    char path[64], text[4096];
    if (pid == 0) strcpy(path, "/proc/self/sessionid");
    else snprintf(path, sizeof path, "/proc/%d/sessionid", pid);
    int64_t session = number_in(path);
    if (session < 0) return -1;
    snprintf(path, sizeof path, "/run/systemd/sessions/%lld", (long long)session);
    if (read_text(path, text, sizeof text, 1) <= 0) return -1;
    const char *line = strncmp(text, "REMOTE=", 7) == 0 ? text : strstr(text, "\nREMOTE=");
    if (line == NULL) return -1;
    switch (line[line == text ? 7 : 8]) {
    case '1': return 1;
    case '0': return 0;
    default: return -1;
    }
}
