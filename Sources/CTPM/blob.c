// SPDX-License-Identifier: Apache-2.0
#include "blob.h"

#include <string.h>

#include "CMPinSystem.h"

enum { version = 1, number_size = 32, most_fields = 4 };

// The fields all begin like TPM2B structures: with the length, followed by the bytes.
struct field {
    UINT16 *length;
    uint8_t *bytes;
    size_t capacity;
};

// Finds the fields of an object. Returns their number.
static int find_fields(struct mpin_tpm_object *object, enum mpin_tpm_kind kind, struct field *fields) {
    TPMU_PUBLIC_ID *unique = &object->visible.publicArea.unique;
    TPM2B_DIGEST *sealed = &unique->keyedHash;
    TPM2B_ECC_PARAMETER *x = &unique->ecc.x, *y = &unique->ecc.y;
    int count = 0;
    fields[count++] = (struct field){&object->parent.size, object->parent.name, sizeof object->parent.name};
    fields[count++] = (struct field){&object->wrapped.size, object->wrapped.buffer, sizeof object->wrapped.buffer};
    if (kind == MPIN_TPM_SEALED_SECRET) {
        fields[count++] = (struct field){&sealed->size, sealed->buffer, number_size};
    } else {
        fields[count++] = (struct field){&x->size, x->buffer, number_size};
        fields[count++] = (struct field){&y->size, y->buffer, number_size};
    }
    return count;
}

void mpin_tpm_template(TPM2B_PUBLIC *visible, enum mpin_tpm_kind kind) {
    memset(visible, 0, sizeof *visible);
    TPMT_PUBLIC *area = &visible->publicArea;
    area->nameAlg = TPM2_ALG_SHA256;
    area->objectAttributes =
        TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT | TPMA_OBJECT_USERWITHAUTH | TPMA_OBJECT_NODA;
    if (kind == MPIN_TPM_SEALED_SECRET) {
        area->type = TPM2_ALG_KEYEDHASH;
        area->parameters.keyedHashDetail.scheme.scheme = TPM2_ALG_NULL;
        return;
    }
    TPMS_ECC_PARMS *curve = &area->parameters.eccDetail;
    area->type = TPM2_ALG_ECC;
    area->objectAttributes |= TPMA_OBJECT_SIGN_ENCRYPT | TPMA_OBJECT_SENSITIVEDATAORIGIN;
    curve->symmetric.algorithm = TPM2_ALG_NULL;
    curve->scheme.scheme = TPM2_ALG_ECDSA;
    curve->scheme.details.ecdsa.hashAlg = TPM2_ALG_SHA256;
    curve->curveID = TPM2_ECC_NIST_P256;
    curve->kdf.scheme = TPM2_ALG_NULL;
}

int mpin_tpm_blob_write(struct mpin_tpm_blob *blob, const struct mpin_tpm_object *object, enum mpin_tpm_kind kind) {
    struct field fields[most_fields];
    uint8_t *next = blob->bytes;
    int field_count = find_fields((struct mpin_tpm_object *)object, kind, fields);
    *next++ = version;
    *next++ = (uint8_t)kind;
    for (int index = 0; index < field_count; index++) {
        size_t length = *fields[index].length;
        size_t left = (size_t)(blob->bytes + sizeof blob->bytes - next);
        if (length > fields[index].capacity || left < 2 || length > left - 2) return 0;
        *next++ = (uint8_t)(length >> 8);
        *next++ = (uint8_t)length;
        memcpy(next, fields[index].bytes, length);
        next += length;
    }
    blob->count = (size_t)(next - blob->bytes);
    return 1;
}

int mpin_tpm_blob_read(const uint8_t *bytes, size_t count, struct mpin_tpm_object *object, enum mpin_tpm_kind kind) {
    struct field fields[most_fields];
    memset(object, 0, sizeof *object);
    mpin_tpm_template(&object->visible, kind);
    int field_count = find_fields(object, kind, fields);
    if (count < 2 || count > MPIN_TPM_BLOB_CAPACITY || bytes[0] != version || bytes[1] != kind) return 0;
    const uint8_t *next = bytes + 2, *end = bytes + count;
    for (int index = 0; index < field_count; index++) {
        if (end - next < 2) return 0;
        size_t length = (size_t)next[0] << 8 | next[1];
        next += 2;
        if (length > fields[index].capacity || length > (size_t)(end - next)) return 0;
        *fields[index].length = (UINT16)length;
        memcpy(fields[index].bytes, next, length);
        next += length;
    }
    return next == end;
}

int mpin_tpm_pad(uint8_t *target, const TPM2B_ECC_PARAMETER *number) {
    if (number->size > number_size) return 0;
    memset(target, 0, number_size);
    memcpy(target + number_size - number->size, number->buffer, number->size);
    return 1;
}

int mpin_tpm_public_key(const uint8_t *blob, size_t count, uint8_t *public_key) {
    struct mpin_tpm_object object;
    if (!mpin_tpm_blob_read(blob, count, &object, MPIN_TPM_SIGNING_KEY)) return 0;
    const TPMS_ECC_POINT *point = &object.visible.publicArea.unique.ecc;
    public_key[0] = 4;
    return mpin_tpm_pad(public_key + 1, &point->x) && mpin_tpm_pad(public_key + 1 + number_size, &point->y);
}
