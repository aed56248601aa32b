// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <string.h>

#include "esys.h"

void mpin_tpm_library_fault(char *text, size_t capacity) {
    text[0] = '\0';
    int error;
    if (mpin_esys(&error)) return;
    // Opened again to get the reason, which belongs to the thread and to the last failure.
    void *object = dlopen("libtss2-esys.so.0", RTLD_NOW | RTLD_LOCAL);
    const char *reason = object ? "libtss2-esys.so.0 is too old" : dlerror();
    strncat(text, reason ? reason : "", capacity - 1);
    if (object) dlclose(object);
}
