// SPDX-License-Identifier: Apache-2.0

// A POSIX mutex. Swift's own is in a library that the PAM module would have to include, although it never locks one.
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

#endif
