// SPDX-License-Identifier: Apache-2.0

// Stopping a call from another thread: waits end soon after there is something to read from a descriptor, or its other
// end is closed. A call that cannot be stopped has 0, so such a descriptor is never standard input.
//
// In the module nothing is ever stopped, because its host waits for each call.
#ifndef CMPINSYSTEM_STOP_H
#define CMPINSYSTEM_STOP_H

#ifdef MPIN_MODULE
enum { MPIN_STOPS = 0 };
static inline int mpin_is_stopped(int stop) { return (void)stop, 0; }
#else
enum { MPIN_STOPS = 1 };
int mpin_is_stopped(int stop);
#endif

static inline int mpin_can_stop(int stop) { return MPIN_STOPS && stop > 0; }

// How long to wait before looking at the descriptor again, in milliseconds.
enum { MPIN_STOP_INTERVAL = 20 };

// Opens a descriptor that mpin_stop_signal makes readable, for good. Below zero: -errno.
int mpin_stop_open(void);

// Any thread may call it.
void mpin_stop_signal(int stop);

#endif
