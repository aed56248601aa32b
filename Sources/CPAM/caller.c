#define _GNU_SOURCE
#include "CPAM.h"

#include <security/pam_modutil.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "CMPinSystem.h"

// Whether a user other than root started this set-uid program, and so can stop it, limit its resources and signal it.
// sudo changes its real user to root before it calls libpam, so the real user at exec (AT_UID) decides. A process that
// changed its user later without exec has that user as its real one.
static int caller_controls_process(void) {
    if (getauxval(AT_SECURE) != 0) return getauxval(AT_UID) != 0 || getuid() != 0;
    return getuid() != 0 && getuid() != geteuid();
}

struct mpin_pam_caller mpin_pam_caller(pam_handle_t *handle, const char *account) {
    struct passwd *entry = pam_modutil_getpwnam(handle, account);
    return (struct mpin_pam_caller){
        .real_uid = getuid(),
        .starting_uid = getauxval(AT_SECURE) != 0 ? (int64_t)getauxval(AT_UID) : -1,
        .account_uid = entry == NULL ? -1 : (int64_t)entry->pw_uid,
        .account_name = entry == NULL ? NULL : entry->pw_name,
        .controls_process = caller_controls_process(),
        .is_remote = mpin_session_is_remote(0),
    };
}

void mpin_pam_host_name(char *name, size_t capacity) {
    if (gethostname(name, capacity) != 0) name[0] = '\0';
    name[capacity - 1] = '\0';
    name[strcspn(name, ".")] = '\0';
}
