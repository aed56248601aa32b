// SPDX-License-Identifier: Apache-2.0

// The messages between mpin-agent and its clients, modules and mpin-enroll: one packet each on a Unix socket of type
// SOCK_SEQPACKET, so that the kernel separates them and no partial message is ever read. Both ends are on one machine,
// so numbers have its byte order. In C because the module's end is.
//
// A module sends one request. The agent's worker sends any number of prompts, each of which is answered once, and texts
// to show, and then the result. Any other message ends the call as a failure.
//
// mpin-enroll sends one action. The worker performs it for the caller's own account. It sends any number of questions,
// each of which is answered once, and then what was done, or why not.
#ifndef CMPINSYSTEM_AGENT_H
#define CMPINSYSTEM_AGENT_H

#include <stdint.h>

enum {
    MPIN_AGENT_VERSION = 5,
    MPIN_AGENT_LONGEST_MESSAGE = 2048,
    MPIN_AGENT_LONGEST_RESULT = 131072,  // of a message to mpin-enroll
    MPIN_AGENT_LONGEST_SECRET = 128,
};

// The first byte of each message.
enum {
    MPIN_AGENT_INFO,     // a text to show follows
    MPIN_AGENT_ERROR,    // the text of an error to show follows
    MPIN_AGENT_PROMPT,   // the text of a prompt for a secret follows
    MPIN_AGENT_RESULT,   // libpam's return code follows, then the memory of the PAM handle, and whether the last answer is
                         // a password to pass on, a byte each
    MPIN_AGENT_REQUEST,
    MPIN_AGENT_ANSWER,   // what kind of answer it is follows, one byte, then the secret
    // Only for actions. Values follow, each ended by a NUL; see ActionFields.swift in MPinAgent.
    MPIN_AGENT_ACTION,
    MPIN_AGENT_QUESTION,
    MPIN_AGENT_DONE,
    MPIN_AGENT_NOT_DONE,
};

enum { MPIN_AGENT_TEXT, MPIN_AGENT_EMPTY, MPIN_AGENT_TOO_LONG, MPIN_AGENT_NO_ANSWER };

// The flags of a request.
enum {
    MPIN_AGENT_ACCOUNT_PHASE = 1,      // pam_acct_mgmt; pam_authenticate otherwise
    MPIN_AGENT_SILENT = 2,             // PAM_SILENT
    MPIN_AGENT_IGNORE_UNENROLLED = 4,  // the option of that name
    MPIN_AGENT_FORWARD_PASS = 8,       // the option of that name
};

// The beginning of a request. Four texts follow, each ended by a NUL: account, service, remote host, and the reason of
// the place.
//
// The agent believes these facts about the caller only if the peer is root; about other peers it asks the kernel.
struct mpin_agent_request {
    uint8_t kind;
    uint8_t version;
    uint8_t flags;
    uint8_t memory;             // of the PAM handle
    uint32_t real_uid;
    int64_t starting_uid;       // as in mpin_pam_caller
    uint8_t place;              // as in mpin_place
    uint8_t controls_process;
    uint8_t zero[6];
};

// The beginning of an action. Four texts follow, each ended by a NUL: account, identity, purpose and argument; only the
// account is never empty. The identity selects one of the account's registrations. The kernel, not this message, names
// the caller, and no field names a server.
struct mpin_agent_action {
    uint8_t kind;
    uint8_t version;
    uint8_t action;  // see AccountAction.swift in MPinAgent
    uint8_t zero;
};

enum { MPIN_AGENT_ABSENT = -1, MPIN_AGENT_FAILED = -2 };

// Connects to the agent's socket at an absolute path. If users other than root can change a directory on the path, or
// the peer does not belong to root, it is not an agent. No call on the connection waits longer than 20 seconds, the
// time for a worker to start. Returns a descriptor, or MPIN_AGENT_ABSENT if no agent listens there.
int mpin_agent_connect(const char *path);

// Lets calls on the connection wait for this many seconds from now on.
void mpin_agent_wait_for(int agent, int seconds);

#endif
