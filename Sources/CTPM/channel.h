// The way to a TPM, as libtss2 wants it: a TCTI. Our own, because those of libtss2 may wait for as long as the TPM does:
// that for emulated ones knows no timeout, and that for devices asks poll(2), which the kernel's driver answers only when
// the TPM has. This one ends every wait at the deadline, whatever it was asked for, so that libtss2's synchronous functions
// can be used.
#ifndef CTPM_CHANNEL_H
#define CTPM_CHANNEL_H

#include <tss2/tss2_tcti.h>

#include "CTPM.h"

struct mpin_tpm_channel {
    TSS2_TCTI_CONTEXT_COMMON_V1 table;
    int64_t deadline_ns;
    // The device or the socket, and the epoll instance that tells when it has something to read.
    int descriptor;
    int arrivals;
    int is_device;
    // Whether the TPM owes an answer.
    int is_asked;
    // The errno of what went wrong on the way.
    int error;
    // libtss2's buffer for commands and answers.
    uint8_t *buffer;
    size_t capacity;
};

// Opens it. Also after a failure it is to be closed.
enum mpin_tpm_outcome mpin_tpm_channel_open(struct mpin_tpm_channel *channel, const char *device);

// Wipes libtss2's buffer.
void mpin_tpm_channel_wipe(struct mpin_tpm_channel *channel);

// Closes it, in time too.
void mpin_tpm_channel_close(struct mpin_tpm_channel *channel);

// What a system error on the way to the TPM means.
enum mpin_tpm_outcome mpin_tpm_judge_error(int error);

#endif
