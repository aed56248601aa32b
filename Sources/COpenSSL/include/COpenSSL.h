// SHA-256, HMAC, AES-256-GCM and random bytes. In C because libcrypto is opened with dlopen on first use, through a
// table of function pointers.
//
// Each function returns 1 on success and 0 on failure; after a failure the output must not be used.
#ifndef COPENSSL_H
#define COPENSSL_H

#include <stddef.h>
#include <stdint.h>

#define MPIN_SHA256_SIZE 32
#define MPIN_GCM_KEY_SIZE 32
#define MPIN_GCM_NONCE_SIZE 12
#define MPIN_GCM_TAG_SIZE 16

// Whether libcrypto can be opened and has all functions needed.
int mpin_crypto_available(void);

// SHA-256 of `count` bytes.
int mpin_sha256(const uint8_t *_Nullable bytes, size_t count, uint8_t *_Nonnull digest);

// HMAC-SHA-256.
int mpin_hmac_sha256(const uint8_t *_Nullable key, size_t key_count, const uint8_t *_Nullable bytes, size_t count,
                     uint8_t *_Nonnull code);

// AES-256-GCM: encrypts `count` bytes of `plain` to `sealed` and computes the tag. `context` is authenticated as well.
int mpin_gcm_seal(const uint8_t *_Nonnull key, const uint8_t *_Nonnull nonce, const uint8_t *_Nullable context,
                  size_t context_count, const uint8_t *_Nullable plain, size_t count, uint8_t *_Nullable sealed,
                  uint8_t *_Nonnull tag);

// Verifies and decrypts. `plain` holds the plaintext only if the result is 1; it is wiped otherwise.
int mpin_gcm_open(const uint8_t *_Nonnull key, const uint8_t *_Nonnull nonce, const uint8_t *_Nullable context,
                  size_t context_count, const uint8_t *_Nullable sealed, size_t count, const uint8_t *_Nonnull tag,
                  uint8_t *_Nullable plain);

// Random bytes from getrandom(2).
int mpin_random(uint8_t *_Nonnull bytes, size_t count);

#endif
