// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "library.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static int fill(struct mpin_library *library) {
    errno = 0;
    void *object = dlopen(library->file, RTLD_NOW | RTLD_LOCAL);
    if (object == NULL) return errno ? errno : ENOENT;
    unsigned char *slot = library->table;
    for (const char *name = library->names; *name != '\0'; name += strlen(name) + 1) {
        void *function = dlsym(object, name);
        if (function == NULL) return ENOENT;
        memcpy(slot, &function, sizeof function);
        slot += sizeof function;
    }
    int error = library->start ? library->start() : 0;
    if (error == 0) __atomic_store_n(&library->is_open, 1, __ATOMIC_RELEASE);
    return error;
}

int mpin_library_open(struct mpin_library *library) {
    if (__atomic_load_n(&library->is_open, __ATOMIC_ACQUIRE)) return 0;
    pthread_mutex_lock(&library->opening);
    // A failure is not remembered: the missing library may exist at the next login of a long-lived host.
    int error = library->is_open ? 0 : fill(library);
    pthread_mutex_unlock(&library->opening);
    return error;
}

// More than either needs: it has already freed its own, so a smaller number would hide the shortage.
enum { spare_memory = 4 << 20, reserve_size = 120 * 1024 };

int mpin_memory_try(void) {
    void *memory = mmap(NULL, spare_memory, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? errno : munmap(memory, spare_memory);
}

void *mpin_reserve_take(void) {
    return malloc(reserve_size);
}

void mpin_reserve_give(void *reserve) {
    free(reserve);
}
