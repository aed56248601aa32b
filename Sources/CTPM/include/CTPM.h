// SPDX-License-Identifier: Apache-2.0

// A TPM 2.0, through libtss2-esys, which is loaded at the first call. In C because libtss2's structures, unions and
// function pointers are C, and because it must not be linked: few logins need it, and not all hosts have it.
//
// The TPM's objects are stored as blobs. Only the TPM that made a blob can open it, until that TPM is cleared, so a
// blob is not secret. Each call opens the device, does one thing, and leaves nothing behind, in the TPM or in the
// process. It needs no daemon, starts no thread and does not depend on the environment: libtss2 never logs. Any thread
// may call these functions.
//
//     struct mpin_tpm_call call = {.deadline_ns = mpin_monotonic_ns() + 5000000000};
//     struct mpin_tpm_blob key;
//     uint8_t public_key[MPIN_TPM_PUBLIC_KEY_SIZE], signature[MPIN_TPM_SIGNATURE_SIZE];
//     if (mpin_tpm_create_key(&call, &key, public_key) == MPIN_TPM_DONE) store(key.bytes, key.count);
//     if (mpin_tpm_sign(&call, key.bytes, key.count, digest, signature) == MPIN_TPM_DONE) send(signature);
#ifndef CTPM_H
#define CTPM_H

#include <stddef.h>
#include <stdint.h>

// The kernel's resource manager, which shares the TPM between all its users.
#define MPIN_TPM_DEVICE "device:/dev/tpmrm0"

// The form of a TPM's name: device:/PATH for a character device, or swtpm:path=/PATH for the socket of an emulated TPM.
//
// Returns the offset of the path in the name; 0 if the name has none of these forms; -1 if the path of the socket does
// not fit into a socket's address, which has room for 107 bytes.
int mpin_tpm_path(const char *_Nonnull name, int *_Nonnull is_device);

enum {
    MPIN_TPM_BLOB_CAPACITY = 512,
    MPIN_TPM_PUBLIC_KEY_SIZE = 65,
    MPIN_TPM_DIGEST_SIZE = 32,
    MPIN_TPM_SIGNATURE_SIZE = 64,
    MPIN_TPM_SECRET_SIZE = 32,
};

enum mpin_tpm_outcome {
    MPIN_TPM_DONE,
    MPIN_TPM_NO_LIBRARY,     // libtss2-esys cannot be opened; see mpin_tpm_library_fault
    MPIN_TPM_ABSENT,         // no such device, or nothing behind it; or a name that none can have
    MPIN_TPM_NOT_PERMITTED,  // this process may not open it
    MPIN_TPM_UNKNOWN_KEY,    // another TPM made this blob, or this one before it was cleared; or it was altered
    MPIN_TPM_NO_ANSWER,      // not before the deadline
    MPIN_TPM_BUSY,           // out of room, in lockout, testing itself, or opened exclusively by another program
    MPIN_TPM_MALFORMED,      // no blob of this kind, or no name of a device; no TPM was asked
    MPIN_TPM_FAILED,         // anything else
    MPIN_TPM_SHORTAGE,       // this process lacks descriptors or memory
};

// One call: the TPM, the deadline, and details of a failure for a log.
struct mpin_tpm_call {
    // The TPM's name; NULL for MPIN_TPM_DEVICE. It decides where the keys are, so it must come from root's configuration or be NULL.
    const char *_Nullable device;
    // The deadline of the whole call, on the monotonic clock.
    int64_t deadline_ns;
    // Ends the call before its deadline; 0 for none. See stop.h.
    int stop;
    // Details of the last failure: the response code of the TPM or of libtss2, 0 for none (see tpm2_rc_decode); and the
    // errno of a failure before that, 0 for none.
    uint32_t response;
    int error;
};

struct mpin_tpm_blob {
    uint8_t bytes[MPIN_TPM_BLOB_CAPACITY];
    size_t count;
};

// Makes a P-256 key for signatures over SHA-256 digests. It never leaves the TPM and needs no password.
//
// public_key: its public half, uncompressed: 4, x, y; MPIN_TPM_PUBLIC_KEY_SIZE bytes.
enum mpin_tpm_outcome mpin_tpm_create_key(
    struct mpin_tpm_call *_Nonnull call, struct mpin_tpm_blob *_Nonnull blob, uint8_t *_Nonnull public_key);

// Signs a digest. The signature is r, s, of 32 bytes each; s may be in the upper half.
enum mpin_tpm_outcome mpin_tpm_sign(
    struct mpin_tpm_call *_Nonnull call, const uint8_t *_Nonnull blob, size_t count, const uint8_t *_Nonnull digest,
    uint8_t *_Nonnull signature);

// Reads the public half from a blob, without the TPM and without libtss2. Returns whether there is one.
int mpin_tpm_public_key(const uint8_t *_Nonnull blob, size_t count, uint8_t *_Nonnull public_key);

// Seals a secret of MPIN_TPM_SECRET_SIZE bytes to the TPM.
enum mpin_tpm_outcome mpin_tpm_seal(
    struct mpin_tpm_call *_Nonnull call, const uint8_t *_Nonnull secret, struct mpin_tpm_blob *_Nonnull blob);

// Opens a sealed secret. After a failure the secret is all zeros. No copy is left in libtss2's memory.
enum mpin_tpm_outcome mpin_tpm_unseal(
    struct mpin_tpm_call *_Nonnull call, const uint8_t *_Nonnull blob, size_t count, uint8_t *_Nonnull secret);

// Writes why libtss2-esys cannot be loaded, in the dynamic linker's words; an empty text if it can.
void mpin_tpm_library_fault(char *_Nonnull text, size_t capacity);

#endif
