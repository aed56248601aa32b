// SPDX-License-Identifier: Apache-2.0
#include "CValgrind.h"

#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>

int mpin_under_memcheck(void) {
    return RUNNING_ON_VALGRIND != 0;
}

void mpin_mark_secret(const void *bytes, size_t count) {
    (void)VALGRIND_MAKE_MEM_UNDEFINED(bytes, count);
}

void mpin_mark_digits(const void *digits, size_t count) {
    static unsigned char low_bits = 0x0F;
    for (size_t index = 0; index < count; index++) {
        (void)VALGRIND_SET_VBITS((const char *)digits + index, &low_bits, 1);
    }
}

void mpin_mark_public(const void *bytes, size_t count) {
    (void)VALGRIND_MAKE_MEM_DEFINED(bytes, count);
}

unsigned mpin_reports(void) {
    return VALGRIND_COUNT_ERRORS;
}

#else

int mpin_under_memcheck(void) { return 0; }
void mpin_mark_secret(const void *bytes, size_t count) { (void)bytes, (void)count; }
void mpin_mark_digits(const void *digits, size_t count) { (void)digits, (void)count; }
void mpin_mark_public(const void *bytes, size_t count) { (void)bytes, (void)count; }
unsigned mpin_reports(void) { return 0; }

#endif

// Not even at the link, where the body is seen.
void mpin_keep(const void *bytes, size_t count) {
    (void)count;
    __asm__ volatile("" : : "r"(bytes) : "memory");
}
