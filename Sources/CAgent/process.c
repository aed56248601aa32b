// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <syslog.h>
#include <unistd.h>

#include "CAgent.h"

void mpin_agent_begin_worker(unsigned seconds) {
    (void)prctl(PR_SET_NAME, "mpin-agent", 0, 0, 0);
    alarm(seconds);
}

int mpin_agent_is_subordinate(uint32_t uid) {
    FILE *file = fopen("/etc/subuid", "re");
    if (file == NULL) return 0;
    char line[256];
    int is_subordinate = 0;
    while (!is_subordinate && fgets(line, sizeof line, file) != NULL) {
        unsigned long first, count;
        if (sscanf(line, "%*[^:]:%lu:%lu", &first, &count) == 2) is_subordinate = uid >= first && uid - first < count;
    }
    fclose(file);
    return is_subordinate;
}

void mpin_agent_log(int priority, const char *line) {
    openlog("mpin-agent", LOG_PID, LOG_AUTHPRIV);
    syslog(LOG_AUTHPRIV | priority, "%s", line);
}

void mpin_agent_say(int is_error, const char *line) {
    const int file = is_error ? STDERR_FILENO : STDOUT_FILENO;
    // If even that fails, nothing else can be done.
    if (write(file, line, strlen(line)) < 0 || write(file, "\n", 1) < 0) return;
}
