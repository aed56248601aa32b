// SPDX-License-Identifier: Apache-2.0

// A program with a data race: scripts/sanitize wants to see that the thread sanitizer finds it.
#include <pthread.h>
#include <stddef.h>

static int number;

static void *count(void *unused) {
    (void)unused;
    for (int step = 0; step < 1000; step++) number++;
    return NULL;
}

int main(void) {
    pthread_t other;
    if (pthread_create(&other, NULL, count, NULL) != 0) return 0;
    count(NULL);
    pthread_join(other, NULL);
    return 0;
}
