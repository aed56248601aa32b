// SPDX-License-Identifier: Apache-2.0

// A POSIX mutex, a condition to wait for under it, and a thread. Swift's own are in libraries that the PAM module would
// have to include, although it never locks one.
#ifndef CMPINSYSTEM_MUTEX_H
#define CMPINSYSTEM_MUTEX_H

#include <pthread.h>

// Must not move in memory after mpin_mutex_init.
typedef struct {
    pthread_mutex_t inner;
} mpin_mutex;

static inline void mpin_mutex_init(mpin_mutex *mutex) { pthread_mutex_init(&mutex->inner, 0); }
static inline void mpin_mutex_destroy(mpin_mutex *mutex) { pthread_mutex_destroy(&mutex->inner); }
static inline void mpin_mutex_lock(mpin_mutex *mutex) { pthread_mutex_lock(&mutex->inner); }
static inline void mpin_mutex_unlock(mpin_mutex *mutex) { pthread_mutex_unlock(&mutex->inner); }

// Must not move in memory after mpin_condition_init.
typedef struct {
    pthread_cond_t inner;
} mpin_condition;

static inline void mpin_condition_init(mpin_condition *condition) { pthread_cond_init(&condition->inner, 0); }
static inline void mpin_condition_destroy(mpin_condition *condition) { pthread_cond_destroy(&condition->inner); }
static inline void mpin_condition_signal(mpin_condition *condition) { pthread_cond_signal(&condition->inner); }
static inline void mpin_condition_wait(mpin_condition *condition, mpin_mutex *mutex) {
    pthread_cond_wait(&condition->inner, &mutex->inner);
}

// Starts a thread that handles no signals of the program, and that nothing waits for. Returns 0, or an errno.
int mpin_thread_start(void (*run)(void *context), void *context);

#endif
