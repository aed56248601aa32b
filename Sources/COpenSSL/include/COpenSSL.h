// SPDX-License-Identifier: Apache-2.0

// SHA-256, HMAC, AES-256-GCM, ECDSA and random bytes. In C because libcrypto is loaded with dlopen on first use,
// through a table of function pointers.
//
// Each function returns 1 on success and 0 on failure; after a failure the output must not be used.
#ifndef COPENSSL_H
#define COPENSSL_H

#include <stddef.h>
#include <stdint.h>

#define MPIN_SHA256_SIZE 32
#define MPIN_GCM_TAG_SIZE 16
#define MPIN_P256_SCALAR_SIZE 32
#define MPIN_P256_POINT_SIZE 65

// Whether libcrypto can be loaded and has all functions needed.
int mpin_crypto_available(void);

// Whether libcrypto can be loaded, but has no SHA-256, because no provider meets the default properties in openssl.cnf.
int mpin_crypto_is_restricted(void);

// SHA-256 of `count` bytes.
int mpin_sha256(const uint8_t *_Nullable bytes, size_t count, uint8_t *_Nonnull digest);

// HMAC-SHA-256.
int mpin_hmac_sha256(const uint8_t *_Nullable key, size_t key_count, const uint8_t *_Nullable bytes, size_t count,
                     uint8_t *_Nonnull code);

// AES-256-GCM: encrypts `count` bytes of `plain` to `sealed` and computes the tag, which also authenticates `context`.
int mpin_gcm_seal(const uint8_t *_Nonnull key, const uint8_t *_Nonnull nonce, const uint8_t *_Nullable context,
                  size_t context_count, const uint8_t *_Nullable plain, size_t count, uint8_t *_Nullable sealed,
                  uint8_t *_Nonnull tag);

// Verifies and decrypts. `plain` contains the plaintext only if the result is 1; otherwise it is wiped.
int mpin_gcm_open(const uint8_t *_Nonnull key, const uint8_t *_Nonnull nonce, const uint8_t *_Nullable context,
                  size_t context_count, const uint8_t *_Nullable sealed, size_t count, const uint8_t *_Nonnull tag,
                  uint8_t *_Nullable plain);

// Makes a new key pair on P-256: the private number, big-endian, and the point with its first byte 4.
int mpin_p256_generate(uint8_t *_Nonnull scalar, uint8_t *_Nonnull point);

// Signs a digest of 32 bytes with ECDSA: r and s, 32 bytes each, big-endian. libcrypto's own copy of the number is on
// its heap during the call, and is cleared afterwards.
int mpin_p256_sign(const uint8_t *_Nonnull scalar, const uint8_t *_Nonnull digest, uint8_t *_Nonnull signature);

// Verifies an ECDSA signature. An s in the upper half is as valid as one in the lower half. Returns 1 for a right
// signature, 0 for a wrong one or for bytes that are no point, and -1 if neither could be decided, for lack of memory or
// of libcrypto.
int mpin_p256_verify(const uint8_t *_Nonnull point, const uint8_t *_Nonnull digest, const uint8_t *_Nonnull signature);

// Whether 65 bytes are a point on the curve.
int mpin_p256_is_point(const uint8_t *_Nonnull point);

// Random bytes from getrandom(2).
int mpin_random(uint8_t *_Nonnull bytes, size_t count);

// X.509 certificates for a server whose key is its own CA.

// Seconds since 1970.
struct mpin_validity {
    int64_t from, until;
};

// Encoded, with room for what the functions below make.
struct mpin_der {
    uint8_t bytes[1024];
    size_t length;
};

// Makes a key pair for TLS, and a certificate for it that the CA signs. `name` is DNS:NAME or IP:ADDRESS, in characters that
// have no meaning in openssl.cnf. Returns whether it could.
int mpin_certificate_issue(const uint8_t *_Nonnull scalar, const uint8_t *_Nonnull point, const char *_Nonnull name,
                           const struct mpin_validity *_Nonnull validity, struct mpin_der *_Nonnull certificate,
                           struct mpin_der *_Nonnull secret);

// Makes the CA's own certificate, for servers, with the name constraints of `constraint`, as in openssl.cnf. Returns whether
// it could.
int mpin_certificate_authority(const uint8_t *_Nonnull scalar, const uint8_t *_Nonnull point,
                               const char *_Nonnull constraint, const struct mpin_validity *_Nonnull validity,
                               struct mpin_der *_Nonnull certificate);

// Whether a certificate, DER, is for a host: a name, or an address without brackets.
int mpin_certificate_is_for(const uint8_t *_Nonnull der, size_t length, const char *_Nonnull host);

#endif
