#define _GNU_SOURCE
#include "library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static struct smtp_library library;
static int ready;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void open_library(void) {
    void *object = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (object == NULL) return;
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
        if (*functions[index].slot == NULL) return;
    }
    ready = library.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

const struct smtp_library *smtp_library_open(void) {
    pthread_once(&once, open_library);
    return ready ? &library : NULL;
}
