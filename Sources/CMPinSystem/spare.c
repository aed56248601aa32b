// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "spare.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

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
