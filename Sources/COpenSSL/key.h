// SPDX-License-Identifier: Apache-2.0

// Keys of P-256 as libcrypto has them.
#ifndef COPENSSL_KEY_H
#define COPENSSL_KEY_H

#include "libcrypto.h"

// Makes a key from its private half alone, which signs; NULL if libcrypto refuses it. libcrypto clears its copy with the
// key.
EVP_PKEY *mpin_private_key(const struct mpin_libcrypto *crypto, const uint8_t *scalar);

// Makes a public key; NULL for bytes that are no point.
EVP_PKEY *mpin_public_key(const struct mpin_libcrypto *crypto, const uint8_t *point);

#endif
