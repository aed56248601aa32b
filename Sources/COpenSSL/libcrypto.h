// The functions of libcrypto that are used, typed by OpenSSL's own headers.
#ifndef COPENSSL_LIBCRYPTO_H
#define COPENSSL_LIBCRYPTO_H

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "CMPinSystem.h"

#define MPIN_LIBCRYPTO(EACH) \
    EACH(sha256, EVP_sha256) \
    EACH(digest, EVP_Digest) \
    EACH(hmac, HMAC) \
    EACH(aes_256_gcm, EVP_aes_256_gcm) \
    EACH(context_new, EVP_CIPHER_CTX_new) \
    EACH(context_free, EVP_CIPHER_CTX_free) \
    EACH(context_control, EVP_CIPHER_CTX_ctrl) \
    EACH(encrypt_init, EVP_EncryptInit_ex) \
    EACH(encrypt_update, EVP_EncryptUpdate) \
    EACH(encrypt_final, EVP_EncryptFinal_ex) \
    EACH(decrypt_init, EVP_DecryptInit_ex) \
    EACH(decrypt_update, EVP_DecryptUpdate) \
    EACH(decrypt_final, EVP_DecryptFinal_ex)

struct mpin_libcrypto {
    MPIN_LIBCRYPTO(MPIN_LIBRARY_MEMBER)
};

// The table, filled on first use; NULL where libcrypto is missing or too old.
const struct mpin_libcrypto *mpin_libcrypto(void);

#endif
