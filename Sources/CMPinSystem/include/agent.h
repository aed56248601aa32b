// SPDX-License-Identifier: Apache-2.0

// The messages between mpin-agent and its clients, modules and mpin-enroll: one packet each on a Unix socket of type
// SOCK_SEQPACKET, so that the kernel separates them and no partial message is ever read. Both ends are on one machine,
// so numbers have its byte order. In C because the module's end is.
//
// A module sends one request. The agent's worker sends any number of prompts, each of which is answered once, and texts
// to show, and then the result. Any other message ends the call as a failure.
//
// mpin-enroll sends one command, for which the worker becomes another mpin-enroll. That one sends its output and
// prompts, and then its exit status. If the agent itself refuses, it sends only an error and the exit status.
#ifndef CMPINSYSTEM_AGENT_H
#define CMPINSYSTEM_AGENT_H

#include <stdint.h>

enum {
    MPIN_AGENT_VERSION = 1,
    MPIN_AGENT_LONGEST_MESSAGE = 2048,
    MPIN_AGENT_LONGEST_SECRET = 128,
};

// The first byte of each message.
enum {
    MPIN_AGENT_INFO,     // a text to show follows
    MPIN_AGENT_ERROR,    // the text of an error to show follows
    MPIN_AGENT_PROMPT,   // the text of a prompt for a secret follows
    MPIN_AGENT_RESULT,   // libpam's return code follows, then the memory of the PAM handle, a byte each
    MPIN_AGENT_REQUEST,
    MPIN_AGENT_ANSWER,   // what kind of answer it is follows, one byte, then the secret
    // Only for commands:
    MPIN_AGENT_COMMAND,
    MPIN_AGENT_NEW_PROMPT,  // as MPIN_AGENT_PROMPT, for a new PIN
    MPIN_AGENT_OUTPUT,      // bytes for standard output follow
    MPIN_AGENT_NOTE,        // bytes for standard error follow
    MPIN_AGENT_PAUSE,       // is answered as empty when Enter is pressed
    MPIN_AGENT_COUNTDOWN,   // the seconds follow as a text, that something is valid for
    MPIN_AGENT_EXIT,        // the exit status follows, one byte
    MPIN_AGENT_QUESTION,    // the text of a question follows; it is answered by yes, or as empty
    MPIN_AGENT_DELIVER,     // is answered by yes when all output until here has been written
};

enum { MPIN_AGENT_TEXT, MPIN_AGENT_EMPTY, MPIN_AGENT_TOO_LONG, MPIN_AGENT_NO_ANSWER };

// The flags of a request.
enum {
    MPIN_AGENT_ACCOUNT_PHASE = 1,      // pam_acct_mgmt; pam_authenticate otherwise
    MPIN_AGENT_SILENT = 2,             // PAM_SILENT
    MPIN_AGENT_IGNORE_UNENROLLED = 4,  // the option of that name
};

// The beginning of a request. Three texts follow, each ended by a NUL: account, service and remote host.
//
// The agent believes these facts about the caller only if the peer is root; about other peers it asks the kernel.
struct mpin_agent_request {
    uint8_t kind;
    uint8_t version;
    uint8_t flags;
    uint8_t memory;             // of the PAM handle
    uint32_t real_uid;
    int64_t starting_uid;       // as in mpin_pam_caller
    int8_t is_remote;           // 1, 0, or -1 if unknown
    uint8_t controls_process;
    uint8_t zero[6];
};

// The commands.
enum {
    MPIN_AGENT_STATUS = 1,
    MPIN_AGENT_TEST,
    MPIN_AGENT_OTP,
    MPIN_AGENT_APPROVE,
    MPIN_AGENT_CHANGE_PIN,
    MPIN_AGENT_DENY,
    MPIN_AGENT_SIGN_OUT,  // the command logout
    MPIN_AGENT_INVITE,
    MPIN_AGENT_BACKUP_CODES,
    MPIN_AGENT_DEVICES,
    MPIN_AGENT_REVOKE,  // devices revoke
    MPIN_AGENT_SERVER,  // server show
};

// Their options.
enum {
    MPIN_AGENT_JSON = 1,
    MPIN_AGENT_CHECK = 2,     // of status
    MPIN_AGENT_LOG_OUT = 4,   // of approve
    MPIN_AGENT_ALL = 8,       // of logout
    MPIN_AGENT_YES = 16,      // of backup-codes and devices revoke
    MPIN_AGENT_YES_TWICE = 32,  // of devices revoke, beside MPIN_AGENT_YES
};

// The beginning of a command. Three texts follow, each ended by a NUL: account, identity and a value; the last two may
// be empty. The value is the access number of approve and deny, the device (number or name) of devices revoke, the seconds of invite, or
// the count of backup-codes.
struct mpin_agent_command {
    uint8_t kind;
    uint8_t version;
    uint8_t command;
    uint8_t options;
};

enum { MPIN_AGENT_ABSENT = -1, MPIN_AGENT_FAILED = -2 };

// Connects to the agent's socket at an absolute path. If users other than root can change a directory on the path, or
// the peer does not belong to root, it is not an agent. No call on the connection waits longer than 20 seconds, the
// time for a worker to start. Returns a descriptor, or MPIN_AGENT_ABSENT if no agent listens there.
int mpin_agent_connect(const char *path);

// Lets calls on the connection wait for this many seconds from now on.
void mpin_agent_wait_for(int agent, int seconds);

#endif
