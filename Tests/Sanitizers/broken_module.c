// SPDX-License-Identifier: Apache-2.0

// A PAM module with the faults that the address and undefined-behavior sanitizers are there for: scripts/sanitize wants
// to see that they are found where they are.
#include <security/pam_modules.h>
#include <stdlib.h>

int pam_sm_authenticate(pam_handle_t *handle, int flags, int count, const char **words) {
    (void)handle, (void)words;
    volatile int largest = 0x7FFFFFFF;
    volatile char *bytes = malloc(4);
    if (FAULT == 1) bytes[4 + flags * 0] = 1;
    if (FAULT == 2) largest += 1 + count;
    free((void *)bytes);
    return PAM_AUTH_ERR;
}

int pam_sm_setcred(pam_handle_t *handle, int flags, int count, const char **words) {
    (void)handle, (void)flags, (void)count, (void)words;
    return PAM_SUCCESS;
}

int pam_sm_acct_mgmt(pam_handle_t *handle, int flags, int count, const char **words) {
    return pam_sm_setcred(handle, flags, count, words);
}
