// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "COpenSSL.h"
#include "libcrypto.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/random.h>

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

// NIST SP 800-38D; the nonce has the 96 bits that GCM uses by default. The tag is written, or is the one to expect.
static int gcm(int is_sealing, const uint8_t *key, const uint8_t *nonce, const uint8_t *context, size_t context_count,
               const uint8_t *input, size_t count, uint8_t *output, uint8_t *tag) {
    const struct mpin_libcrypto *crypto = mpin_libcrypto();
    if (crypto == NULL || count > INT_MAX || context_count > INT_MAX) return 0;
    if ((count != 0 && (input == NULL || output == NULL)) || (context_count != 0 && context == NULL)) return 0;
    EVP_CIPHER_CTX *cipher = crypto->context_new();
    if (cipher == NULL) return 0;
    uint8_t rest[MPIN_GCM_TAG_SIZE];
    int written = 0;
    int good = crypto->cipher_init(cipher, crypto->aes_256_gcm(), NULL, key, nonce, is_sealing) == 1
        && (context_count == 0 || crypto->cipher_update(cipher, NULL, &written, context, (int)context_count) == 1)
        && (count == 0
            || (crypto->cipher_update(cipher, output, &written, input, (int)count) == 1 && written == (int)count))
        && (is_sealing || crypto->context_control(cipher, EVP_CTRL_AEAD_SET_TAG, MPIN_GCM_TAG_SIZE, tag) == 1)
        && crypto->cipher_final(cipher, rest, &written) == 1 && written == 0
        && (!is_sealing || crypto->context_control(cipher, EVP_CTRL_AEAD_GET_TAG, MPIN_GCM_TAG_SIZE, tag) == 1);
    crypto->context_free(cipher);
    if (!good && !is_sealing && count != 0) explicit_bzero(output, count);
    return good;
}

int mpin_gcm_seal(const uint8_t *key, const uint8_t *nonce, const uint8_t *context, size_t context_count,
                  const uint8_t *plain, size_t count, uint8_t *sealed, uint8_t *tag) {
    return gcm(1, key, nonce, context, context_count, plain, count, sealed, tag);
}

int mpin_gcm_open(const uint8_t *key, const uint8_t *nonce, const uint8_t *context, size_t context_count,
                  const uint8_t *sealed, size_t count, const uint8_t *tag, uint8_t *plain) {
    uint8_t expected[MPIN_GCM_TAG_SIZE];
    memcpy(expected, tag, sizeof expected);
    return gcm(0, key, nonce, context, context_count, sealed, count, plain, expected);
}

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
