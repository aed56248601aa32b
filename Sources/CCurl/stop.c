// SPDX-License-Identifier: Apache-2.0
#include "libcurl.h"

// The rest of libcurl's functions, for transfers that can be stopped. The module makes none.
#define MPIN_LIBCURL_MULTI(EACH) \
    EACH(init, curl_multi_init) \
    EACH(add, curl_multi_add_handle) \
    EACH(perform, curl_multi_perform) \
    EACH(poll, curl_multi_poll) \
    EACH(read, curl_multi_info_read) \
    EACH(remove, curl_multi_remove_handle) \
    EACH(cleanup, curl_multi_cleanup)

static struct mpin_libcurl_multi {
    MPIN_LIBCURL_MULTI(MPIN_LIBRARY_MEMBER)
} table;

static struct mpin_library library = {
    .file = "libcurl.so.4", .names = MPIN_LIBCURL_MULTI(MPIN_LIBRARY_NAME), .table = &table,
    .opening = PTHREAD_MUTEX_INITIALIZER};

// The longest wait of libcurl before it looks at its own timers again.
enum { longest_poll = 1000 };

static CURLcode perform(CURL *handle, CURLM *multi, int stop) {
    struct curl_waitfd end = {.fd = stop, .events = CURL_WAIT_POLLIN};
    int running = 1, left;
    for (;;) {
        if (table.perform(multi, &running) != CURLM_OK) return CURLE_OUT_OF_MEMORY;
        if (running == 0) break;
        if (mpin_is_stopped(stop)) return CURLE_ABORTED_BY_CALLBACK;
        if (table.poll(multi, &end, 1, longest_poll, NULL) != CURLM_OK) return CURLE_OUT_OF_MEMORY;
    }
    const CURLMsg *message = table.read(multi, &left);
    return message && message->easy_handle == handle ? message->data.result : CURLE_OUT_OF_MEMORY;
}

CURLcode mpin_perform_until(CURL *handle, CURLM **multi, int stop) {
    if (mpin_library_open(&library) != 0) return CURLE_FAILED_INIT;
    if (*multi == NULL) *multi = table.init();
    if (*multi == NULL || table.add(*multi, handle) != CURLM_OK) return CURLE_OUT_OF_MEMORY;
    const CURLcode code = perform(handle, *multi, stop);
    // Closes the connection of a transfer that has not ended.
    table.remove(*multi, handle);
    return code;
}

void mpin_multi_free(CURLM *multi) {
    table.cleanup(multi);
}
