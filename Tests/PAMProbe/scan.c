// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "scan.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { window = 1 << 20, longest = 256 };

void patterns_read(struct patterns *patterns, const char *name) {
    FILE *file = fopen(name, "re");
    char line[2 * longest + 2];
    patterns->bytes = calloc(16, longest);
    patterns->count = 0;
    if (file == NULL || patterns->bytes == NULL) abort();
    int end = 0;
    while (patterns->count < 16 && fgets(line, sizeof line, file) != NULL) {
        int length = 0;
        unsigned byte;
        while (length < longest && sscanf(line + 2 * length, "%2x", &byte) == 1) {
            patterns->bytes[end + length++] = (unsigned char)byte;
        }
        patterns->each[patterns->count].start = end;
        patterns->each[patterns->count++].length = length;
        end += length;
    }
    fclose(file);
}

static int is_at(const unsigned char *memory, const unsigned char *turned, int length) {
    int index = 0;
    while (index < length && (turned[index] ^ memory[index]) == 0xff) index++;
    return index == length;
}

// Counts beginnings of a pattern in the first `count` bytes of a buffer of `length` bytes.
static int count_in(const unsigned char *buffer, size_t count, size_t length, const unsigned char *turned, int size) {
    int found = 0;
    const unsigned char first = (unsigned char)~turned[0];
    for (const unsigned char *place = buffer; place < buffer + count; place++) {
        place = memchr(place, first, (size_t)(buffer + count - place));
        if (place == NULL) break;
        if ((size_t)size <= length - (size_t)(place - buffer) && is_at(place, turned, size)) found++;
    }
    return found;
}

// A buffer between two pages that cannot be read, so that the kernel lists it by itself and it can be left out.
static unsigned char *make_window(size_t page) {
    unsigned char *pages = mmap(NULL, window + 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || mprotect(pages + page, window + page, PROT_READ | PROT_WRITE) != 0) abort();
    return pages + page;
}

int patterns_search(const struct patterns *patterns, const char *occasion) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *buffer = make_window(page);
    int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    FILE *maps = fopen("/proc/self/maps", "re");
    if (memory < 0 || maps == NULL) abort();
    int found[16] = {0}, sum = 0;
    uint64_t searched = 0;
    char line[512];
    while (fgets(line, sizeof line, maps) != NULL) {
        uint64_t start, end;
        char mode[8];
        if (sscanf(line, "%lx-%lx %7s", &start, &end, mode) != 3 || mode[0] != 'r' || mode[1] != 'w') continue;
        if (start == (uint64_t)(uintptr_t)buffer) continue;
        for (uint64_t place = start; place < end; place += window) {
            // Some bytes more than the step, for matches across its end.
            size_t wanted = end - place < window + longest ? (size_t)(end - place) : window + longest;
            ssize_t got = pread(memory, buffer, wanted, (off_t)place);
            if (got <= 0) continue;
            size_t count = got < window ? (size_t)got : window;
            searched += count;
            for (int number = 0; number < patterns->count; number++) {
                found[number] += count_in(buffer, count, (size_t)got,
                    patterns->bytes + patterns->each[number].start, patterns->each[number].length);
            }
        }
    }
    fclose(maps);
    close(memory);
    munmap(buffer - page, window + 3 * page);
    printf("%s:", occasion);
    for (int number = 0; number < patterns->count; number++) {
        printf(" %d", found[number]);
        sum += found[number];
    }
    printf(" in %lu kB\n", (unsigned long)(searched / 1024));
    return sum;
}

unsigned char *pattern_plant(const struct patterns *patterns, int number) {
    int length = patterns->each[number].length;
    unsigned char *copy = malloc((size_t)length);
    if (copy == NULL) abort();
    for (int index = 0; index < length; index++) {
        copy[index] = (unsigned char)~patterns->bytes[patterns->each[number].start + index];
    }
    return copy;
}
