// SPDX-License-Identifier: Apache-2.0

// The clocks of the system. Here because clock_gettime's constants are macros, and deadlines must not follow the wall
// clock.
#ifndef CMPINSYSTEM_CLOCK_H
#define CMPINSYSTEM_CLOCK_H

#include <stdint.h>

// Nanoseconds on the monotonic clock, which stands still while the machine is suspended.
int64_t mpin_monotonic_ns(void);

// Seconds since boot, including suspension.
int64_t mpin_boottime_seconds(void);

// Seconds since 1970-01-01 UTC, as set by the administrator or by NTP.
int64_t mpin_wall_seconds(void);

// Milliseconds since 1970-01-01 UTC, as set by the administrator or by NTP.
int64_t mpin_wall_milliseconds(void);

// Sleeps for this many nanoseconds, less when a signal handler runs.
void mpin_pause_ns(int64_t nanoseconds);

// Sleeps until the monotonic clock has reached this time, also when signal handlers run.
void mpin_pause_until_ns(int64_t monotonic_ns);

#endif
