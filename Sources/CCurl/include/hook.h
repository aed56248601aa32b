// SPDX-License-Identifier: Apache-2.0

// Requests of the server to other programs, with libcurl: to the application's verification hook, and to its second
// authority.
#ifndef CCURL_HOOK_H
#define CCURL_HOOK_H

#include <stddef.h>
#include <stdint.h>

// CURLE_COULDNT_RESOLVE_HOST and CURLE_PEER_FAILED_VERIFICATION.
enum { MPIN_HOOK_UNKNOWN_HOST = 6, MPIN_HOOK_UNTRUSTED = 60 };

struct mpin_hook_request {
    const char *url;      // https://..., or http://... on this host
    const char *ca_file;  // NULL for the certificates of the host
    const uint8_t *body;  // JSON; not looked at by a GET
    size_t body_length;
    uint8_t *answer;
    size_t answer_capacity;
    long milliseconds;    // for the whole request
};

// Posts a body and waits for the complete response. Redirects are not followed. Any thread may call it.
//
// Returns the HTTP status, and sets the length of the response; below zero without a complete response: a number of
// libcurl, such as those below, with a minus.
int mpin_hook_post(const struct mpin_hook_request *request, size_t *length);

// Fetches a page with GET, without a body.
int mpin_hook_get(const struct mpin_hook_request *request, size_t *length);

#endif
