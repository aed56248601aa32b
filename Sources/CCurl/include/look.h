// SPDX-License-Identifier: Apache-2.0

// Facts about an https server besides its answers: for a program that diagnoses problems, not for logins.
#ifndef CCURL_LOOK_H
#define CCURL_LOOK_H

#include <stdint.h>

struct mpin_http_view {
    // The server's clock, in seconds since 1970; 0 if it does not send it.
    int64_t date;
    // When the server's certificate chain expires, in seconds since 1970; 0 if unknown.
    int64_t expires;
};

// Requests the head of a page. The certificate is verified as in a login.
//
// ca_file: NULL for the directory of certificates. Returns whether there was an answer, with any status.
int mpin_http_look(
    const char *url, const char *ca_file, const char *ca_directory, long milliseconds, struct mpin_http_view *view);

#endif
