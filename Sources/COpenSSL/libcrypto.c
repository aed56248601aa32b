// SPDX-License-Identifier: Apache-2.0
#include "libcrypto.h"

#include <errno.h>
#include <stdint.h>

static struct mpin_libcrypto table;

// libcrypto never retries a failed setup in the life of the process. So the setup is done here, and only if there is
// enough memory for it.
static int start(void) {
    int error = mpin_memory_try();
    if (error != 0) return error;
    uint8_t digest[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    return table.digest("", 0, digest, &size, table.sha256(), NULL) == 1 ? 0 : ENOMEM;
}
static struct mpin_library library = {
    .file = "libcrypto.so.3", .names = MPIN_LIBCRYPTO(MPIN_LIBRARY_NAME), .table = &table, .start = start,
    .opening = PTHREAD_MUTEX_INITIALIZER};

const struct mpin_libcrypto *mpin_libcrypto(void) {
    return mpin_library_open(&library) == 0 ? &table : NULL;
}
