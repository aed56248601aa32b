// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "COpenSSL.h"
#include "libcrypto.h"

#include <limits.h>
#include <string.h>

// NIST SP 800-38D; the nonce has the 96 bits that GCM uses by default.
int mpin_gcm_seal(const uint8_t *key, const uint8_t *nonce, const uint8_t *context, size_t context_count,
                  const uint8_t *plain, size_t count, uint8_t *sealed, uint8_t *tag) {
    const struct mpin_libcrypto *crypto = mpin_libcrypto();
    if (crypto == NULL || count > INT_MAX || context_count > INT_MAX) return 0;
    if ((count != 0 && (plain == NULL || sealed == NULL)) || (context_count != 0 && context == NULL)) return 0;
    EVP_CIPHER_CTX *cipher = crypto->context_new();
    if (cipher == NULL) return 0;
    int written = 0;
    int good = crypto->encrypt_init(cipher, crypto->aes_256_gcm(), NULL, key, nonce) == 1
        && (context_count == 0 || crypto->encrypt_update(cipher, NULL, &written, context, (int)context_count) == 1)
        && (count == 0
            || (crypto->encrypt_update(cipher, sealed, &written, plain, (int)count) == 1 && written == (int)count))
        && crypto->encrypt_final(cipher, tag, &written) == 1 && written == 0
        && crypto->context_control(cipher, EVP_CTRL_AEAD_GET_TAG, MPIN_GCM_TAG_SIZE, tag) == 1;
    crypto->context_free(cipher);
    return good;
}

int mpin_gcm_open(const uint8_t *key, const uint8_t *nonce, const uint8_t *context, size_t context_count,
                  const uint8_t *sealed, size_t count, const uint8_t *tag, uint8_t *plain) {
    const struct mpin_libcrypto *crypto = mpin_libcrypto();
    if (crypto == NULL || count > INT_MAX || context_count > INT_MAX) return 0;
    if ((count != 0 && (plain == NULL || sealed == NULL)) || (context_count != 0 && context == NULL)) return 0;
    EVP_CIPHER_CTX *cipher = crypto->context_new();
    if (cipher == NULL) return 0;
    uint8_t expected[MPIN_GCM_TAG_SIZE], rest[MPIN_GCM_TAG_SIZE];
    memcpy(expected, tag, sizeof expected);
    int written = 0;
    int good = crypto->decrypt_init(cipher, crypto->aes_256_gcm(), NULL, key, nonce) == 1
        && (context_count == 0 || crypto->decrypt_update(cipher, NULL, &written, context, (int)context_count) == 1)
        && (count == 0
            || (crypto->decrypt_update(cipher, plain, &written, sealed, (int)count) == 1 && written == (int)count))
        && crypto->context_control(cipher, EVP_CTRL_AEAD_SET_TAG, MPIN_GCM_TAG_SIZE, expected) == 1
        && crypto->decrypt_final(cipher, rest, &written) == 1 && written == 0;
    crypto->context_free(cipher);
    if (!good && count != 0) explicit_bzero(plain, count);
    return good;
}
