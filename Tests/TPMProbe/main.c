// SPDX-License-Identifier: Apache-2.0

// tpm-probe: a program that uses a TPM, for what a test wants to see from inside one.
//
//     tpm-probe DEVICE MILLISECONDS create
//     tpm-probe DEVICE MILLISECONDS sign BLOB DIGEST [CALLS]
//     tpm-probe DEVICE MILLISECONDS seal SECRET
//     tpm-probe DEVICE MILLISECONDS unseal BLOB
//
// All bytes are in hexadecimal. For each call a line: the outcome, the response code, the errno, the milliseconds it took,
// and the variables TSS2_LOG that are left in the environment; then a line with the blob, if one was made, and one with
// the public key, the signature or the secret. Of secrets a last line says how many copies are left in memory. CALLS are
// made one after the other, each after a line on standard input. The exit status is the last outcome.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "CMPinSystem.h"
#include "CTPM.h"

static size_t bytes_of(const char *text, uint8_t *bytes, size_t capacity) {
    size_t count = 0;
    unsigned value;
    while (count < capacity && sscanf(text + 2 * count, "%2x", &value) == 1) bytes[count++] = (uint8_t)value;
    return count;
}

static void print(const uint8_t *bytes, size_t count) {
    for (size_t index = 0; index < count; index++) printf("%02x", bytes[index]);
    printf("\n");
}

// How many copies of a secret there are in the memory of this process that it may write. The secret is given masked, so that
// this one is not found.
static int copies(const uint8_t *masked, size_t count) {
    char line[512], rights[8];
    unsigned long from, to;
    int found = 0;
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps && fgets(line, sizeof line, maps)) {
        if (sscanf(line, "%lx-%lx %7s", &from, &to, rights) != 3 || strncmp(rights, "rw", 2) != 0) continue;
        for (const uint8_t *place = (const uint8_t *)from; place + count <= (const uint8_t *)to; place++) {
            size_t equal = 0;
            while (equal < count && (uint8_t)(place[equal] ^ 0x5a) == masked[equal]) equal++;
            found += equal == count;
        }
    }
    if (maps) fclose(maps);
    return found;
}

static void mask(uint8_t *bytes, size_t count) {
    for (size_t index = 0; index < count; index++) bytes[index] ^= 0x5a;
}

static int variables(void) {
    int count = 0;
    for (char **entry = environ; *entry; entry++) count += strncmp(*entry, "TSS2_LOG", 8) == 0;
    return count;
}

int main(int count, char **words) {
    if (count < 4) return 64;
    const char *command = words[3];
    struct mpin_tpm_blob blob = {.count = 0};
    uint8_t digest[MPIN_TPM_DIGEST_SIZE] = {0}, result[MPIN_TPM_PUBLIC_KEY_SIZE] = {0};
    uint8_t secret[MPIN_TPM_SECRET_SIZE] = {0};
    int calls = 1, outcome = MPIN_TPM_FAILED, is_secret = 0;
    size_t size = 0;
    if (strcmp(command, "seal") == 0 && count > 4) {
        bytes_of(words[4], secret, sizeof secret);
        // The words of the command line are in memory as text.
    } else if (count > 4) {
        blob.count = bytes_of(words[4], blob.bytes, sizeof blob.bytes);
    }
    if (count > 5) bytes_of(words[5], digest, sizeof digest);
    if (count > 6) calls = atoi(words[6]);
    for (int call_number = 0; call_number < calls; call_number++) {
        if (calls > 1 && getchar() == EOF) break;
        int64_t start = mpin_monotonic_ns();
        struct mpin_tpm_call call = {
            .device = strcmp(words[1], "-") == 0 ? NULL : words[1],
            .deadline_ns = start + atoll(words[2]) * 1000000};
        if (strcmp(command, "create") == 0) {
            outcome = mpin_tpm_create_key(&call, &blob, result);
            size = MPIN_TPM_PUBLIC_KEY_SIZE;
        } else if (strcmp(command, "sign") == 0) {
            outcome = mpin_tpm_sign(&call, blob.bytes, blob.count, digest, result);
            size = MPIN_TPM_SIGNATURE_SIZE;
        } else if (strcmp(command, "seal") == 0) {
            outcome = mpin_tpm_seal(&call, secret, &blob);
            is_secret = 1;
        } else if (strcmp(command, "unseal") == 0) {
            outcome = mpin_tpm_unseal(&call, blob.bytes, blob.count, secret);
            is_secret = 1;
        }
        printf("%d %x %d %lld %d\n", outcome, call.response, call.error,
               (long long)(mpin_monotonic_ns() - start) / 1000000, variables());
        fflush(stdout);
    }
    if (outcome != MPIN_TPM_DONE) return outcome;
    if (strcmp(command, "create") == 0 || strcmp(command, "seal") == 0) print(blob.bytes, blob.count);
    if (!is_secret) {
        print(result, size);
        return outcome;
    }
    mask(secret, sizeof secret);
    int left = copies(secret, sizeof secret);
    mask(secret, sizeof secret);
    print(secret, sizeof secret);
    printf("%d\n", left);
    return outcome;
}
