// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CPAM.h"

#include <security/pam_modutil.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/socket.h>
#include <unistd.h>

#include "CMPinSystem.h"

// The user who started a set-uid program, or whom polkit's helper serves, and the process in that user's session.
struct starter {
    int64_t uid;  // -1 for other programs
    int32_t pid;
};

// From version 127 on polkit runs its helper as root, for every user, with the socket of the user's agent as its
// standard input. The kernel names the effective user of the process that connected, which is root for pkexec; the real
// user is the one who started it. A process that connected as a user other than root keeps that user, whatever set-uid
// program it runs later.
static struct starter polkit_starter(void) {
    struct starter starter = {UINT32_MAX, 0};
    struct ucred peer = {0};
    socklen_t size = sizeof peer;
    if (getsockopt(STDIN_FILENO, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.pid <= 0) return starter;
    const int64_t real = mpin_process_real_uid(peer.pid);
    // The process ID is unique only while that process runs.
    if (mpin_process_peer_runs(STDIN_FILENO) != 1) return starter;
    if (real < 0 || (peer.uid != 0 && (int64_t)peer.uid != real)) return starter;
    starter.uid = real;
    starter.pid = peer.pid;
    return starter;
}

// A set-uid program may change its real user to root before it calls libpam, so the real user at exec (AT_UID) counts.
// A process that changed its user later without exec has that user as its real user.
static struct starter find_starter(pam_handle_t *handle, uid_t real) {
    struct starter starter = {-1, 0};
    if (getauxval(AT_SECURE) != 0) starter.uid = (int64_t)getauxval(AT_UID);
    else if (real != geteuid()) starter.uid = real;
    else if (strcmp(mpin_pam_text(handle, PAM_SERVICE), "polkit-1") == 0) starter = polkit_starter();
    return starter;
}

// Whether a program of root does not serve a console or display of this machine: telnetd also runs login(1), other daemons
// use its service, and display managers show their prompts on displays of other hosts.
static int lacks_console(pam_handle_t *handle) {
    const char *terminal = mpin_pam_text(handle, PAM_TTY), *display = strchr(terminal, ':');
    if (strcmp(mpin_pam_text(handle, PAM_SERVICE), "login") == 0) return !mpin_is_console(terminal);
    return display != NULL && display != terminal;
}

static int is_other(uint32_t user, int64_t account) {
    return user != 0 && user != account;
}

struct mpin_pam_caller mpin_pam_caller(pam_handle_t *handle, const char *account) {
    const struct passwd *entry = pam_modutil_getpwnam(handle, account);
    struct mpin_pam_caller caller = {.real_uid = getuid(), .account_uid = -1};
    const struct starter starter = find_starter(handle, caller.real_uid);
    if (entry != NULL) {
        caller.account_uid = entry->pw_uid;
        caller.account_name = entry->pw_name;
    }
    caller.starting_uid = starter.uid < 0 ? caller.real_uid : (uint32_t)starter.uid;
    if (starter.uid >= 0) {
        caller.controls_process = (caller.real_uid | caller.starting_uid) != 0;
        caller.is_another_user = is_other(caller.real_uid, caller.account_uid)
            || is_other(caller.starting_uid, caller.account_uid);
    }
    // A root process may ask for any account, root's too, so its service manager shows nothing about that account.
    const int is_owner = caller.starting_uid == caller.account_uid;
    caller.place = mpin_place_of(starter.pid, is_owner ? caller.account_uid : -1);
    // The process ID is unique only while that process runs.
    if (starter.pid > 0 && mpin_process_peer_runs(STDIN_FILENO) != 1) {
        caller.place.kind = MPIN_PLACE_REMOTE;
        snprintf(caller.place.reason, sizeof caller.place.reason, "the program that asks has ended");
    }
    if (caller.place.kind != MPIN_PLACE_REMOTE && !(is_owner && caller.starting_uid != 0) && lacks_console(handle)) {
        caller.place.kind = MPIN_PLACE_REMOTE;
        snprintf(caller.place.reason, sizeof caller.place.reason, "it serves no console or display of this machine");
    }
    return caller;
}

int mpin_pam_is_another_user(pam_handle_t *handle) {
    const char *account = mpin_pam_user(handle);
    return account == NULL || mpin_pam_caller(handle, account).is_another_user;
}
