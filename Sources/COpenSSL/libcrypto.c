// SPDX-License-Identifier: Apache-2.0
#include "COpenSSL.h"
#include "libcrypto.h"

#include <errno.h>
#include <stdint.h>

static struct mpin_libcrypto table;

// libcrypto never retries a failed setup in the life of the process. So the setup is done here, and only if there is
// enough memory for it.
static int start(void) {
    int error = mpin_memory_try();
    if (error != 0) return error;
    // Otherwise exit() frees what other threads still use, such as a login in a thread of its own, and they crash.
    if (table.init(OPENSSL_INIT_NO_ATEXIT, NULL) != 1) return ENOMEM;
    uint8_t digest[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    if (table.digest("", 0, digest, &size, table.sha256(), NULL) == 1) return 0;
    // With enough memory, the cause is openssl.cnf: no provider meets its default properties.
    return mpin_memory_try() == 0 ? ENOTSUP : ENOMEM;
}
static struct mpin_library library = {
    .file = "libcrypto.so.3", .names = MPIN_LIBCRYPTO(MPIN_LIBRARY_NAME), .table = &table, .start = start,
    .opening = PTHREAD_MUTEX_INITIALIZER};

int mpin_crypto_is_restricted(void) {
    return mpin_library_open(&library) == ENOTSUP;
}

const struct mpin_libcrypto *mpin_libcrypto(void) {
    return mpin_library_open(&library) == 0 ? &table : NULL;
}
