// What an https server tells of itself besides its answers: for a program that looks for faults, not for logins.
#ifndef CCURL_LOOK_H
#define CCURL_LOOK_H

#include <stdint.h>

struct mpin_http_view {
    // The server's clock, in seconds since 1970; 0 where it does not say.
    int64_t date;
    // When its certificate runs out, likewise.
    int64_t expires;
};

// Asks for the head of a page. The certificate is judged as in a login.
//
// ca_file: NULL for the directory of certificates. Returns whether there was an answer, with any status.
int mpin_http_look(
    const char *url, const char *ca_file, const char *ca_directory, long milliseconds, struct mpin_http_view *view);

#endif
