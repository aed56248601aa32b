// The functions of libcrypto that are used, by their documented prototypes (OpenSSL 3, EVP_DigestInit(3),
// EVP_EncryptInit(3), HMAC(3)). Written out here so that building needs no OpenSSL headers.
#ifndef MPIN_LIBRARY_H
#define MPIN_LIBRARY_H

#include <stddef.h>

struct mpin_libcrypto {
    const void *(*sha256)(void);
    int (*digest)(const void *data, size_t count, unsigned char *md, unsigned int *size, const void *type, void *engine);
    unsigned char *(*hmac)(const void *type, const void *key, int key_count, const unsigned char *data, size_t count,
                           unsigned char *md, unsigned int *size);
    const void *(*aes_256_gcm)(void);
    void *(*context_new)(void);
    void (*context_free)(void *context);
    int (*encrypt_init)(void *context, const void *type, void *engine, const unsigned char *key, const unsigned char *iv);
    int (*encrypt_update)(void *context, unsigned char *out, int *out_count, const unsigned char *in, int in_count);
    int (*encrypt_final)(void *context, unsigned char *out, int *out_count);
    int (*decrypt_init)(void *context, const void *type, void *engine, const unsigned char *key, const unsigned char *iv);
    int (*decrypt_update)(void *context, unsigned char *out, int *out_count, const unsigned char *in, int in_count);
    int (*decrypt_final)(void *context, unsigned char *out, int *out_count);
    int (*context_control)(void *context, int type, int number, void *pointer);
};

// The table, filled on first use; NULL where libcrypto is missing or too old.
const struct mpin_libcrypto *mpin_libcrypto(void);

#endif
