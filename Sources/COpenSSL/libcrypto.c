#include "libcrypto.h"

static struct mpin_libcrypto table;
static struct mpin_library library = {
    .file = "libcrypto.so.3", .names = MPIN_LIBCRYPTO(MPIN_LIBRARY_NAME), .table = &table,
    .opening = PTHREAD_MUTEX_INITIALIZER};

const struct mpin_libcrypto *mpin_libcrypto(void) {
    return mpin_library_open(&library) == 0 ? &table : NULL;
}
