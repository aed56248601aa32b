// SPDX-License-Identifier: Apache-2.0
#include "esys.h"

static struct mpin_esys table;
static struct mpin_library library = {
    .file = "libtss2-esys.so.0", .names = MPIN_ESYS(MPIN_LIBRARY_NAME), .table = &table,
    .opening = PTHREAD_MUTEX_INITIALIZER};

const struct mpin_esys *mpin_esys(int *error) {
    *error = mpin_library_open(&library);
    return *error == 0 ? &table : NULL;
}
