// SPDX-License-Identifier: Apache-2.0
#include "COpenSSL.h"
#include "libcrypto.h"

#include <limits.h>

// Empty inputs may have a null address, which libcrypto does not accept.
static const uint8_t nothing[1];

int mpin_crypto_available(void) {
    return mpin_libcrypto() != NULL;
}

int mpin_sha256(const uint8_t *bytes, size_t count, uint8_t *digest) {
    const struct mpin_libcrypto *crypto = mpin_libcrypto();
    if (crypto == NULL || (bytes == NULL && count != 0)) return 0;
    unsigned int size = 0;
    return crypto->digest(bytes ? bytes : nothing, count, digest, &size, crypto->sha256(), NULL) == 1
        && size == MPIN_SHA256_SIZE;
}

int mpin_hmac_sha256(const uint8_t *key, size_t key_count, const uint8_t *bytes, size_t count, uint8_t *code) {
    const struct mpin_libcrypto *crypto = mpin_libcrypto();
    if (crypto == NULL || key_count > INT_MAX) return 0;
    if ((key == NULL && key_count != 0) || (bytes == NULL && count != 0)) return 0;
    unsigned int size = 0;
    return crypto->hmac(crypto->sha256(), key ? key : nothing, (int)key_count, bytes ? bytes : nothing, count, code,
                        &size) != NULL
        && size == MPIN_SHA256_SIZE;
}
