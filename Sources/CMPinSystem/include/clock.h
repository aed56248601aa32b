// The two clocks. Here because clock_gettime's constants are macros and time budgets must not follow the wall clock.
#ifndef CMPINSYSTEM_CLOCK_H
#define CMPINSYSTEM_CLOCK_H

#include <stdint.h>

// Nanoseconds of a clock that nobody can set.
int64_t mpin_monotonic_ns(void);

// Seconds since 1970-01-01 UTC.
int64_t mpin_wall_seconds(void);

// Sleeps for about so many nanoseconds, less when a signal comes.
void mpin_pause_ns(int64_t nanoseconds);

#endif
