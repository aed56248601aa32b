// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "session.h"

enum mpin_tpm_outcome mpin_tpm_seal(
    struct mpin_tpm_call *call, const uint8_t *secret, struct mpin_tpm_blob *blob) {
    struct mpin_tpm_object object;
    return mpin_tpm_create(call, MPIN_TPM_SEALED_SECRET, secret, &object, blob);
}

static TSS2_RC unseal_with(struct mpin_tpm_session *session, ESYS_TR handle, void *job) {
    TPM2B_SENSITIVE_DATA *data = NULL;
    TSS2_RC code = session->esys->unseal(
        session->context, handle, ESYS_TR_PASSWORD, ESYS_TR_NONE, ESYS_TR_NONE, &data);
    if (code == TSS2_RC_SUCCESS) {
        if (data->size == MPIN_TPM_SECRET_SIZE) memcpy(job, data->buffer, MPIN_TPM_SECRET_SIZE);
        else code = TSS2_ESYS_RC_MALFORMED_RESPONSE;
        mpin_wipe(data, sizeof *data);
    }
    session->esys->free(data);
    return code;
}

enum mpin_tpm_outcome mpin_tpm_unseal(
    struct mpin_tpm_call *call, const uint8_t *blob, size_t count, uint8_t *secret) {
    struct mpin_tpm_object object;
    mpin_wipe(secret, MPIN_TPM_SECRET_SIZE);
    if (!mpin_tpm_blob_read(blob, count, &object, MPIN_TPM_SEALED_SECRET)) return MPIN_TPM_MALFORMED;
    enum mpin_tpm_outcome outcome = mpin_tpm_use_object(call, secret, &object, unseal_with, secret);
    if (outcome != MPIN_TPM_DONE) mpin_wipe(secret, MPIN_TPM_SECRET_SIZE);
    return outcome;
}
