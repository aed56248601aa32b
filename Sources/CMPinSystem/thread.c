// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdlib.h>

#include "mutex.h"

struct start {
    void (*run)(void *context);
    void *context;
};

static void *begin(void *context) {
    struct start start = *(struct start *)context;
    free(context);
    start.run(start.context);
    return NULL;
}

int mpin_thread_start(void (*run)(void *context), void *context) {
    struct start *start = malloc(sizeof *start);
    if (start == NULL) return ENOMEM;
    *start = (struct start){.run = run, .context = context};
    sigset_t all, former;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &former);
    pthread_t thread;
    int error = pthread_create(&thread, NULL, begin, start);
    pthread_sigmask(SIG_SETMASK, &former, NULL);
    if (error == 0) pthread_detach(thread);
    else free(start);
    return error;
}
