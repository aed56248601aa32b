// SPDX-License-Identifier: Apache-2.0

// The format of a blob: version, kind, then fields, each after its length in two bytes, most significant first: the
// name of the parent, the private part as the TPM wrapped it, and x and y of a key, or the digest of a secret.
//
// Of the public part, a blob contains only what the TPM has chosen. The rest is fixed for each kind and is in the code,
// so that no file can decide what a key may do.
#ifndef CTPM_BLOB_H
#define CTPM_BLOB_H

#include <tss2/tss2_tpm2_types.h>

#include "CTPM.h"

enum mpin_tpm_kind { MPIN_TPM_SIGNING_KEY = 1, MPIN_TPM_SEALED_SECRET = 2 };

struct mpin_tpm_object {
    TPM2B_NAME parent;
    TPM2B_PUBLIC visible;
    TPM2B_PRIVATE wrapped;
};

// Fills in the public part that is fixed for a kind.
void mpin_tpm_template(TPM2B_PUBLIC *visible, enum mpin_tpm_kind kind);

// Writes a blob. Returns whether it fits.
int mpin_tpm_blob_write(struct mpin_tpm_blob *blob, const struct mpin_tpm_object *object, enum mpin_tpm_kind kind);

// Reads a blob. Returns whether it is valid and of this kind.
int mpin_tpm_blob_read(const uint8_t *bytes, size_t count, struct mpin_tpm_object *object, enum mpin_tpm_kind kind);

// Writes a number right-aligned into 32 bytes. Returns whether it fits.
int mpin_tpm_pad(uint8_t *target, const TPM2B_ECC_PARAMETER *number);

#endif
