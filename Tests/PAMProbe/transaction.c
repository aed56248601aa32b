// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "transaction.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { longest_answer = 512 };

static char *answer(struct talk *talk) {
    const struct login *login = talk->login;
    if (login->pin_count == 0) return NULL;
    int number = talk->asked < login->pin_count ? talk->asked : login->pin_count - 1;
    talk->asked++;
    int file = open(login->pins[number], O_RDONLY | O_CLOEXEC);
    if (file < 0) return NULL;
    char *text = calloc(1, longest_answer);
    if (text == NULL) abort();
    if (read(file, text, longest_answer - 1) < 0) abort();
    close(file);
    return text;
}

static int converse(int count, const struct pam_message **messages, struct pam_response **responses, void *context) {
    struct talk *talk = context;
    struct pam_response *all = calloc((size_t)count, sizeof *all);
    if (all == NULL) return PAM_CONV_ERR;
    for (int index = 0; index < count; index++) {
        int style = messages[index]->msg_style;
        int is_question = style == PAM_PROMPT_ECHO_OFF || style == PAM_PROMPT_ECHO_ON;
        // A last try cannot be confirmed within 250 ms.
        if (is_question && strstr(messages[index]->msg, "Retype") != NULL) usleep(300000);
        if (is_question) all[index].resp = answer(talk);
        if (!talk->is_quiet) printf("%s %s\n", is_question ? "asked:" : "told:", messages[index]->msg);
    }
    *responses = all;
    return PAM_SUCCESS;
}

static void do_not_wait(int result, unsigned microseconds, void *context) {
    (void)result, (void)microseconds, (void)context;
}

pam_handle_t *transaction_start(const struct login *login, struct talk *talk) {
    pam_handle_t *handle = NULL;
    const struct pam_conv conversation = {converse, talk};
    int code = pam_start_confdir(login->service, login->user, &conversation, login->directory, &handle);
    if (code != PAM_SUCCESS) return NULL;
    union {
        void (*function)(int, unsigned, void *);
        const void *item;
    } delay = {.function = do_not_wait};
    if (pam_set_item(handle, PAM_FAIL_DELAY, delay.item) == PAM_SUCCESS) return handle;
    pam_end(handle, PAM_ABORT);
    return NULL;
}

int transaction(const struct login *login) {
    struct talk talk = {.login = login, .is_quiet = 1};
    pam_handle_t *handle = transaction_start(login, &talk);
    if (handle == NULL) return PAM_ABORT;
    int code = pam_authenticate(handle, 0);
    if (code == PAM_SUCCESS) code = pam_acct_mgmt(handle, 0);
    if (code == PAM_SUCCESS) code = pam_setcred(handle, PAM_ESTABLISH_CRED);
    pam_end(handle, code);
    return code;
}

const char *code_name(int code) {
    switch (code) {
    case PAM_SUCCESS: return "PAM_SUCCESS";
    case PAM_SERVICE_ERR: return "PAM_SERVICE_ERR";
    case PAM_SYSTEM_ERR: return "PAM_SYSTEM_ERR";
    case PAM_PERM_DENIED: return "PAM_PERM_DENIED";
    case PAM_MAXTRIES: return "PAM_MAXTRIES";
    case PAM_AUTH_ERR: return "PAM_AUTH_ERR";
    case PAM_AUTHINFO_UNAVAIL: return "PAM_AUTHINFO_UNAVAIL";
    case PAM_USER_UNKNOWN: return "PAM_USER_UNKNOWN";
    case PAM_CONV_ERR: return "PAM_CONV_ERR";
    case PAM_AUTHTOK_ERR: return "PAM_AUTHTOK_ERR";
    default: return "another code";
    }
}
