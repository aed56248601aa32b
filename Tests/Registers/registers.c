// SPDX-License-Identifier: Apache-2.0
#include "registers.h"

#if defined(__x86_64__)
#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15)
#define STORE(n) "movdqu %%xmm" #n ", 16*" #n "(%0)\n"
#define LOAD(n) "movq %0, %%xmm" #n "\n"
#define NAME(n) "xmm" #n,
enum { count = 32 };
#elif defined(__aarch64__)
// Those that a call may use; the rest belongs to the callers.
#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(16) DO(17) DO(18) DO(19) DO(20) DO(21) DO(22) DO(23) \
    DO(24) DO(25) DO(26) DO(27) DO(28) DO(29) DO(30) DO(31)
#define STORE(n) "str q" #n ", [%0, #(16*" #n ")]\n"
#define LOAD(n) "dup v" #n ".2d, %0\n"
#define NAME(n) "v" #n,
enum { count = 64 };
#endif

static uint64_t words[count];

void registers_take(void) {
    __asm__ volatile(EACH(STORE) : : "r"(words) : "memory");
}

uint64_t registers_word(int number) {
    return number >= 0 && number < count ? words[number] : 0;
}

int registers_count(void) {
    return count;
}

void registers_fill(uint64_t word) {
    __asm__ volatile(EACH(LOAD) : : "r"(word) : EACH(NAME) "memory");
}
