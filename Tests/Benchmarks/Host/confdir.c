// SPDX-License-Identifier: Apache-2.0

// Preloaded into pamtester: takes PAM services from BENCH_SERVICES instead of /etc/pam.d, at the cost of nothing; knows
// one shadow entry, BENCH_SHADOW, so that pam_unix can check a password that no account of the machine has; and leaves
// out the seconds that libpam sleeps after a refusal.
#define _GNU_SOURCE
#include <errno.h>
#include <security/pam_appl.h>
#include <shadow.h>
#include <stdlib.h>
#include <string.h>

int pam_start_confdir(const char *, const char *, const struct pam_conv *, const char *, pam_handle_t **);

int pam_start(const char *service, const char *user, const struct pam_conv *conversation, pam_handle_t **handle) {
    return pam_start_confdir(service, user, conversation, getenv("BENCH_SERVICES"), handle);
}

int pam_fail_delay(pam_handle_t *handle, unsigned microseconds) {
    (void)handle, (void)microseconds;
    return PAM_SUCCESS;
}

int getspnam_r(const char *name, struct spwd *entry, char *buffer, size_t size, struct spwd **result) {
    const char *hash = getenv("BENCH_SHADOW");
    *result = NULL;
    if (hash == NULL)
        return ENOENT;
    if (strlen(name) + strlen(hash) + 2 > size)
        return ERANGE;
    entry->sp_namp = strcpy(buffer, name);
    entry->sp_pwdp = strcpy(buffer + strlen(name) + 1, hash);
    entry->sp_lstchg = entry->sp_min = entry->sp_max = entry->sp_warn = entry->sp_inact = entry->sp_expire = -1;
    entry->sp_flag = 0;
    *result = entry;
    return 0;
}
