// SPDX-License-Identifier: Apache-2.0
#include "libcurl.h"

#include <errno.h>

static struct mpin_libcurl table;

static int start(void) {
    return table.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ? 0 : ENOMEM;
}

static struct mpin_library library = {
    .file = "libcurl.so.4", .names = MPIN_LIBCURL(MPIN_LIBRARY_NAME), .table = &table, .start = start,
    .opening = PTHREAD_MUTEX_INITIALIZER};

const struct mpin_libcurl *mpin_libcurl(int *reason) {
    *reason = mpin_library_open(&library);
    return *reason == 0 ? &table : NULL;
}
