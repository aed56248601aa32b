// SPDX-License-Identifier: Apache-2.0

// run REPORT PROGRAM ARGUMENT...: runs a program and writes its exit status, milliseconds passed, milliseconds of
// processor time and peak memory in kilobytes to a file. Small, because the kernel counts the memory of a starter as
// part of the peak of the program that it starts.
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double milliseconds(struct timeval time) { return time.tv_sec * 1e3 + time.tv_usec / 1e3; }

int main(int count, char **arguments) {
    if (count < 3)
        return 64;
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        const char *preload = getenv("BENCH_PRELOAD");
        if (preload != NULL)
            setenv("LD_PRELOAD", preload, 1);
        execv(arguments[2], arguments + 2);
        _exit(127);
    }
    int status = 0;
    struct rusage usage;
    if (child < 0 || wait4(child, &status, 0, &usage) != child)
        return 71;
    clock_gettime(CLOCK_MONOTONIC, &after);
    FILE *report = fopen(arguments[1], "w");
    if (report == NULL)
        return 73;
    fprintf(report, "%d %.3f %.3f %ld\n", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
        (after.tv_sec - before.tv_sec) * 1e3 + (after.tv_nsec - before.tv_nsec) / 1e6,
        milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime), usage.ru_maxrss);
    return fclose(report) == 0 ? 0 : 73;
}
