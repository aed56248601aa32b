// SPDX-License-Identifier: Apache-2.0

// Detection of exhausted resources (descriptors, memory) after a failed transfer. libcurl and the libraries
// below it report many of these as an unreachable or untrusted server, and the user who started a set-uid host can set
// its limits.
#ifndef CCURL_SHORTAGE_H
#define CCURL_SHORTAGE_H

#include "CCurl.h"

// The outcome for an errno; `otherwise` for one that does not mean an exhausted resource.
enum mpin_http_outcome mpin_shortage_of(int error, enum mpin_http_outcome otherwise);

// Tries to allocate descriptors and memory: the outcome for what is exhausted, or `otherwise`.
enum mpin_http_outcome mpin_shortage(enum mpin_http_outcome otherwise);

#endif
