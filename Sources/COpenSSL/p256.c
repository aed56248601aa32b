// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "COpenSSL.h"
#include "key.h"
#include "libcrypto.h"

#include <openssl/core_names.h>
#include <openssl/params.h>
#include <string.h>

// Copies a number of 32 bytes in the byte order of libcrypto's parameters, which is the machine's.
static void native(uint8_t *target, const uint8_t *number) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    for (int index = 0; index < MPIN_P256_SCALAR_SIZE; index++)
        target[index] = number[MPIN_P256_SCALAR_SIZE - 1 - index];
#else
    memcpy(target, number, MPIN_P256_SCALAR_SIZE);
#endif
}

// Makes a key from one of its halves; NULL if libcrypto refuses it.
static EVP_PKEY *key_of(const struct mpin_libcrypto *crypto, int selection, OSSL_PARAM half) {
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, "P-256", sizeof "P-256" - 1),
        half,
        OSSL_PARAM_END,
    };
    EVP_PKEY_CTX *context = crypto->key_context_named(NULL, "EC", NULL);
    EVP_PKEY *key = NULL;
    if (context == NULL || crypto->from_data_init(context) != 1
        || crypto->from_data(context, &key, selection, parameters) != 1)
        key = NULL;
    crypto->key_context_free(context);
    return key;
}

// Makes a public key. libcrypto accepts only points of the curve, and never infinity, which has no encoding of this length.
EVP_PKEY *mpin_public_key(const struct mpin_libcrypto *crypto, const uint8_t *point) {
    if (crypto == NULL || point[0] != 4) return NULL;
    return key_of(
        crypto, EVP_PKEY_PUBLIC_KEY,
        (OSSL_PARAM)OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)(uintptr_t)point, MPIN_P256_POINT_SIZE));
}

// Reserves memory for the next step, including the first use of keys and random numbers; NULL if there is not enough.
static void *reserve(void) {
    return mpin_memory_try() == 0 ? mpin_reserve_take() : NULL;
}

static int generate(const struct mpin_libcrypto *crypto, uint8_t *scalar, uint8_t *point) {
    EVP_PKEY *key = crypto->generate(NULL, NULL, "EC", "P-256");
    if (key == NULL) return 0;
    BIGNUM *number = NULL;
    size_t count = 0;
    int good = crypto->key_number(key, OSSL_PKEY_PARAM_PRIV_KEY, &number) == 1
        && crypto->number_to_bytes(number, scalar, MPIN_P256_SCALAR_SIZE) == MPIN_P256_SCALAR_SIZE
        && crypto->key_bytes(key, OSSL_PKEY_PARAM_PUB_KEY, point, MPIN_P256_POINT_SIZE, &count) == 1
        && count == MPIN_P256_POINT_SIZE && point[0] == 4;
    crypto->number_clear_free(number);
    crypto->key_free(key);
    if (!good) explicit_bzero(scalar, MPIN_P256_SCALAR_SIZE);
    return good;
}

int mpin_p256_generate(uint8_t *scalar, uint8_t *point) {
    const struct mpin_libcrypto *crypto = mpin_libcrypto();
    void *reserved = crypto ? reserve() : NULL;
    if (reserved == NULL) return 0;
    int good = generate(crypto, scalar, point);
    mpin_reserve_give(reserved);
    return good;
}

EVP_PKEY *mpin_private_key(const struct mpin_libcrypto *crypto, const uint8_t *scalar) {
    uint8_t number[MPIN_P256_SCALAR_SIZE];
    native(number, scalar);
    EVP_PKEY *key = key_of(
        crypto, EVP_PKEY_KEYPAIR, (OSSL_PARAM)OSSL_PARAM_BN(OSSL_PKEY_PARAM_PRIV_KEY, number, sizeof number));
    explicit_bzero(number, sizeof number);
    return key;
}

static int sign(const struct mpin_libcrypto *crypto, const uint8_t *scalar, const uint8_t *digest, uint8_t *signature) {
    EVP_PKEY *key = mpin_private_key(crypto, scalar);
    if (key == NULL) return 0;
    EVP_PKEY_CTX *context = crypto->key_context(key, NULL);
    // SEQUENCE of two INTEGERs of 33 bytes at most.
    uint8_t encoded[72];
    size_t count = sizeof encoded;
    int good = context != NULL && crypto->sign_init(context) == 1
        && crypto->sign(context, encoded, &count, digest, MPIN_SHA256_SIZE) == 1;
    crypto->key_context_free(context);
    crypto->key_free(key);
    if (!good) return 0;
    const uint8_t *start = encoded;
    ECDSA_SIG *pair = crypto->signature_read(NULL, &start, (long)count);
    if (pair == NULL) return 0;
    const BIGNUM *r = NULL, *s = NULL;
    crypto->signature_parts(pair, &r, &s);
    good = crypto->number_to_bytes(r, signature, MPIN_P256_SCALAR_SIZE) == MPIN_P256_SCALAR_SIZE
        && crypto->number_to_bytes(s, signature + MPIN_P256_SCALAR_SIZE, MPIN_P256_SCALAR_SIZE)
            == MPIN_P256_SCALAR_SIZE;
    crypto->signature_free(pair);
    return good;
}

int mpin_p256_sign(const uint8_t *scalar, const uint8_t *digest, uint8_t *signature) {
    const struct mpin_libcrypto *crypto = mpin_libcrypto();
    void *reserved = crypto ? reserve() : NULL;
    if (reserved == NULL) return 0;
    int good = sign(crypto, scalar, digest, signature);
    mpin_reserve_give(reserved);
    return good;
}

// Writes the DER form of a positive number without leading zeros, except one if the first bit is set. Returns its
// length.
static size_t write_integer(uint8_t *target, const uint8_t *number) {
    size_t first = 0;
    while (first < MPIN_P256_SCALAR_SIZE - 1 && number[first] == 0) first++;
    size_t count = MPIN_P256_SCALAR_SIZE - first, extra = number[first] >> 7;
    target[0] = 2;
    target[1] = (uint8_t)(count + extra);
    target[2] = 0;
    memcpy(target + 2 + extra, number + first, count);
    return 2 + extra + count;
}

static int verify(
    const struct mpin_libcrypto *crypto, const uint8_t *point, const uint8_t *digest, const uint8_t *signature) {
    EVP_PKEY *key = mpin_public_key(crypto, point);
    if (key == NULL) return 0;
    uint8_t encoded[72];
    size_t count = 2 + write_integer(encoded + 2, signature);
    count += write_integer(encoded + count, signature + MPIN_P256_SCALAR_SIZE);
    encoded[0] = 0x30;
    encoded[1] = (uint8_t)(count - 2);
    EVP_PKEY_CTX *context = crypto->key_context(key, NULL);
    int verdict = -1;
    if (context != NULL && crypto->verify_init(context) == 1)
        verdict = crypto->verify(context, encoded, count, digest, MPIN_SHA256_SIZE);
    crypto->key_context_free(context);
    crypto->key_free(key);
    return verdict;
}

int mpin_p256_verify(const uint8_t *point, const uint8_t *digest, const uint8_t *signature) {
    const struct mpin_libcrypto *crypto = mpin_libcrypto();
    void *reserved = crypto ? reserve() : NULL;
    if (reserved == NULL) return -1;
    int verdict = verify(crypto, point, digest, signature);
    mpin_reserve_give(reserved);
    return verdict;
}

int mpin_p256_is_point(const uint8_t *point) {
    const struct mpin_libcrypto *crypto = mpin_libcrypto();
    EVP_PKEY *key = mpin_public_key(crypto, point);
    if (key == NULL) return 0;
    crypto->key_free(key);
    return 1;
}
