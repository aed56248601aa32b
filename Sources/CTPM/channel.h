// SPDX-License-Identifier: Apache-2.0

// The connection to a TPM, in the form that libtss2 needs: a TCTI. libtss2's own may wait as long as the TPM does: the
// one for emulated TPMs has no timeout, and the one for devices calls poll(2), which the kernel's driver answers only
// after the TPM. This one ends every wait at the deadline, whatever timeout was requested, so that libtss2's
// synchronous functions can be used.
#ifndef CTPM_CHANNEL_H
#define CTPM_CHANNEL_H

#include <tss2/tss2_tcti.h>

#include "CTPM.h"

struct mpin_tpm_channel {
    TSS2_TCTI_CONTEXT_COMMON_V1 table;
    int64_t deadline_ns;
    int stop;
    // The device or the socket, and the epoll instance that reports when it has something to read.
    int descriptor;
    int arrivals;
    int is_device;
    // Whether the TPM owes an answer.
    int is_asked;
    // The errno of a failed system call on the connection.
    int error;
    // libtss2's buffer for commands and answers.
    uint8_t *buffer;
    size_t capacity;
};

// Opens it. It has to be closed even after a failure.
enum mpin_tpm_outcome mpin_tpm_channel_open(struct mpin_tpm_channel *channel, const char *device);

// Wipes libtss2's buffer.
void mpin_tpm_channel_wipe(struct mpin_tpm_channel *channel);

// Closes it, without waiting beyond the deadline.
void mpin_tpm_channel_close(struct mpin_tpm_channel *channel);

// Converts a system error of the connection to an outcome.
enum mpin_tpm_outcome mpin_tpm_judge_error(int error);

#endif
