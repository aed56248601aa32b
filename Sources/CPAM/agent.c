// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <stdio.h>
#include <unistd.h>

#include "CMPinSystem.h"
#include "CPAM.h"

// How long the agent may be silent, in seconds: its worker ends each attempt by itself, after the configured timeout of
// at most 120 seconds.
enum { patience = 130 };

// The memory of a call, on a page for secrets: one of the messages contains the PIN.
struct exchange {
    union {
        struct mpin_agent_request request;
        char bytes[MPIN_AGENT_LONGEST_MESSAGE + 1];
    } message;
    uint8_t answer[2 + MPIN_AGENT_LONGEST_SECRET];
    struct mpin_guard guard;
};

// Writes the request. Returns its length, or more than MPIN_AGENT_LONGEST_MESSAGE.
static size_t write_request(struct exchange *exchange, pam_handle_t *handle, const char *account, unsigned flags) {
    const struct mpin_pam_caller caller = mpin_pam_caller(handle, account);
    struct mpin_agent_request *request = &exchange->message.request;
    request->kind = MPIN_AGENT_REQUEST;
    request->version = MPIN_AGENT_VERSION;
    request->flags = (uint8_t)flags;
    request->memory = (uint8_t)mpin_pam_memory(handle, account);
    request->starting_uid = caller.starting_uid;
    request->real_uid = caller.real_uid;
    request->place = (uint8_t)caller.place.kind;
    request->controls_process = (uint8_t)caller.controls_process;
    return sizeof *request + 1
        + (size_t)snprintf(exchange->message.bytes + sizeof *request, sizeof exchange->message - sizeof *request,
            "%s%c%s%c%s%c%s", account, 0, mpin_pam_text(handle, PAM_SERVICE), 0, mpin_pam_text(handle, PAM_RHOST), 0,
            caller.place.reason);
}

// Sends a message and receives the next one. No signal handler of the host ends the wait early, or makes it longer.
static ssize_t converse_once(int agent, struct exchange *exchange, const void *message, size_t count) {
    mpin_guard_enter(&exchange->guard);
    // If the agent has gone away, the read fails.
    ssize_t length = count > 0 ? write(agent, message, count) : 0;
    length = read(agent, exchange->message.bytes, MPIN_AGENT_LONGEST_MESSAGE);
    mpin_guard_leave(&exchange->guard);
    if (length > 0) exchange->message.bytes[length] = '\0';
    return length;
}

static int converse(int agent, struct exchange *exchange, pam_handle_t *handle, unsigned flags) {
    const char *account = mpin_pam_user(handle), *bytes = exchange->message.bytes;
    if (account == NULL) return MPIN_AGENT_FAILED;
    size_t count = write_request(exchange, handle, account, flags), answered = 0;
    if (count > MPIN_AGENT_LONGEST_MESSAGE) return MPIN_AGENT_FAILED;
    const void *message = bytes;
    // The worker asks no server before it prompts.
    if (flags & MPIN_AGENT_ACCOUNT_PHASE) mpin_agent_wait_for(agent, patience);
    for (;;) {
        ssize_t length = converse_once(agent, exchange, message, count);
        // Only an answer that may be a password for the next modules is still needed.
        if (!(flags & MPIN_AGENT_FORWARD_PASS)) {
            mpin_wipe(exchange->answer, sizeof exchange->answer);
            answered = 0;
        }
        if (length < 1) return MPIN_AGENT_FAILED;
        mpin_agent_wait_for(agent, patience);
        count = 0;
        switch (bytes[0]) {
        case MPIN_AGENT_PROMPT:
            exchange->answer[0] = MPIN_AGENT_ANSWER;
            exchange->answer[1] =
                (uint8_t)mpin_pam_ask(handle, bytes + 1, exchange->answer + 2, MPIN_AGENT_LONGEST_SECRET, &count);
            message = exchange->answer;
            answered = count;
            count += 2;
            break;
        case MPIN_AGENT_INFO:
        case MPIN_AGENT_ERROR: mpin_pam_tell(handle, bytes + 1, bytes[0]); break;
        case MPIN_AGENT_RESULT:
            if (length != 4) return MPIN_AGENT_FAILED;
            mpin_pam_set_memory(handle, account, (uint8_t)bytes[2]);
            if (bytes[3] == 1 && answered > 0) mpin_pam_forward(handle, exchange->answer + 2, answered);
            return (uint8_t)bytes[1];
        default: return MPIN_AGENT_FAILED;
        }
    }
}

int mpin_pam_agent(pam_handle_t *handle, const char *path, unsigned flags) {
    struct exchange *exchange = mpin_secret_map(sizeof *exchange);
    if (exchange == NULL) return MPIN_AGENT_FAILED;
    int result = mpin_agent_connect(path);
    if (result >= 0) {
        int agent = result;
        result = converse(agent, exchange, handle, flags);
        close(agent);
    }
    mpin_secret_unmap(exchange, sizeof *exchange);
    return result;
}
