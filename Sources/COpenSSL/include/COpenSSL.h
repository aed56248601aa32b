// SHA-256, HMAC, AES-256-GCM and random bytes. Here because libcrypto is opened with dlopen on first use (linking it
// costs every process that loads the module a millisecond) and because C is where a table of function pointers and
// getrandom(2) are at home.
//
// Each function answers 1 where it did what it says and 0 where it did not; then the output means nothing.
#ifndef COPENSSL_H
#define COPENSSL_H

#include <stddef.h>
#include <stdint.h>

#define MPIN_SHA256_SIZE 32
#define MPIN_GCM_KEY_SIZE 32
#define MPIN_GCM_NONCE_SIZE 12
#define MPIN_GCM_TAG_SIZE 16

// Whether libcrypto is there and has every function needed.
int mpin_crypto_available(void);

// SHA-256 of `count` bytes.
int mpin_sha256(const uint8_t *_Nullable bytes, size_t count, uint8_t *_Nonnull digest);

// HMAC-SHA-256.
int mpin_hmac_sha256(const uint8_t *_Nullable key, size_t key_count, const uint8_t *_Nullable bytes, size_t count,
                     uint8_t *_Nonnull code);

// AES-256-GCM: `count` bytes of `plain` to as many of `sealed`, and a tag. `context` is authenticated beside them.
int mpin_gcm_seal(const uint8_t *_Nonnull key, const uint8_t *_Nonnull nonce, const uint8_t *_Nullable context,
                  size_t context_count, const uint8_t *_Nullable plain, size_t count, uint8_t *_Nullable sealed,
                  uint8_t *_Nonnull tag);

// The way back. Nothing in `plain` may be used unless the answer is 1; it is wiped otherwise.
int mpin_gcm_open(const uint8_t *_Nonnull key, const uint8_t *_Nonnull nonce, const uint8_t *_Nullable context,
                  size_t context_count, const uint8_t *_Nullable sealed, size_t count, const uint8_t *_Nonnull tag,
                  uint8_t *_Nullable plain);

// Random bytes from the kernel, complete or not at all.
int mpin_random(uint8_t *_Nonnull bytes, size_t count);

#endif
