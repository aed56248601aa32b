// SPDX-License-Identifier: Apache-2.0

// Prints how many microseconds opening a shared object takes, in a process that holds what pamtester holds: libc,
// libdl and libpam. With -1: it could not be opened.
#include <dlfcn.h>
#include <security/pam_appl.h>
#include <stdio.h>
#include <time.h>

int main(int count, char **arguments) {
    struct timespec before, after;
    pam_handle_t *volatile unused = NULL; // keeps libpam among the libraries
    if (count != 2 || pam_strerror(unused, 0) == NULL)
        return 64;
    clock_gettime(CLOCK_MONOTONIC, &before);
    void *object = dlopen(arguments[1], RTLD_NOW);
    clock_gettime(CLOCK_MONOTONIC, &after);
    if (object == NULL)
        return 1;
    printf("%.3f\n", (after.tv_sec - before.tv_sec) * 1e6 + (after.tv_nsec - before.tv_nsec) / 1e3);
    return 0;
}
