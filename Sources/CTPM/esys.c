// SPDX-License-Identifier: Apache-2.0
#include "esys.h"

#include <dlfcn.h>
#include <string.h>

#include "CTPM.h"

static const char file[] = "libtss2-esys.so.0";
static struct mpin_esys table;
static struct mpin_library library = {
    .file = file, .names = MPIN_ESYS(MPIN_LIBRARY_NAME), .table = &table,
    .opening = PTHREAD_MUTEX_INITIALIZER};

const struct mpin_esys *mpin_esys(int *error) {
    *error = mpin_library_open(&library);
    return *error == 0 ? &table : NULL;
}

void mpin_tpm_library_fault(char *text, size_t capacity) {
    text[0] = '\0';
    int error;
    if (mpin_esys(&error)) return;
    // Opened again to get the reason, which belongs to the thread and to the last failure.
    void *object = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    const char *reason = object ? "libtss2-esys.so.0 is too old" : dlerror();
    strncat(text, reason ? reason : "", capacity - 1);
    if (object) dlclose(object);
}
