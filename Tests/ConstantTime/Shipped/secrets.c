// SPDX-License-Identifier: Apache-2.0

// Preloaded into a program under memcheck: marks what the program reads from files of secrets as undefined.
//
//     SECRET_BYTES=FILE   every byte of this file: a key
//     SECRET_PINS=PREFIX  the digits in files whose path begins so
//
// In every file, the hexadecimal digits of the members "token" and "deviceSecret" of JSON are marked.
//
// Of a digit only the lowest four bits become undefined. The others are the same in all decimal digits, so that the end of
// a PIN can be found. In a hexadecimal digit they tell letters from numbers.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <valgrind/memcheck.h>

static void mark_digits(char *digits, const char *end) {
    for (; digits < end && *digits != '"' && *digits != '\n'; digits++) {
        unsigned char low_bits = 0x0F;
        (void)VALGRIND_SET_VBITS(digits, &low_bits, 1);
    }
}

static void mark(int file, char *bytes, size_t count) {
    char link[64], path[4096] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    if (readlink(link, path, sizeof path - 1) < 0) return;
    const char *of_bytes = getenv("SECRET_BYTES"), *pins = getenv("SECRET_PINS");
    if (of_bytes != NULL && strcmp(path, of_bytes) == 0) (void)VALGRIND_MAKE_MEM_UNDEFINED(bytes, count);
    if (pins != NULL && strncmp(path, pins, strlen(pins)) == 0) mark_digits(bytes, bytes + count);
    static const char *const names[] = {"\"token\":\"", "\"deviceSecret\":\""};
    for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
        char *found = bytes;
        while ((found = memmem(found, count - (size_t)(found - bytes), names[index], strlen(names[index]))) != NULL) {
            found += strlen(names[index]);
            mark_digits(found, bytes + count);
        }
    }
}

ssize_t read(int file, void *bytes, size_t capacity) {
    static ssize_t (*original)(int, void *, size_t);
    if (original == NULL) *(void **)&original = dlsym(RTLD_NEXT, "read");
    ssize_t count = original(file, bytes, capacity);
    struct stat status;
    VALGRIND_DISABLE_ERROR_REPORTING;
    if (count > 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode)) mark(file, bytes, (size_t)count);
    VALGRIND_ENABLE_ERROR_REPORTING;
    return count;
}

// Valgrind 3.19 writes into the mask, and libdispatch has one in read-only memory.
int sigsuspend(const sigset_t *mask) {
    static int (*original)(const sigset_t *);
    if (original == NULL) *(void **)&original = dlsym(RTLD_NEXT, "sigsuspend");
    sigset_t copy = *mask;
    return original(&copy);
}
