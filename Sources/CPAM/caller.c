#define _GNU_SOURCE
#include "CPAM.h"

#include <errno.h>
#include <fcntl.h>
#include <security/pam_modutil.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
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

// A number from a file in /proc/self; -1 if there is none or it is unset (2^32 - 1).
static int64_t own_number(const char *path) {
    char text[16];
    if (read_text(path, text, sizeof text, 0) <= 0) return -1;
    uint64_t number = 0;
    const char *digit = text;
    for (; *digit >= '0' && *digit <= '9'; digit++) number = number * 10 + (uint64_t)(*digit - '0');
    return digit == text || number >= UINT32_MAX ? -1 : (int64_t)number;
}

// Whether the login session of this process came over the network, by its audit session id.
static int session_is_remote(void) {
    int64_t session = own_number("/proc/self/sessionid");
    if (session < 0) return -1;
    char path[64], text[4096];
    snprintf(path, sizeof path, "/run/systemd/sessions/%lld", (long long)session);
    if (read_text(path, text, sizeof text, 1) <= 0) return -1;
    const char *line = strncmp(text, "REMOTE=", 7) == 0 ? text : strstr(text, "\nREMOTE=");
    if (line == NULL) return -1;
    switch (*(strchr(line, '=') + 1)) {
    case '1': return 1;
    case '0': return 0;
    default: return -1;
    }
}

// Whether a user other than root started this set-uid program, and so can stop it, limit its resources and signal it.
// sudo changes its real user to root before it calls libpam, so the real user at exec (AT_UID) decides. A process that
// changed its user later without exec has that user as its real one.
static int caller_controls_process(void) {
    if (getauxval(AT_SECURE) != 0) return getauxval(AT_UID) != 0 || getuid() != 0;
    return getuid() != 0 && getuid() != geteuid();
}

struct mpin_pam_caller mpin_pam_caller(pam_handle_t *handle, const char *account) {
    struct passwd *entry = pam_modutil_getpwnam(handle, account);
    return (struct mpin_pam_caller){
        .real_uid = getuid(),
        .starting_uid = getauxval(AT_SECURE) != 0 ? (int64_t)getauxval(AT_UID) : -1,
        .account_uid = entry == NULL ? -1 : (int64_t)entry->pw_uid,
        .account_name = entry == NULL ? NULL : entry->pw_name,
        .controls_process = caller_controls_process(),
        .is_remote = session_is_remote(),
    };
}

void mpin_pam_host_name(char *name, size_t capacity) {
    if (gethostname(name, capacity) != 0) name[0] = '\0';
    name[capacity - 1] = '\0';
    name[strcspn(name, ".")] = '\0';
}
