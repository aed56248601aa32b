// SPDX-License-Identifier: Apache-2.0

// One call: the TPM opened under the guard, a parent key in it, and an object below the parent.
#ifndef CTPM_SESSION_H
#define CTPM_SESSION_H

#include "blob.h"
#include "channel.h"
#include "esys.h"

struct mpin_tpm_session {
    const struct mpin_esys *esys;
    ESYS_CONTEXT *context;
    struct mpin_tpm_channel channel;
    // A secret that must not remain in libtss2's memory; NULL for none.
    const uint8_t *secret;
};

// An operation on a key in the TPM, or on a parent.
typedef TSS2_RC (*mpin_tpm_use)(struct mpin_tpm_session *session, ESYS_TR handle, void *job);

// Makes an object of a kind with a secret. The secret may be NULL: then the TPM makes one.
enum mpin_tpm_outcome mpin_tpm_create(
    struct mpin_tpm_call *call, enum mpin_tpm_kind kind, const uint8_t *secret, struct mpin_tpm_object *object,
    struct mpin_tpm_blob *blob);

// Loads an object, uses it, and flushes it.
enum mpin_tpm_outcome mpin_tpm_use_object(
    struct mpin_tpm_call *call, const uint8_t *secret, const struct mpin_tpm_object *object, mpin_tpm_use use,
    void *job);

#endif
