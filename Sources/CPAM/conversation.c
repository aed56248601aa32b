// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CPAM.h"

#include <security/pam_ext.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

static enum mpin_pam_answer copy_text(const char *text, uint8_t *bytes, size_t capacity, size_t *count) {
    size_t length = strlen(text);
    if (length == 0) return MPIN_PAM_EMPTY;
    if (length > capacity) return MPIN_PAM_TOO_LONG;
    memcpy(bytes, text, length);
    *count = length;
    return MPIN_PAM_TEXT;
}

enum mpin_pam_answer mpin_pam_ask(
    pam_handle_t *handle, const char *prompt, uint8_t *bytes, size_t capacity, size_t *count
) {
    *count = 0;
    const void *item = NULL;
    if (pam_get_item(handle, PAM_CONV, &item) != PAM_SUCCESS || item == NULL) return MPIN_PAM_FAILED;
    const struct pam_conv *conversation = item;
    if (conversation->conv == NULL) return MPIN_PAM_FAILED;

    const struct pam_message message = {.msg_style = PAM_PROMPT_ECHO_OFF, .msg = prompt};
    const struct pam_message *messages[] = {&message};
    struct pam_response *response = NULL;
    int result = conversation->conv(1, messages, &response, conversation->appdata_ptr);
    if (response == NULL) return MPIN_PAM_FAILED;

    enum mpin_pam_answer answer = MPIN_PAM_FAILED;
    if (response->resp != NULL) {
        if (result == PAM_SUCCESS) answer = copy_text(response->resp, bytes, capacity, count);
        explicit_bzero(response->resp, strlen(response->resp));
        free(response->resp);
    }
    free(response);
    return answer;
}

enum mpin_pam_answer mpin_pam_first_pass(pam_handle_t *handle, uint8_t *bytes, size_t capacity, size_t *count) {
    *count = 0;
    const void *item = NULL;
    if (pam_get_item(handle, PAM_AUTHTOK, &item) != PAM_SUCCESS || item == NULL) return MPIN_PAM_FAILED;
    return copy_text(item, bytes, capacity, count);
}

void mpin_pam_forward(pam_handle_t *handle, const uint8_t *bytes, size_t count) {
    char text[MPIN_AGENT_LONGEST_SECRET + 1];
    if (count >= sizeof text) return;
    memcpy(text, bytes, count);
    text[count] = '\0';
    // Without it, the next module asks for the password.
    (void)pam_set_item(handle, PAM_AUTHTOK, text);
    mpin_wipe(text, sizeof text);
}

void mpin_pam_tell(pam_handle_t *handle, const char *text, int is_error) {
    // A message that cannot be shown does not affect the login.
    (void)pam_prompt(handle, is_error ? PAM_ERROR_MSG : PAM_TEXT_INFO, NULL, "%s", text);
}

void mpin_pam_log(pam_handle_t *handle, int priority, const char *line) {
    pam_syslog(handle, LOG_AUTHPRIV | priority, "%s", line);
}

void mpin_pam_delay(pam_handle_t *handle, unsigned microseconds) {
    (void)pam_fail_delay(handle, microseconds);
}

const char *mpin_pam_user(pam_handle_t *handle) {
    const char *name = NULL;
    return pam_get_user(handle, &name, NULL) == PAM_SUCCESS ? name : NULL;
}

const char *mpin_pam_text(pam_handle_t *handle, int item) {
    const void *text = NULL;
    return pam_get_item(handle, item, &text) == PAM_SUCCESS && text != NULL ? text : "";
}
