// SPDX-License-Identifier: Apache-2.0

// The keys of servers as CA certificates: a server's own key may sign the certificate of its TLS connections.
#ifndef CCURL_ANCHOR_H
#define CCURL_ANCHOR_H

#include <stddef.h>
#include <stdint.h>

#include "CCurl.h"

// Writes other CA certificates, and one for each key, as PEM. Returns memory for the caller to free, or NULL.
char *mpin_anchors(const uint8_t *keys, size_t count, const uint8_t *others, size_t others_length, size_t *length);

#endif
