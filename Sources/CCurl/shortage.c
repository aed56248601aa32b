// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "libcurl.h"

// More than a transfer needs: it has already closed its own, so a smaller number would hide the shortage.
enum { spare_files = 16 };

enum mpin_http_outcome mpin_shortage_of(int error, enum mpin_http_outcome otherwise) {
    switch (error) {
    case EMFILE:
    case ENFILE: return MPIN_HTTP_NO_FILES;
    case ENOMEM:
    case ENOBUFS:
    case EAGAIN: return MPIN_HTTP_NO_MEMORY;
    default: return otherwise;
    }
}

static int try_files(void) {
    int files[spare_files], count = 0, error = 0;
    while (count < spare_files && error == 0) {
        files[count] = open("/", O_PATH | O_CLOEXEC);
        if (files[count] < 0) error = errno;
        else count++;
    }
    while (count > 0) close(files[--count]);
    return error;
}

enum mpin_http_outcome mpin_shortage(enum mpin_http_outcome otherwise) {
    int error = try_files();
    return mpin_shortage_of(error != 0 ? error : mpin_memory_try(), otherwise);
}
