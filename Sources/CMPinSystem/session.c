// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "process.h"

// A part of a text that is not terminated.
struct word {
    const char *text;
    int length;
};

static int is_equal(struct word word, const char *text) {
    return strlen(text) == (size_t)word.length && strncmp(word.text, text, (size_t)word.length) == 0;
}

static int begins(struct word word, const char *prefix) {
    return (size_t)word.length >= strlen(prefix) && strncmp(word.text, prefix, strlen(prefix)) == 0;
}

// Names of sessions and services consist of these characters.
static struct word word_at(const char *text) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.@";
    return (struct word){text, (int)strspn(text, letters)};
}

static struct mpin_place place(enum mpin_place_kind kind, const char *reason) {
    struct mpin_place place = {.kind = kind};
    snprintf(place.reason, sizeof place.reason, "%s", reason);
    return place;
}

static struct mpin_place remote_session(struct word name, const char *reason, struct word service) {
    struct mpin_place place = {.kind = MPIN_PLACE_REMOTE};
    snprintf(place.reason, sizeof place.reason, "session %.*s %s%.*s", name.length < 16 ? name.length : 16, name.text,
        reason, service.length < 24 ? service.length : 24, service.text);
    return place;
}

// Reads a small file that belongs to root as text. Returns its length, or -1.
static ssize_t read_text(const char *path, char *text, size_t capacity) {
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (file < 0) return -1;
    struct stat status;
    ssize_t count = -1;
    int is_safe = fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == 0
        && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
    if (is_safe) {
        do count = read(file, text, capacity - 1);
        while (count < 0 && errno == EINTR);
    }
    close(file);
    text[count < 0 ? 0 : count] = '\0';
    return count;
}

// Returns what follows a line feed and KEY=; an empty word if there is none. logind writes a comment before all keys.
static struct word value_of(const char *text, const char *key) {
    const char *line = strstr(text, key);
    return word_at(line == NULL ? "" : line + strlen(key));
}

// Login programs that serve a console or a display of this machine.
static int is_login_program(struct word service) {
    static const char *const names[] = {"login", "sddm", "sddm-autologin", "lightdm", "lightdm-autologin", "lxdm", "xdm",
        "greetd", "slim", "ly", "ly-autologin"};
    for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
        if (is_equal(service, names[index])) return 1;
    }
    return begins(service, "gdm-");
}

// Whether a terminal is a console or a serial line, and not a pseudoterminal.
static int is_console(struct word terminal) {
    if (is_equal(terminal, "console") || is_equal(terminal, "sclp_line0")) return 1;
    if (!begins(terminal, "tty") && !begins(terminal, "hvc")) return 0;
    // The old pseudoterminals had a lowercase letter here, such as ttyp0.
    const char *name = terminal.text + 3;
    name += begins(terminal, "tty") ? strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") : 0;
    const size_t digits = strspn(name, "0123456789");
    return digits > 0 && name + digits == terminal.text + terminal.length;
}

int mpin_is_console(const char *terminal) {
    const struct word word = word_at(strncmp(terminal, "/dev/", 5) == 0 ? terminal + 5 : terminal);
    return word.text[word.length] == '\0' && is_console(word);
}

// Where the user of a session is. Sessions without a user at them, such as a service manager's and background jobs, and
// names that logind does not know are no sessions.
static struct mpin_place session_place(struct word name) {
    char path[64], text[4096];
    snprintf(path, sizeof path, "/run/systemd/sessions/%.*s", name.length, name.text);
    if (name.length == 0 || name.length > 32 || read_text(path, text, sizeof text) <= 0)
        return place(MPIN_PLACE_OUTSIDE, "");
    const struct word class = value_of(text, "\nCLASS="), service = value_of(text, "\nSERVICE=");
    if (!is_equal(class, "user") && !begins(class, "user-")) return place(MPIN_PLACE_OUTSIDE, "");
    if (!is_equal(value_of(text, "\nREMOTE="), "0")) {
        if (is_equal(service, "sshd")) return remote_session(name, "came over ssh", word_at(""));
        return remote_session(name, "came over the network", word_at(""));
    }
    if (service.length == 0) return remote_session(name, "was started by an unknown program", service);
    if (!is_login_program(service)) return remote_session(name, "was started by ", service);
    // Web terminals and machinectl run login(1) without a console, and display managers serve VNC and XDMCP, too.
    const struct word terminal = value_of(text, "\nTTY="), seat = value_of(text, "\nSEAT=");
    const int is_here = is_equal(service, "login") ? is_console(terminal) : seat.length > 0;
    return is_here ? place(MPIN_PLACE_LOCAL, "") : remote_session(name, "is at no console or display here", word_at(""));
}

// Where a user is whose sessions are all at one place; remote if they are not, or if there is none.
static struct mpin_place user_place(int64_t user) {
    char path[64], text[4096];
    struct mpin_place result = place(MPIN_PLACE_REMOTE, "its user has no login session");
    snprintf(path, sizeof path, "/run/systemd/users/%lld", (long long)user);
    const ssize_t length = read_text(path, text, sizeof text);
    const char *name = length <= 0 ? NULL : strstr(text, "\nSESSIONS=");
    if (name == NULL) return result;
    name += strlen("\nSESSIONS=");
    while (*name != '\n') {
        const struct word word = word_at(name);
        name += word.length;
        // An unknown character, or a list that does not fit into the buffer.
        if (word.length == 0 || (*name != ' ' && *name != '\n')) return place(MPIN_PLACE_REMOTE, "it has too many sessions");
        const struct mpin_place session = session_place(word);
        if (session.kind == MPIN_PLACE_REMOTE) return session;
        if (session.kind == MPIN_PLACE_LOCAL) result = session;
        name += strspn(name, " ");
    }
    return result;
}

// The path of a process's control group in systemd's hierarchy, in the text of /proc/PID/cgroup. Only the beginning of a
// line is compared: users choose the ends of their paths.
static const char *group_path(const char *text) {
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *fields = line + strspn(line, "0123456789");
        if (strncmp(line, "0::", 3) == 0) return line + 3;
        if (strncmp(fields, ":name=systemd:", 14) == 0) return fields + 14;
    }
    return "";
}

// Whether a path begins with a unit of that form. `name` becomes what is between the prefix and the suffix.
static int find_unit(const char *path, const char *prefix, const char *suffix, struct word *name) {
    const int before = (int)strlen(prefix), after = (int)strlen(suffix);
    const struct word unit = word_at(path);
    const int length = unit.length - before - after;
    if (length <= 0 || !begins(unit, prefix) || strncmp(path + unit.length - after, suffix, (size_t)after) != 0) return 0;
    // A name that does not fit into the buffer is cut off.
    if (path[unit.length] != '/' && path[unit.length] != '\n') return 0;
    *name = (struct word){path + before, length};
    return 1;
}

enum unit { NO_UNIT, SESSION, MANAGER };

// The unit of a session or of a user's service manager, where systemd makes them: users choose the rest of the path, and
// containers have the same names below another one.
static enum unit unit_of(const char *groups, struct word *name) {
    static const char slices[] = "/user.slice/user-";
    const char *path = group_path(groups);
    if (strncmp(path, slices, strlen(slices)) != 0) return NO_UNIT;
    path += strlen(slices);
    path += strspn(path, "0123456789");
    if (strncmp(path, ".slice/", 7) != 0) return NO_UNIT;
    if (find_unit(path + 7, "session-", ".scope", name)) return SESSION;
    if (find_unit(path + 7, "user@", ".service", name)) return MANAGER;
    return NO_UNIT;
}

// Daemons that serve the network or run jobs, by the beginning of their names.
static int is_elsewhere(const char *name) {
    static const char *const names[] = {"sshd", "dropbear", "telnetd", "in.", "xrdp", "cockpit", "cron", "fcron", "atd",
        "anacron", "mosh", "tailscale", "teleport", "tinyssh", "ttyd", "gotty", "shellinabox", "code-server", "x11vnc",
        "Xvnc", "Xtigervnc", "wayvnc"};
    for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
        if (strncmp(name, names[index], strlen(names[index])) == 0) return 1;
    }
    return 0;
}

// Where a process is by the programs that have started it. A process whose parent has ended is a child of init.
static struct mpin_place place_by_ancestors(int32_t pid) {
    enum { longest_line = 64 };
    char name[MPIN_PROCESS_NAME], reason[MPIN_PLACE_REASON];
    if (pid == 0) pid = getpid();
    for (int step = 0; step < longest_line && pid > 0; step++) {
        pid = mpin_process_parent(pid, name);
        if (pid >= 0 && is_elsewhere(name)) {
            const struct word daemon = word_at(name);
            snprintf(reason, sizeof reason, "it was started by %.*s", daemon.length, daemon.text);
            return place(MPIN_PLACE_REMOTE, reason);
        }
    }
    return pid == 0 ? place(MPIN_PLACE_LOCAL, "") : place(MPIN_PLACE_REMOTE, "its ancestors are unknown");
}

// Where a process is by the sessions that logind records.
static struct mpin_place place_by_sessions(int32_t pid, int64_t user) {
    char number[MPIN_PROCESS_TEXT], groups[MPIN_PROCESS_TEXT];
    if (!mpin_process_read(pid, "sessionid", number)) number[0] = '\0';
    if (!mpin_process_read(pid, "cgroup", groups)) return place(MPIN_PLACE_OUTSIDE, "its control group is unknown");
    // The audit system's number for no session.
    const struct word session = word_at(strcmp(number, "4294967295") == 0 ? "" : number);
    const struct mpin_place audited = session_place(session);
    if (audited.kind == MPIN_PLACE_REMOTE) return audited;

    struct word name = word_at("");
    const enum unit unit = unit_of(groups, &name);
    if (unit == SESSION) {
        const struct mpin_place grouped = session_place(name);
        if (grouped.kind != MPIN_PLACE_OUTSIDE) return grouped;
    }
    if (audited.kind == MPIN_PLACE_LOCAL) return audited;
    if (unit == MANAGER) {
        char *end = NULL;
        const int64_t manager = strtoll(name.text, &end, 10);
        if (end == name.text + name.length && (user < 0 || manager == user)) return user_place(manager);
    }
    return place(MPIN_PLACE_OUTSIDE, "it belongs to no login session");
}

struct mpin_place mpin_place_of(int32_t pid, int64_t user) {
    // What sd-login's own functions ask.
    if (access("/run/systemd/seats", F_OK) != 0) return place_by_ancestors(pid);
    const struct mpin_place found = place_by_sessions(pid, user);
    if (found.kind != MPIN_PLACE_LOCAL) return found;
    // A daemon that was started by hand in a local session serves clients from elsewhere.
    const struct mpin_place started = place_by_ancestors(pid);
    return started.kind == MPIN_PLACE_REMOTE ? started : found;
}
