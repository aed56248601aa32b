// SPDX-License-Identifier: Apache-2.0

// The parts of libpam that Swift cannot call: variadic functions, and a conversation whose responses are wiped in
// place; and facts about the process. Environment variables are not read.
#ifndef CPAM_H
#define CPAM_H

#include <security/pam_modules.h>
#include <stddef.h>
#include <stdint.h>

#include "CMPinSystem.h"

// The response to a prompt.
enum mpin_pam_answer { MPIN_PAM_TEXT, MPIN_PAM_EMPTY, MPIN_PAM_TOO_LONG, MPIN_PAM_FAILED };

// Prompts for a secret without echo and copies the response into the caller's buffer, without a terminating NUL. The
// host's response is wiped and freed, also when the conversation failed. `count` is 0 unless MPIN_PAM_TEXT.
enum mpin_pam_answer mpin_pam_ask(
    pam_handle_t *handle, const char *prompt, uint8_t *bytes, size_t capacity, size_t *count);

// Copies PAM_AUTHTOK, the password that another module has asked for.
enum mpin_pam_answer mpin_pam_first_pass(pam_handle_t *handle, uint8_t *bytes, size_t capacity, size_t *count);

// Passes a password on to the next modules, as PAM_AUTHTOK.
void mpin_pam_forward(pam_handle_t *handle, const uint8_t *bytes, size_t count);

// Shows a message.
void mpin_pam_tell(pam_handle_t *handle, const char *text, int is_error);

// Writes a line to syslog with the facility AUTHPRIV.
void mpin_pam_log(pam_handle_t *handle, int priority, const char *line);

void mpin_pam_delay(pam_handle_t *handle, unsigned microseconds);

// The account to log in, or NULL.
const char *mpin_pam_user(pam_handle_t *handle);

// Returns a PAM item that is text; empty if the host has not set it.
const char *mpin_pam_text(pam_handle_t *handle, int item);

// A small integer per account that is stored as long as the PAM handle exists; one handle may see several accounts, as
// in login(1).
int mpin_pam_memory(pam_handle_t *handle, const char *account);
void mpin_pam_set_memory(pam_handle_t *handle, const char *account, int value);

// Keeps an object until the end of the PAM handle, when `drop` is called with it. Returns 1 if it is kept.
int mpin_pam_keep(pam_handle_t *handle, void *object, void (*drop)(void *object));
void *mpin_pam_kept(pam_handle_t *handle);

// Facts about the host process.
struct mpin_pam_caller {
    uint32_t real_uid;
    uint32_t starting_uid;  // the real user who started this set-uid program, or whom polkit's helper serves, UINT32_MAX
                            // where that is unknown; real_uid of other programs
    int64_t account_uid;    // of the account asked for; -1 when there is none
    const char *account_name;  // as the account database spells it, as long as the PAM handle; NULL when there is none
    int controls_process;   // whether a user other than root started this set-uid program, and so can stop it, limit its
                            // resources and signal it
    int is_another_user;    // whether that user is not the account asked for: such a call never uses the PIN
    struct mpin_place place;  // where the user is
};
struct mpin_pam_caller mpin_pam_caller(pam_handle_t *handle, const char *account);
int mpin_pam_is_another_user(pam_handle_t *handle);

// Makes mpin-agent handle the call, over its socket at an absolute path, or "none". Prompts and texts pass through the
// conversation. `flags` are those of mpin_agent_request. Returns the agent's return code, MPIN_AGENT_ABSENT or
// MPIN_AGENT_FAILED.
int mpin_pam_agent(pam_handle_t *handle, const char *path, unsigned flags);

// Whether there is enough memory and stack for a call. Swift ends the process if an allocation fails, and the kernel
// ends it if the stack is used up.
int mpin_pam_has_memory(void);

// Returns a random number; 0 if the kernel has none yet.
uint32_t mpin_pam_random(void);

#endif
