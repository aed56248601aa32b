#define _GNU_SOURCE
#include "shortage.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

// More than a transfer takes: it has freed its own again, which must not hide that it was too little.
enum { spare_files = 16, spare_memory = 4 << 20, reserve_size = 120 * 1024 };

void *mpin_reserve_take(void) {
    return malloc(reserve_size);
}

void mpin_reserve_give(void *reserve) {
    free(reserve);
}

enum mpin_http_outcome mpin_shortage_of(int error, enum mpin_http_outcome otherwise) {
    switch (error) {
    case EMFILE:
    case ENFILE: return MPIN_HTTP_NO_FILES;
    case ENOMEM:
    case ENOBUFS:
    case EAGAIN: return MPIN_HTTP_NO_MEMORY;
    default: return otherwise;
    }
}

static int try_files(void) {
    int files[spare_files], count = 0, error = 0;
    while (count < spare_files && error == 0) {
        files[count] = open("/", O_PATH | O_CLOEXEC);
        if (files[count] < 0) error = errno;
        else count++;
    }
    while (count > 0) close(files[--count]);
    return error;
}

static int try_memory(void) {
    void *memory = mmap(NULL, spare_memory, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? errno : munmap(memory, spare_memory);
}

static void *end_at_once(void *context) {
    return context;
}

enum mpin_http_outcome mpin_shortage_of_threads(enum mpin_http_outcome otherwise) {
    pthread_t thread;
    int error = pthread_create(&thread, NULL, end_at_once, NULL);
    return mpin_shortage_of(error != 0 ? error : pthread_join(thread, NULL), otherwise);
}

enum mpin_http_outcome mpin_shortage(enum mpin_http_outcome otherwise) {
    int error = try_files();
    return mpin_shortage_of(error != 0 ? error : try_memory(), otherwise);
}
