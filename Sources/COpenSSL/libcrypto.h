// SPDX-License-Identifier: Apache-2.0

// The functions of libcrypto that are used, typed by OpenSSL's own headers.
#ifndef COPENSSL_LIBCRYPTO_H
#define COPENSSL_LIBCRYPTO_H

#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "CMPinSystem.h"

#define MPIN_LIBCRYPTO(EACH) \
    EACH(init, OPENSSL_init_crypto) \
    EACH(sha256, EVP_sha256) \
    EACH(digest, EVP_Digest) \
    EACH(hmac, HMAC) \
    EACH(aes_256_gcm, EVP_aes_256_gcm) \
    EACH(context_new, EVP_CIPHER_CTX_new) \
    EACH(context_free, EVP_CIPHER_CTX_free) \
    EACH(context_control, EVP_CIPHER_CTX_ctrl) \
    EACH(cipher_init, EVP_CipherInit_ex) \
    EACH(cipher_update, EVP_CipherUpdate) \
    EACH(cipher_final, EVP_CipherFinal_ex) \
    EACH(generate, EVP_PKEY_Q_keygen) \
    EACH(key_free, EVP_PKEY_free) \
    EACH(key_number, EVP_PKEY_get_bn_param) \
    EACH(key_bytes, EVP_PKEY_get_octet_string_param) \
    EACH(key_context_named, EVP_PKEY_CTX_new_from_name) \
    EACH(key_context, EVP_PKEY_CTX_new) \
    EACH(key_context_free, EVP_PKEY_CTX_free) \
    EACH(from_data_init, EVP_PKEY_fromdata_init) \
    EACH(from_data, EVP_PKEY_fromdata) \
    EACH(sign_init, EVP_PKEY_sign_init) \
    EACH(sign, EVP_PKEY_sign) \
    EACH(verify_init, EVP_PKEY_verify_init) \
    EACH(verify, EVP_PKEY_verify) \
    EACH(signature_read, d2i_ECDSA_SIG) \
    EACH(signature_parts, ECDSA_SIG_get0) \
    EACH(signature_free, ECDSA_SIG_free) \
    EACH(number_to_bytes, BN_bn2binpad) \
    EACH(number_clear_free, BN_clear_free)

struct mpin_libcrypto {
    MPIN_LIBCRYPTO(MPIN_LIBRARY_MEMBER)
};

// Returns the table, filled on first use; NULL if libcrypto is missing or too old.
const struct mpin_libcrypto *mpin_libcrypto(void);

#endif
