// libpam, as far as Swift cannot call it: functions with variable arguments, a conversation whose answers have to be
// wiped in place, and facts about the process. No environment is read here.
#ifndef CPAM_H
#define CPAM_H

#include <security/pam_modules.h>
#include <stddef.h>
#include <stdint.h>

// What came of a question.
enum cpam_answer { CPAM_TEXT, CPAM_EMPTY, CPAM_TOO_LONG, CPAM_FAILED };

// Asks for a secret and copies the answer into the caller's buffer, without an end. Whatever else the host handed over
// is wiped and freed, also when the conversation failed. `count` is 0 unless CPAM_TEXT.
enum cpam_answer cpam_ask(
    pam_handle_t *handle, const char *prompt, uint8_t *bytes, size_t capacity, size_t *count);

// Copies the password that another module has asked for.
enum cpam_answer cpam_first_pass(pam_handle_t *handle, uint8_t *bytes, size_t capacity, size_t *count);

// Shows a message.
void cpam_tell(pam_handle_t *handle, const char *text, int is_error);

// Writes a line to the system's log with the facility AUTHPRIV and a priority of syslog's.
void cpam_log(pam_handle_t *handle, int priority, const char *line);
enum { CPAM_ERR = 3, CPAM_NOTICE = 5, CPAM_INFO = 6, CPAM_DEBUG = 7 };

void cpam_delay(pam_handle_t *handle, unsigned microseconds);

// The account to log in, or NULL.
const char *cpam_user(pam_handle_t *handle);

// A text the host has set, or NULL.
const char *cpam_text(pam_handle_t *handle, int item);

// A small number for an account that lasts as long as the handle, which may see several accounts, as at login(1).
int cpam_memory(pam_handle_t *handle, const char *account);
void cpam_set_memory(pam_handle_t *handle, const char *account, int value);

// An object that lasts as long as the handle; `drop` gets it back then. 1 when it is kept.
int cpam_keep(pam_handle_t *handle, void *object, void (*drop)(void *object));
void *cpam_kept(pam_handle_t *handle);

// What is known of the process.
struct cpam_caller {
    uint32_t real_uid;
    int64_t starting_uid;   // the real user who started this set-uid program; -1 for other programs
    int64_t account_uid;    // of the account asked for; -1 when there is none
    const char *account_name;  // as the account database spells it, as long as the handle; NULL when there is none
    int controls_process;   // whether somebody who is not root has started this set-uid program
    int is_remote;          // whether the login session came over the network: 1, 0, or -1 when nobody can tell
};
struct cpam_caller cpam_caller(pam_handle_t *handle, const char *account);

// The name of this machine up to its first dot, with its end.
void cpam_machine(char *name, size_t capacity);

// Whether there is memory for what a call allocates beside its buffers. Swift ends the process when there is none.
int cpam_has_memory(void);

// A random number, 0 when there is none to be had.
uint32_t cpam_random(void);

// A clock that nobody can set, and a pause until it has come to a moment.
int64_t cpam_milliseconds(void);
void cpam_wait_until(int64_t milliseconds);

#endif
