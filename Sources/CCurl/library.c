#define _GNU_SOURCE
#include "library.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static struct curl_library library;
static int ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int open_library(void) {
    errno = 0;
    void *object = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (object == NULL) return errno ? errno : ENOENT;
    const struct {
        const char *name;
        void **slot;
    } functions[] = {
        {"curl_global_init", (void **)&library.global_init},
        {"curl_easy_init", (void **)&library.easy_init},
        {"curl_easy_setopt", (void **)&library.easy_setopt},
        {"curl_easy_perform", (void **)&library.easy_perform},
        {"curl_easy_getinfo", (void **)&library.easy_getinfo},
        {"curl_easy_cleanup", (void **)&library.easy_cleanup},
        {"curl_slist_append", (void **)&library.slist_append},
        {"curl_slist_free_all", (void **)&library.slist_free_all},
    };
    for (size_t index = 0; index < sizeof functions / sizeof *functions; index++) {
        *functions[index].slot = dlsym(object, functions[index].name);
        if (*functions[index].slot == NULL) return ENOENT;
    }
    // Never undone: the library stays for the life of the process, as other users of it in the host may expect.
    if (library.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return ENOMEM;
    __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
    return 0;
}

const struct curl_library *curl_library_open(int *reason) {
    *reason = 0;
    if (__atomic_load_n(&ready, __ATOMIC_ACQUIRE)) return &library;
    pthread_mutex_lock(&lock);
    // A failure is not remembered: what was missing may be there when the next login of a long-lived host asks.
    if (!ready) *reason = open_library();
    pthread_mutex_unlock(&lock);
    return *reason == 0 ? &library : NULL;
}
