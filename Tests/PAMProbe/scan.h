// SPDX-License-Identifier: Apache-2.0

// Looks for secrets in the memory of this process.
#ifndef PAM_PROBE_SCAN_H
#define PAM_PROBE_SCAN_H

// Patterns that this program itself must not contain: each byte is stored with all bits turned round.
struct patterns {
    unsigned char *bytes;
    int count;
    struct {
        int start, length;
    } each[16];
};

// Reads patterns, one a line, hexadecimal digits of the turned bytes.
void patterns_read(struct patterns *patterns, const char *file);

// The number of copies of each pattern in writable memory, printed; their sum.
int patterns_search(const struct patterns *patterns, const char *occasion);

// A copy of a pattern on the heap, to see that it is found.
unsigned char *pattern_plant(const struct patterns *patterns, int number);

#endif
