// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "attempts.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "files.h"

// A note is the name of an empty file: the tag of the registration, the serving process, the process itself, a serial
// number and the seconds since boot; after a dot the tries left according to the server, `m` for an attempt that may
// have been counted, `w` for one that was counted by a server that does not name the tries left, or `o` for one in flight.
static const char note_format[] =
    "%08" PRIx32 "-%" PRId32 "-%" PRIu64 "-%" PRId32 "-%" PRIu64 "-%" PRIu32 "-%" PRId64 ".%s";
static const char note_pattern[] =
    "%8" SCNx32 "-%" SCNd32 "-%" SCNu64 "-%" SCNd32 "-%" SCNu64 "-%" SCNu32 "-%" SCNd64 ".%7[mow0-9]%n";

// How many seconds a serving process is remembered, and how many seconds after the end of its process the server may
// still judge an attempt.
static const int64_t memory = 600, judgment = 20;
// How many seconds after its beginning an attempt is expected to end soon.
static const int64_t promptness = 10;
// More than the number of wrong PINs that any server allows. A directory with this many notes gets no new ones.
enum { most_notes = 64, name_size = 160 };

struct note {
    struct mpin_attempt attempt;
    int64_t second;
    char state[8];
};

static void write_name(char *name, const struct note *note) {
    const struct mpin_attempt *attempt = &note->attempt;
    snprintf(name, name_size, note_format, attempt->tag, attempt->serving.pid, attempt->serving.start,
             attempt->process.pid, attempt->process.start, attempt->serial, note->second, note->state);
}

static int read_name(const char *name, struct note *note) {
    int length = 0;
    struct mpin_attempt *attempt = &note->attempt;
    int fields = sscanf(name, note_pattern, &attempt->tag, &attempt->serving.pid, &attempt->serving.start,
                        &attempt->process.pid, &attempt->process.start, &attempt->serial, &note->second, note->state,
                        &length);
    return fields == 8 && name[length] == '\0';
}

static int is_same(struct mpin_process one, struct mpin_process other) {
    return one.pid == other.pid && one.start == other.start;
}

uint32_t mpin_attempt_tag(const uint8_t *bytes, size_t count) {
    // FNV-1a. On a collision two registrations of one account would share their counts, with no other effect.
    uint32_t tag = 2166136261u;
    for (size_t index = 0; index < count; index++) tag = (tag ^ bytes[index]) * 16777619u;
    return tag;
}

void mpin_attempt_caller_find(struct mpin_attempt_caller *caller) {
    mpin_process_find(&caller->process, &caller->serving);
}

// This process need not be looked up.
static int lives(struct mpin_process process, const struct mpin_attempt_caller *caller) {
    return is_same(process, caller->process) || mpin_process_lives(process);
}

static int is_stopped(struct mpin_process process, const struct mpin_attempt_caller *caller) {
    return !is_same(process, caller->process) && mpin_process_is_stopped(process);
}

int mpin_attempts_open(int store, const char *account, int create) {
    int all = mpin_directory_enter(store, "attempts", create);
    if (all < 0) return all;
    int directory = mpin_directory_enter(all, account, create);
    close(all);
    return directory;
}

struct listing {
    void *context;
    void (*each)(void *context, const char *name, struct note *note);
};

static void list_entry(void *context, const char *name) {
    const struct listing *listing = context;
    struct note note;
    if (read_name(name, &note)) listing->each(listing->context, name, &note);
}

// Calls back for each note with its file name, including notes of other registrations.
// Returns 0, or below zero when they cannot be listed.
static int each_note(int directory, void *context, void (*each)(void *context, const char *name, struct note *note)) {
    struct listing listing = {.context = context, .each = each};
    return mpin_directory_list(directory, &listing, list_entry);
}

struct counting {
    uint32_t tag;
    const struct mpin_attempt_caller *caller;
    struct mpin_attempt_counts *counts;
};

static void lower(int *least, int value) {
    if (*least < 0 || value < *least) *least = value;
}

static void count_note(void *context, const char *name, struct note *note) {
    (void)name;
    struct counting *counting = context;
    if (note->attempt.tag != counting->tag) return;
    struct mpin_attempt_counts *counts = counting->counts;
    // A time in the future is from an earlier boot: the process is gone, but the server's count remains. The clock is read
    // after the note, which another process may just have written.
    int64_t age = mpin_boottime_seconds() - note->second;
    int is_own = is_same(note->attempt.serving, counting->caller->serving) && age >= 0 && age < memory;
    if (note->state[0] == 'o' && lives(note->attempt.process, counting->caller)) {
        counts->in_flight++;
        if (age < 0 || age >= promptness || is_stopped(note->attempt.process, counting->caller)) counts->stalled++;
    } else if (note->state[0] > '9') {
        counts->unresolved++;
        if (is_own) counts->own_unresolved++;
    } else {
        int left = (int)strtoll(note->state, NULL, 10);
        lower(&counts->left, left);
        if (is_own) lower(&counts->own_left, left);
    }
}

int mpin_attempts_count(
    int directory, uint32_t tag, const struct mpin_attempt_caller *caller, struct mpin_attempt_counts *counts
) {
    *counts = (struct mpin_attempt_counts){.left = -1, .own_left = -1};
    struct counting counting = {.tag = tag, .caller = caller, .counts = counts};
    return each_note(directory, &counting, count_note);
}

// Marks the attempt of a process that has ended as one that may have been counted, with the current time.
static void end_orphan(int directory, const char *name, struct note *note) {
    char ended[name_size];
    snprintf(note->state, sizeof note->state, "m");
    note->second = mpin_boottime_seconds();
    write_name(ended, note);
    (void)renameat(directory, name, directory, ended);
}

struct beginning {
    int directory;
    struct mpin_attempt *attempt;
    int present;
};

// Gives the attempts of one process increasing serial numbers, so that each note has a unique name.
static void number_note(void *context, const char *name, struct note *note) {
    struct beginning *beginning = context;
    struct mpin_attempt *attempt = beginning->attempt;
    if (note->attempt.tag != attempt->tag) return;
    beginning->present++;
    if (is_same(note->attempt.process, attempt->process)) {
        if (note->attempt.serial >= attempt->serial) attempt->serial = note->attempt.serial + 1;
    } else if (note->state[0] == 'o' && !mpin_process_lives(note->attempt.process)) {
        end_orphan(beginning->directory, name, note);
    }
}

// The name of an attempt that has begun and not ended.
static void write_begun(char *name, const struct mpin_attempt *attempt) {
    write_name(name, &(struct note){.attempt = *attempt, .second = attempt->second, .state = "o"});
}

int mpin_attempt_begin(
    int directory, uint32_t tag, const struct mpin_attempt_caller *caller, struct mpin_attempt *attempt
) {
    *attempt = (struct mpin_attempt){
        .serving = caller->serving, .process = caller->process, .tag = tag, .second = mpin_boottime_seconds()};
    struct beginning beginning = {.directory = directory, .attempt = attempt, .present = 0};
    int listed = each_note(directory, &beginning, number_note);
    if (listed != 0) return listed;
    if (beginning.present >= most_notes) return -EDQUOT;
    char name[name_size];
    write_begun(name, attempt);
    int file = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0) return -errno;
    close(file);
    return 0;
}

struct ending {
    int directory;
    const struct mpin_attempt *attempt;
    enum mpin_attempt_end end;
    int left;
};

static int is_own(const struct ending *ending, const struct note *note) {
    return note->attempt.tag == ending->attempt->tag && note->attempt.serial == ending->attempt->serial
        && note->state[0] == 'o' && is_same(note->attempt.process, ending->attempt->process);
}

static void end_note(void *context, const char *name, struct note *note) {
    struct ending *ending = context;
    if (is_own(ending, note)) {
        char ended[name_size];
        snprintf(note->state, sizeof note->state, "%d", ending->left % 10000);
        if (ending->left < 0) memcpy(note->state, ending->end == MPIN_ATTEMPT_MAYBE ? "m" : "w", 2);
        note->second = mpin_boottime_seconds();
        write_name(ended, note);
        // If the rename fails, the note stays and counts as an attempt that may have been counted.
        (void)renameat(ending->directory, name, ending->directory, ended);
        return;
    }
    // The tries left in this response include the attempts judged before it, but not those still under way.
    int is_settled = ending->left >= 0 && note->attempt.tag == ending->attempt->tag
        && (note->state[0] == 'm' || note->state[0] == 'w') && note->second + judgment < ending->attempt->second;
    if (is_settled) unlinkat(ending->directory, name, 0);
}

void mpin_attempt_end(int directory, const struct mpin_attempt *attempt, enum mpin_attempt_end end, int left) {
    if (end == MPIN_ATTEMPT_NOT_COUNTED) {
        char name[name_size];
        write_begun(name, attempt);
        unlinkat(directory, name, 0);
        return;
    }
    struct ending ending = {.directory = directory, .attempt = attempt, .end = end, .left = left};
    each_note(directory, &ending, end_note);
}

struct clearing {
    int directory;
    uint32_t tag;
    const struct mpin_attempt_caller *caller;
};

static void clear_note(void *context, const char *name, struct note *note) {
    const struct clearing *clearing = context;
    if (note->attempt.tag != clearing->tag) return;
    if (note->state[0] == 'o') {
        // An attempt in flight, or of a process that has ended and that the server may still judge after this success.
        if (lives(note->attempt.process, clearing->caller)) return;
        return end_orphan(clearing->directory, name, note);
    }
    int is_recent = note->second + judgment >= mpin_boottime_seconds();
    if (note->state[0] == 'm' && is_recent && !is_same(note->attempt.serving, clearing->caller->serving)) return;
    unlinkat(clearing->directory, name, 0);
}

void mpin_attempts_clear(int directory, uint32_t tag, const struct mpin_attempt_caller *caller) {
    struct clearing clearing = {.directory = directory, .tag = tag, .caller = caller};
    each_note(directory, &clearing, clear_note);
}
