// HTTP transfers by libcurl, which is opened when the first one is really to be made. Here because libcurl's
// interface is variadic and calls back into C, and because it must not be linked: loading it costs more than a login.
#ifndef CCURL_H
#define CCURL_H

#include <stddef.h>
#include <stdint.h>

#include "hook.h"
#include "mail.h"

typedef struct mpin_http mpin_http;

// Where a connection may go.
struct mpin_http_endpoint {
    // The socket of a local server, or NULL for https.
    const char *socket_path;
    // A user id whose server is trusted at that socket besides root's and the process's own; -1 for none.
    int64_t server_uid;
    // A file of CA certificates, or NULL. Judged like every file that decides a login, and read into memory.
    const char *ca_file;
    // A hashed directory of CA certificates, used when there is no file.
    const char *ca_directory;
    // Further headers, each a line "Name: value" with a line feed at its end, or NULL. One of the same name replaces
    // what is sent otherwise.
    const char *headers;
    // For programs of one's own: is told when a transfer begins (1) and ends (0), and the terminal's signals arrive
    // meanwhile. NULL in hosts, where every signal waits.
    void (*watch)(int begins);
};

struct mpin_http_request {
    const char *method;
    const char *url;
    const uint8_t *body;  // NULL for none
    size_t body_length;
    uint8_t *answer;
    size_t answer_capacity;
    int64_t deadline_ns;   // of the monotonic clock, for everything
};

enum mpin_http_outcome {
    MPIN_HTTP_ANSWERED,      // a whole answer came; its status may say anything
    // What this process lacks; whoever started it may have seen to that.
    MPIN_HTTP_NO_LIBRARY,    // libcurl cannot be opened or is too old
    MPIN_HTTP_NO_MEMORY,     // nor threads
    MPIN_HTTP_NO_FILES,      // no descriptors
    MPIN_HTTP_NO_AUTHORITY,  // the file of CA certificates cannot be read or is not to be trusted, or holds none
    // What is with the server, or on the way to it.
    MPIN_HTTP_UNREACHABLE,   // no connection, or it broke
    MPIN_HTTP_UNTRUSTED,     // certificate refused for another reason than the next three
    MPIN_HTTP_UNKNOWN_ISSUER,  // it leads to no authority that is trusted here
    MPIN_HTTP_OUT_OF_DATE,   // expired, or not valid yet
    MPIN_HTTP_OTHER_NAME,    // it is good for another name
    MPIN_HTTP_NO_TLS,        // what answers there speaks no TLS
    MPIN_HTTP_NO_HANDSHAKE,  // TLS, but no agreement on how, or the connection broke meanwhile
    MPIN_HTTP_FOREIGN_PEER,  // the socket is another account's
    MPIN_HTTP_TIMED_OUT,
    MPIN_HTTP_TOO_LARGE,     // the answer does not fit
};

struct mpin_http_answer {
    long status;
    size_t length;
    // Whether a connection stood, so that the request may have reached the server.
    int connected;
};

// A handle for requests to one server over one connection. NULL and an outcome when that is impossible.
mpin_http *mpin_http_open(const struct mpin_http_endpoint *endpoint, enum mpin_http_outcome *outcome);

// Makes one request and waits for the whole answer. Redirects are answers like any other. One without a body may be
// sent a second time when the connection turns out to be dead; one with a body never is.
enum mpin_http_outcome mpin_http_perform(
    mpin_http *http, const struct mpin_http_request *request, struct mpin_http_answer *answer);

void mpin_http_close(mpin_http *http);

#endif
