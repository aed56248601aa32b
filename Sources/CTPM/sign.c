// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "session.h"

struct signing {
    const uint8_t *digest;
    uint8_t *signature;
};

enum mpin_tpm_outcome mpin_tpm_create_key(
    struct mpin_tpm_call *call, struct mpin_tpm_blob *blob, uint8_t *public_key) {
    struct mpin_tpm_object object;
    enum mpin_tpm_outcome outcome = mpin_tpm_create(call, MPIN_TPM_SIGNING_KEY, NULL, &object, blob);
    if (outcome == MPIN_TPM_DONE && !mpin_tpm_public_key(blob->bytes, blob->count, public_key)) return MPIN_TPM_FAILED;
    return outcome;
}

static TSS2_RC sign_with(struct mpin_tpm_session *session, ESYS_TR handle, void *job) {
    const struct signing *signing = job;
    const TPMT_SIG_SCHEME scheme = {.scheme = TPM2_ALG_ECDSA, .details.ecdsa.hashAlg = TPM2_ALG_SHA256};
    // No ticket: the key is not restricted to digests that the TPM has made itself.
    const TPMT_TK_HASHCHECK ticket = {.tag = TPM2_ST_HASHCHECK, .hierarchy = TPM2_RH_NULL};
    TPM2B_DIGEST digest = {.size = MPIN_TPM_DIGEST_SIZE};
    TPMT_SIGNATURE *signature = NULL;
    memcpy(digest.buffer, signing->digest, MPIN_TPM_DIGEST_SIZE);
    TSS2_RC code = session->esys->sign(
        session->context, handle, ESYS_TR_PASSWORD, ESYS_TR_NONE, ESYS_TR_NONE, &digest, &scheme, &ticket, &signature);
    if (code == TSS2_RC_SUCCESS) {
        const TPMS_SIGNATURE_ECC *pair = &signature->signature.ecdsa;
        if (!mpin_tpm_pad(signing->signature, &pair->signatureR)
            || !mpin_tpm_pad(signing->signature + MPIN_TPM_SIGNATURE_SIZE / 2, &pair->signatureS)) {
            code = TSS2_ESYS_RC_MALFORMED_RESPONSE;
        }
    }
    session->esys->free(signature);
    return code;
}

enum mpin_tpm_outcome mpin_tpm_sign(
    struct mpin_tpm_call *call, const uint8_t *blob, size_t count, const uint8_t *digest, uint8_t *signature) {
    struct mpin_tpm_object object;
    struct signing signing = {.digest = digest, .signature = signature};
    if (!mpin_tpm_blob_read(blob, count, &object, MPIN_TPM_SIGNING_KEY)) return MPIN_TPM_MALFORMED;
    return mpin_tpm_use_object(call, NULL, &object, sign_with, &signing);
}
