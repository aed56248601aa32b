// SPDX-License-Identifier: Apache-2.0

// What a guest in a process must leave as it found it.
#ifndef PAM_PROBE_SNAPSHOT_H
#define PAM_PROBE_SNAPSHOT_H

// Descriptors, threads, children, signals, mask, limits, timers, directory, locale, environment and the rest, one fact a
// line. The caller frees it.
char *snapshot(void);

// Prints the lines that only one of two snapshots has. Their number.
int snapshot_compare(const char *before, const char *after);

#endif
