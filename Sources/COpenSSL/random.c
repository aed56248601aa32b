// SPDX-License-Identifier: Apache-2.0
#include "COpenSSL.h"

#include <errno.h>
#include <sys/random.h>

int mpin_random(uint8_t *bytes, size_t count) {
    while (count > 0) {
        ssize_t got = getrandom(bytes, count, 0);
        if (got < 0) {
            if (errno == EINTR) continue;
            return 0;
        }
        bytes += got;
        count -= (size_t)got;
    }
    return 1;
}
