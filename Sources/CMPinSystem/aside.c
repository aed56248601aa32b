// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct search {
    const char *name;
    size_t length;
    int found;
};

static void judge_entry(void *context, const char *entry) {
    struct search *search = context;
    // With any suffix: a file that another program set aside may contain a registration too.
    if (strncmp(entry, search->name, search->length) == 0 && strncmp(entry + search->length, ".bad", 4) == 0)
        search->found = 1;
}

int mpin_file_is_set_aside(int directory, const char *name) {
    struct search search = {.name = name, .length = strlen(name)};
    int result = mpin_directory_list(directory, &search, judge_entry);
    return result != 0 ? result : search.found;
}

int mpin_file_set_aside(int directory, const char *name, const uint8_t *copy, size_t count) {
    const char *source = name;
    char written[NAME_MAX + 1], target[NAME_MAX + 1];
    if (copy != NULL) {
        int length = snprintf(written, sizeof written, ".%s.bad", name);
        if (length < 0 || (size_t)length >= sizeof written) return -ENAMETOOLONG;
        int result = mpin_file_replace(directory, written, copy, count);
        if (result != 0) return result;
        source = written;
    }
    int result = -EEXIST;
    for (int number = 0; number < 1000 && result == -EEXIST; number++) {
        int length = number == 0 ? snprintf(target, sizeof target, "%s.bad", name)
                                 : snprintf(target, sizeof target, "%s.bad.%d", name, number);
        if (length < 0 || (size_t)length >= sizeof target) return -ENAMETOOLONG;
        result = renameat2(directory, source, directory, target, RENAME_NOREPLACE) != 0 ? -errno : number;
    }
    if (result >= 0) return fsync(directory) != 0 ? -errno : result;
    if (copy != NULL) unlinkat(directory, source, 0);
    return result;
}
