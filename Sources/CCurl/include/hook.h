// Questions of the server to an application of its site, by libcurl.
#ifndef CCURL_HOOK_H
#define CCURL_HOOK_H

#include <stddef.h>
#include <stdint.h>

struct mpin_hook_request {
    const char *url;      // https://..., or http://... on this host
    const char *ca_file;  // NULL for the certificates of the host
    const uint8_t *body;  // JSON
    size_t body_length;
    uint8_t *answer;
    size_t answer_capacity;
    long milliseconds;    // for everything
};

// Posts a body and waits for the whole answer. Redirects are answers like any other. Any thread may call it.
//
// The HTTP status, and the length of the answer; below zero when no whole answer came.
int mpin_hook_post(const struct mpin_hook_request *request, size_t *length);

#endif
