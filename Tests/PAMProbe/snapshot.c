// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "snapshot.h"

#include <dirent.h>
#include <fenv.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

extern char **environ;

static void directory_facts(FILE *out, const char *path, int with_targets) {
    DIR *entries = opendir(path);
    if (entries == NULL) return;
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        if (entry->d_name[0] == '.' || (with_targets && atoi(entry->d_name) == dirfd(entries))) continue;
        char name[512], target[512] = "";
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (with_targets && readlink(name, target, sizeof target - 1) < 0) target[0] = '\0';
        fprintf(out, "%s %s\n", name, target);
    }
    closedir(entries);
}

static void file_facts(FILE *out, const char *path, const char *const *wanted) {
    FILE *file = fopen(path, "re");
    if (file == NULL) return;
    char line[1024];
    while (fgets(line, sizeof line, file) != NULL) {
        if (wanted == NULL) fprintf(out, "%s %s\n", path, line);
        for (size_t index = 0; wanted && wanted[index]; index++) {
            if (strncmp(line, wanted[index], strlen(wanted[index])) == 0) fputs(line, out);
        }
    }
    fclose(file);
}

static void set_facts(FILE *out, const sigset_t *set) {
    for (int number = 1; number <= SIGRTMAX; number++) fputc(sigismember(set, number) == 1 ? '1' : '0', out);
    fputc('\n', out);
}

static void signal_facts(FILE *out) {
    for (int number = 1; number <= SIGRTMAX; number++) {
        struct sigaction action;
        if (sigaction(number, NULL, &action) != 0) continue;
        fprintf(out, "signal %d %p %x ", number, (void *)action.sa_sigaction, (unsigned)action.sa_flags);
        set_facts(out, &action.sa_mask);
    }
    sigset_t mask, pending;
    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    sigpending(&pending);
    fputs("mask ", out);
    set_facts(out, &mask);
    fputs("pending ", out);
    set_facts(out, &pending);
    stack_t stack;
    if (sigaltstack(NULL, &stack) == 0) fprintf(out, "signal stack %p %d\n", stack.ss_sp, stack.ss_flags);
}

static void limit_facts(FILE *out) {
    for (int number = 0; number < RLIM_NLIMITS; number++) {
        struct rlimit limit;
        if (getrlimit((__rlimit_resource_t)number, &limit) != 0) continue;
        fprintf(out, "limit %d %llu %llu\n", number, (unsigned long long)limit.rlim_cur,
            (unsigned long long)limit.rlim_max);
    }
    for (int number = ITIMER_REAL; number <= ITIMER_PROF; number++) {
        struct itimerval timer;
        if (getitimer((__itimer_which_t)number, &timer) == 0) {
            fprintf(out, "timer %d %s %ld\n", number, timer.it_value.tv_sec ? "runs" : "stands",
                (long)timer.it_interval.tv_sec);
        }
    }
}

static void environment_facts(FILE *out) {
    fprintf(out, "environ %p\n", (void *)environ);
    for (char **variable = environ; variable && *variable; variable++) {
        fprintf(out, "variable %p %s\n", (void *)*variable, *variable);
    }
    char path[4096];
    fprintf(out, "directory %s\n", getcwd(path, sizeof path) ? path : "none");
    fprintf(out, "locale %s\n", setlocale(LC_ALL, NULL));
}

char *snapshot(void) {
    static const char *const status[] = {
        "Umask:", "Uid:", "Gid:", "Groups:", "Threads:", "Cap", "NoNewPrivs:", "Seccomp:", "CoreDumping:", NULL};
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL) abort();
    // What is opened for the snapshot itself takes the next free numbers each time, so it is the same both times.
    directory_facts(out, "/proc/self/fd", 1);
    directory_facts(out, "/proc/self/task", 0);
    char children[64];
    snprintf(children, sizeof children, "/proc/self/task/%d/children", (int)getpid());
    file_facts(out, children, NULL);
    file_facts(out, "/proc/self/status", status);
    file_facts(out, "/proc/self/coredump_filter", NULL);
    file_facts(out, "/proc/self/oom_score_adj", NULL);
    signal_facts(out);
    limit_facts(out);
    environment_facts(out);
    int parents_death = 0;
    prctl(PR_GET_PDEATHSIG, &parents_death);
    fprintf(out, "process %d %d %d %d %d\n", parents_death, prctl(PR_GET_DUMPABLE), getpgrp(), getsid(0),
        getpriority(PRIO_PROCESS, 0));
    fprintf(out, "rounding %d exceptions %d\n", fegetround(), fegetexcept());
    fclose(out);
    return text;
}

static int print_missing(const char *from, const char *in, const char *what) {
    int count = 0;
    char *lines = strdup(from), *rest = lines;
    for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
        size_t length = strlen(line);
        int found = length == 0;
        for (const char *place = in; !found && (place = strstr(place, line)) != NULL; place++) {
            found = (place == in || place[-1] == '\n') && (place[length] == '\n' || place[length] == '\0');
        }
        if (!found) {
            printf("%s: %s\n", what, line);
            count++;
        }
    }
    free(lines);
    return count;
}

int snapshot_compare(const char *before, const char *after) {
    return print_missing(before, after, "gone") + print_missing(after, before, "new");
}
