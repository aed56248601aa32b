// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "CAgent.h"
#include "CMPinSystem.h"

// The directory of mpin-enroll.
static int find_directory(char *directory, size_t capacity) {
    ssize_t length = readlink("/proc/self/exe", directory, capacity - 1);
    if (length < 0) return -errno;
    directory[length] = '\0';
    char *end = strrchr(directory, '/');
    if (end == NULL) return -ENOENT;
    *end = '\0';
    end = strrchr(directory, '/');
    if (end != NULL && strcmp(end, "/sbin") == 0) strcpy(end, "/bin");
    return 0;
}

int mpin_agent_become_enroll(const char *const *arguments, const char *account) {
    char path[PATH_MAX], variable[300];
    int result = find_directory(path, sizeof path - sizeof "/mpin-enroll");
    if (result != 0) return result;
    int directory = mpin_directory_open(path, 0, 0);
    if (directory < 0) return directory;
    close(directory);
    strcat(path, "/mpin-enroll");
    if (snprintf(variable, sizeof variable, "SUDO_USER=%s", account) >= (int)sizeof variable) return -ENAMETOOLONG;
    // The agent's own input and output must not be mixed with the user's.
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(nothing, STDOUT_FILENO) < 0) return -errno;
    char *environment[] = {variable, NULL};
    execve(path, (char *const *)arguments, environment);
    return -errno;
}
