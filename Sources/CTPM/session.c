// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "session.h"

#include <malloc.h>
#include <string.h>

// The handle of the storage root key in a provisioned TPM, from the TCG's registry of handles.
static const TPM2_HANDLE kept_parent = 0x81000001;

// Wipes every copy of a secret in a memory block of libtss2, which wipes none of its memory itself.
static void wipe_copies(void *block, const uint8_t *secret) {
    size_t count = malloc_usable_size(block);
    uint8_t *copy, *end = (uint8_t *)block + count;
    while ((copy = memmem(block, (size_t)(end - (uint8_t *)block), secret, MPIN_TPM_SECRET_SIZE)) != NULL) {
        mpin_wipe(copy, MPIN_TPM_SECRET_SIZE);
        block = copy + MPIN_TPM_SECRET_SIZE;
    }
}

// Whether an answer refers to a parameter, a handle or a session: TPM_RC in format one.
static int is_about_input(TSS2_RC code) {
    return (code & 0x80) != 0 && code < 0x1000;
}

static enum mpin_tpm_outcome judge(struct mpin_tpm_call *call, const struct mpin_tpm_session *session, TSS2_RC code) {
    call->response = code;
    call->error = session->channel.error;
    if (code == TSS2_RC_SUCCESS) return MPIN_TPM_DONE;
    if (call->error) return mpin_tpm_judge_error(call->error);
    if (code == TPM2_RC_INTEGRITY) return MPIN_TPM_UNKNOWN_KEY;
    // TPM_RC_WARN: the command may succeed later.
    return (code & 0x980) == TPM2_RC_WARN && code < 0x1000 ? MPIN_TPM_BUSY : MPIN_TPM_FAILED;
}

// Makes the storage root key from the TCG's template for P-256: the same seed always gives the same key.
static TSS2_RC make_parent(struct mpin_tpm_session *session, ESYS_TR *parent) {
    const TPM2B_SENSITIVE_CREATE sensitive = {0};
    const TPM2B_DATA outside = {0};
    const TPML_PCR_SELECTION registers = {0};
    TPM2B_PUBLIC visible;
    mpin_tpm_template(&visible, MPIN_TPM_SIGNING_KEY);
    TPMT_PUBLIC *area = &visible.publicArea;
    TPMS_ECC_PARMS *curve = &area->parameters.eccDetail;
    area->objectAttributes ^= TPMA_OBJECT_SIGN_ENCRYPT | TPMA_OBJECT_DECRYPT | TPMA_OBJECT_RESTRICTED;
    curve->symmetric.algorithm = TPM2_ALG_AES;
    curve->symmetric.keyBits.aes = 128;
    curve->symmetric.mode.aes = TPM2_ALG_CFB;
    curve->scheme.scheme = TPM2_ALG_NULL;
    return session->esys->create_primary(
        session->context, ESYS_TR_RH_OWNER, ESYS_TR_PASSWORD, ESYS_TR_NONE, ESYS_TR_NONE, &sensitive, &visible,
        &outside, &registers, parent, NULL, NULL, NULL, NULL);
}

static TSS2_RC use_parents(struct mpin_tpm_session *session, mpin_tpm_use use, void *job) {
    // The persistent key is tried first, because a small TPM takes long to make one. There may be none, or one of
    // another kind.
    ESYS_TR parent = ESYS_TR_NONE;
    TSS2_RC code = session->esys->from_public(
        session->context, kept_parent, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &parent);
    if (code == TSS2_RC_SUCCESS) code = use(session, parent, job);
    if (code == TSS2_RC_SUCCESS || session->channel.error) return code;
    code = make_parent(session, &parent);
    if (code != TSS2_RC_SUCCESS) return code;
    code = use(session, parent, job);
    session->esys->flush(session->context, parent);
    return code;
}

static enum mpin_tpm_outcome run(
    struct mpin_tpm_call *call, const uint8_t *secret, mpin_tpm_use use, void *job) {
    struct mpin_tpm_session session = {.secret = secret, .channel.deadline_ns = call->deadline_ns, .channel.stop = call->stop};
    struct mpin_guard guard;
    call->response = 0;
    mpin_guard_enter_mute(&guard);
    session.esys = mpin_esys(&call->error);
    // Any other errno of a library says nothing about the TPM.
    enum mpin_tpm_outcome outcome = mpin_tpm_judge_error(call->error);
    if (outcome != MPIN_TPM_DONE && outcome != MPIN_TPM_SHORTAGE) outcome = MPIN_TPM_NO_LIBRARY;
    if (session.esys) {
        outcome = mpin_tpm_channel_open(&session.channel, call->device ? call->device : MPIN_TPM_DEVICE);
        call->error = session.channel.error;
        if (outcome == MPIN_TPM_DONE) {
            TSS2_RC code =
                session.esys->initialize(&session.context, (TSS2_TCTI_CONTEXT *)&session.channel, NULL);
            if (code == TSS2_RC_SUCCESS) code = use_parents(&session, use, job);
            if (session.context && secret) wipe_copies(session.context, secret);
            mpin_tpm_channel_wipe(&session.channel);
            session.esys->finalize(&session.context);
            outcome = judge(call, &session, code);
        }
        mpin_tpm_channel_close(&session.channel);
    }
    mpin_guard_leave(&guard);
    return outcome;
}

struct creation {
    TPM2B_SENSITIVE_CREATE sensitive;
    enum mpin_tpm_kind kind;
    struct mpin_tpm_object *object;
};

static TSS2_RC name_of(struct mpin_tpm_session *session, ESYS_TR handle, TPM2B_NAME *copy) {
    TPM2B_NAME *name = NULL;
    TSS2_RC code = session->esys->name(session->context, handle, &name);
    if (code == TSS2_RC_SUCCESS) *copy = *name;
    session->esys->free(name);
    return code;
}

static TSS2_RC create_below(struct mpin_tpm_session *session, ESYS_TR parent, void *job) {
    struct creation *creation = job;
    const TPM2B_DATA outside = {0};
    const TPML_PCR_SELECTION registers = {0};
    TPM2B_PRIVATE *wrapped = NULL;
    TPM2B_PUBLIC *visible = NULL, template;
    mpin_tpm_template(&template, creation->kind);
    TSS2_RC code = session->esys->create(
        session->context, parent, ESYS_TR_PASSWORD, ESYS_TR_NONE, ESYS_TR_NONE, &creation->sensitive, &template,
        &outside, &registers, &wrapped, &visible, NULL, NULL, NULL);
    if (code == TSS2_RC_SUCCESS) {
        creation->object->visible = *visible;
        creation->object->wrapped = *wrapped;
        code = name_of(session, parent, &creation->object->parent);
    }
    session->esys->free(wrapped);
    session->esys->free(visible);
    return code;
}

enum mpin_tpm_outcome mpin_tpm_create(
    struct mpin_tpm_call *call, enum mpin_tpm_kind kind, const uint8_t *secret, struct mpin_tpm_object *object,
    struct mpin_tpm_blob *blob) {
    struct creation creation = {.kind = kind, .object = object};
    TPM2B_SENSITIVE_DATA *data = &creation.sensitive.sensitive.data;
    if (secret) {
        data->size = MPIN_TPM_SECRET_SIZE;
        memcpy(data->buffer, secret, MPIN_TPM_SECRET_SIZE);
    }
    enum mpin_tpm_outcome outcome = run(call, secret, create_below, &creation);
    mpin_wipe(data, sizeof *data);
    if (outcome == MPIN_TPM_DONE && !mpin_tpm_blob_write(blob, object, kind)) outcome = MPIN_TPM_FAILED;
    return outcome;
}

struct errand {
    const struct mpin_tpm_object *object;
    mpin_tpm_use use;
    void *job;
};

static TSS2_RC use_below(struct mpin_tpm_session *session, ESYS_TR parent, void *job) {
    const struct errand *errand = job;
    const TPM2B_NAME *wanted = &errand->object->parent;
    TPM2B_NAME name;
    ESYS_TR handle;
    TSS2_RC code = name_of(session, parent, &name);
    if (code != TSS2_RC_SUCCESS) return code;
    if (name.size != wanted->size || memcmp(name.name, wanted->name, name.size) != 0) return TPM2_RC_INTEGRITY;
    code = session->esys->load(
        session->context, parent, ESYS_TR_PASSWORD, ESYS_TR_NONE, ESYS_TR_NONE, &errand->object->wrapped,
        &errand->object->visible, &handle);
    if (is_about_input(code)) return TPM2_RC_INTEGRITY;
    if (code != TSS2_RC_SUCCESS) return code;
    code = errand->use(session, handle, errand->job);
    session->esys->flush(session->context, handle);
    return code;
}

enum mpin_tpm_outcome mpin_tpm_use_object(
    struct mpin_tpm_call *call, const uint8_t *secret, const struct mpin_tpm_object *object, mpin_tpm_use use,
    void *job) {
    struct errand errand = {.object = object, .use = use, .job = job};
    return run(call, secret, use_below, &errand);
}
