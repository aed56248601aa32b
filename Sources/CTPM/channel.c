// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "channel.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "CMPinSystem.h"

// Tag, size and code: the beginning of every answer.
enum { header_size = 10, size_offset = 2 };

// A device whose TPM still owes an answer, in the upper half, and its epoll instance. The kernel closes such a device
// only after it has stopped waiting for the TPM, which takes minutes. So the device stays open until then and gets no
// other request meanwhile; only the end of the process has to wait. There is at most one in a process.
static uint64_t owing = UINT64_MAX;

// Waits until there is something to read. The kernel's driver blocks poll, read and close while the TPM works, but it
// wakes processes that registered before: an edge-triggered epoll reads the state only after that.
static int wait_for_arrival(const struct mpin_tpm_channel *channel) {
    struct epoll_event event;
    for (;;) {
        int64_t left = (channel->deadline_ns - mpin_monotonic_ns()) / 1000000;
        if (left < 0) return ETIME;
        const int64_t longest = mpin_can_stop(channel->stop) ? MPIN_STOP_INTERVAL : 1000;
        int count = epoll_wait(channel->arrivals, &event, 1, left < longest ? (int)left + 1 : (int)longest);
        if (count > 0) return 0;
        if (count < 0 && errno != EINTR) return errno;
        if (mpin_is_stopped(channel->stop)) return ECANCELED;
    }
}

static TSS2_RC transmit(TSS2_TCTI_CONTEXT *context, size_t size, const uint8_t *command) {
    struct mpin_tpm_channel *channel = (struct mpin_tpm_channel *)context;
    if (channel->buffer == NULL) {
        channel->buffer = (uint8_t *)command;
        channel->capacity = size;
    }
    // After a failure nothing is sent: the next answer would belong to the previous command.
    if (channel->error) return TSS2_TCTI_RC_IO_ERROR;
    if (mpin_monotonic_ns() >= channel->deadline_ns) {
        channel->error = ETIME;
        return TSS2_TCTI_RC_IO_ERROR;
    }
    channel->is_asked = 1;
    ssize_t written = write(channel->descriptor, command, size);
    if (written == (ssize_t)size) return TSS2_RC_SUCCESS;
    channel->error = written < 0 ? errno : EIO;
    channel->is_asked = 0;
    return TSS2_TCTI_RC_IO_ERROR;
}

// Returns the length of an answer from its first bytes; 0 if it is invalid.
static size_t told_size(const uint8_t *answer, size_t limit) {
    uint32_t told;
    memcpy(&told, answer + size_offset, sizeof told);
    told = __builtin_bswap32(told);
    return told >= header_size && told <= limit ? told : 0;
}

static int read_answer(struct mpin_tpm_channel *channel, uint8_t *answer, size_t *size) {
    size_t got = 0, whole = header_size;
    while (got < whole) {
        int error = wait_for_arrival(channel);
        if (error) return error;
        channel->is_asked = 0;
        // Reads as much as fits: the driver returns an answer only once, in one piece.
        ssize_t count = read(channel->descriptor, answer + got, *size - got);
        if (count <= 0 && (count == 0 || errno != EAGAIN)) return count == 0 ? EPIPE : errno;
        if (count > 0) got += (size_t)count;
        if (got >= header_size && (whole = told_size(answer, *size)) == 0) return EBADMSG;
    }
    *size = got;
    return got == whole ? 0 : EBADMSG;
}

static TSS2_RC receive(TSS2_TCTI_CONTEXT *context, size_t *size, uint8_t *answer, int32_t timeout) {
    (void)timeout;
    struct mpin_tpm_channel *channel = (struct mpin_tpm_channel *)context;
    if (answer == NULL) {
        // The length is known only after reading. The buffer has room for any answer.
        *size = TPM2_MAX_RESPONSE_SIZE;
        return TSS2_RC_SUCCESS;
    }
    if (*size < header_size) return TSS2_TCTI_RC_INSUFFICIENT_BUFFER;
    channel->buffer = answer;
    channel->capacity = *size;
    if (channel->error == 0) channel->error = read_answer(channel, answer, size);
    return channel->error ? TSS2_TCTI_RC_IO_ERROR : TSS2_RC_SUCCESS;
}

enum mpin_tpm_outcome mpin_tpm_judge_error(int error) {
    switch (error) {
    case 0: return MPIN_TPM_DONE;
    case ENOENT:
    case ENODEV:
    case ENXIO:
    case ENOTDIR:
    case ENAMETOOLONG:
    case ECONNREFUSED: return MPIN_TPM_ABSENT;
    case EACCES:
    case EPERM: return MPIN_TPM_NOT_PERMITTED;
    case EBUSY: return MPIN_TPM_BUSY;
    case ETIME:
    case ETIMEDOUT: return MPIN_TPM_NO_ANSWER;
    case EMFILE:
    case ENFILE:
    case ENOMEM: return MPIN_TPM_SHORTAGE;
    default: return MPIN_TPM_FAILED;
    }
}

// Whether the device that owed an answer still owes it.
static int still_owes(void) {
    uint64_t pair = __atomic_exchange_n(&owing, UINT64_MAX, __ATOMIC_ACQ_REL), none = UINT64_MAX;
    if (pair == none) return 0;
    int descriptor = (int)(pair >> 32), arrivals = (int)(uint32_t)pair;
    struct stat facts;
    struct epoll_event event;
    // A host that has closed all its descriptors may have reused the numbers.
    if (fstat(descriptor, &facts) != 0 || !S_ISCHR(facts.st_mode)) return 0;
    if (epoll_wait(arrivals, &event, 1, 0) == 0) {
        __atomic_compare_exchange_n(&owing, &none, pair, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
        return 1;
    }
    close(arrivals);
    close(descriptor);
    return 0;
}

static int open_device(struct mpin_tpm_channel *channel, const char *path) {
    struct stat facts;
    // Checked before it is opened: opening another kind of file may have an effect, or block.
    if (stat(path, &facts) != 0) return errno;
    if (!S_ISCHR(facts.st_mode)) return ENODEV;
    if (still_owes()) return ETIME;
    channel->is_device = 1;
    channel->descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    return channel->descriptor < 0 ? errno : 0;
}

static int open_socket(struct mpin_tpm_channel *channel, const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path, path, strlen(path));
    channel->descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (channel->descriptor < 0) return errno;
    while (connect(channel->descriptor, (const struct sockaddr *)&address, sizeof address) != 0) {
        // Other processes are waiting to be connected, and it is unknown when a place becomes free.
        if (errno != EAGAIN) return errno;
        if (mpin_monotonic_ns() >= channel->deadline_ns) return ETIME;
        if (mpin_is_stopped(channel->stop)) return ECANCELED;
        mpin_pause_ns(5000000);
    }
    return 0;
}

static int watch(struct mpin_tpm_channel *channel) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLET};
    channel->arrivals = epoll_create1(EPOLL_CLOEXEC);
    if (channel->arrivals < 0) return errno;
    if (epoll_ctl(channel->arrivals, EPOLL_CTL_ADD, channel->descriptor, &event) == 0) return 0;
    // A device that cannot be waited for is not a TPM.
    return errno == EPERM ? ENODEV : errno;
}

int mpin_tpm_path(const char *name, int *is_device) {
    static const char file[] = "device:/", socket[] = "swtpm:path=/";
    *is_device = strncmp(name, file, sizeof file - 1) == 0;
    int path = *is_device ? sizeof file - 2 : sizeof socket - 2;
    if (!*is_device && strncmp(name, socket, sizeof socket - 1) != 0) return 0;
    if (name[path + 1] == 0) return 0;
    return *is_device || strlen(name + path) < sizeof((struct sockaddr_un *)0)->sun_path ? path : -1;
}

enum mpin_tpm_outcome mpin_tpm_channel_open(struct mpin_tpm_channel *channel, const char *device) {
    int is_device;
    int path = mpin_tpm_path(device, &is_device);
    channel->table = (TSS2_TCTI_CONTEXT_COMMON_V1){.version = 1, .transmit = transmit, .receive = receive};
    channel->descriptor = channel->arrivals = -1;
    if (path <= 0) return MPIN_TPM_MALFORMED;
    channel->error = is_device ? open_device(channel, device + path) : open_socket(channel, device + path);
    if (channel->error == 0) channel->error = watch(channel);
    return mpin_tpm_judge_error(channel->error);
}

void mpin_tpm_channel_wipe(struct mpin_tpm_channel *channel) {
    if (channel->buffer) mpin_wipe(channel->buffer, channel->capacity);
}

void mpin_tpm_channel_close(struct mpin_tpm_channel *channel) {
    uint64_t none = UINT64_MAX, pair = (uint64_t)channel->descriptor << 32 | (uint32_t)channel->arrivals;
    if (channel->is_device && channel->is_asked
        && __atomic_compare_exchange_n(&owing, &none, pair, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        return;
    }
    if (channel->arrivals >= 0) close(channel->arrivals);
    if (channel->descriptor >= 0) close(channel->descriptor);
}
