// SPDX-License-Identifier: Apache-2.0

// HTTP transfers with libcurl, which is opened at the first transfer. In C because libcurl's interface is variadic and
// calls back into C, and because it must not be linked: loading it costs more than a login.
#ifndef CCURL_H
#define CCURL_H

#include <stddef.h>
#include <stdint.h>

typedef struct mpin_http mpin_http;

// The length of a server's public key: an uncompressed point.
#define MPIN_SERVER_KEY_SIZE 65

// The server of a connection, and how to verify it.
struct mpin_http_endpoint {
    // The socket of a local server, or NULL for https.
    const char *socket_path;
    // The user id, besides root and the process's own, whose server is trusted at that socket; -1 for none.
    int64_t server_uid;
    // A file of CA certificates, or NULL. Its owner and mode are checked as for all files that decide a login.
    const char *ca_file;
    // A hashed directory of CA certificates, used when there is no file.
    const char *ca_directory;
    // Public keys of P-256, one after the other, each of which is trusted as a CA, too.
    const uint8_t *server_keys;
    size_t server_key_count;
    // Further headers, each a line "Name: value" with a line feed at its end, or NULL. A header of the same name
    // replaces the default one.
    const char *headers;
    // For programs with a terminal: called when a transfer begins (1) and ends (0); the terminal's signals are
    // delivered meanwhile. NULL in PAM hosts, where all signals are blocked during a transfer.
    void (*watch)(int begins);
};

struct mpin_http_request {
    const char *method;
    const char *url;
    const uint8_t *body;  // NULL for none
    size_t body_length;
    uint8_t *answer;
    size_t answer_capacity;
    int64_t deadline_ns;   // on the monotonic clock, for the whole request
    int stop;              // ends the request before its deadline; 0 for none, see stop.h
};

enum mpin_http_outcome {
    MPIN_HTTP_ANSWERED,      // a complete response with any status
    // Local resources that this process lacks; the user who started it may have set its limits.
    MPIN_HTTP_NO_LIBRARY,    // libcurl cannot be opened or is too old
    MPIN_HTTP_NO_MEMORY,     // nor threads
    MPIN_HTTP_NO_FILES,      // no descriptors
    MPIN_HTTP_NO_AUTHORITY,  // the file of CA certificates cannot be read or is not to be trusted, or holds none
    // Failures of the server or of the network.
    MPIN_HTTP_UNREACHABLE,   // no connection, or it broke
    MPIN_HTTP_REFUSED,       // nothing listens at the address
    MPIN_HTTP_NO_SOCKET,     // the local server's socket does not exist
    MPIN_HTTP_UNKNOWN_HOST,  // its host name cannot be resolved
    MPIN_HTTP_UNTRUSTED,     // certificate refused for another reason than those below
    MPIN_HTTP_UNKNOWN_ISSUER,  // issued by no trusted CA
    MPIN_HTTP_FOREIGN_ISSUER,  // issued neither by a trusted CA nor by the server's own key
    MPIN_HTTP_EXPIRED,
    MPIN_HTTP_NOT_YET_VALID,
    MPIN_HTTP_OTHER_NAME,    // issued for another host name
    MPIN_HTTP_OTHER_KEY,     // its key is not among the pinned ones
    MPIN_HTTP_NO_TLS,        // the server does not speak TLS
    MPIN_HTTP_NO_HANDSHAKE,  // no common TLS parameters, or the connection broke during the handshake
    MPIN_HTTP_FOREIGN_PEER,  // the socket is served by an account that is not trusted
    MPIN_HTTP_TIMED_OUT,
    MPIN_HTTP_TOO_LARGE,     // the response does not fit into the buffer
};

struct mpin_http_answer {
    long status;
    size_t length;
    // Whether a connection was established, so that the request may have reached the server.
    int connected;
};

// Makes a handle for requests to one server over one connection. NULL and an outcome when that fails.
mpin_http *mpin_http_open(const struct mpin_http_endpoint *endpoint, enum mpin_http_outcome *outcome);

// Restricts the keys that the server's certificate may have, before the first request, to those of a text in the format
// of libcurl's CURLOPT_PINNEDPUBLICKEY. Returns whether it could.
int mpin_http_pin(mpin_http *http, const char *keys);

// Accepts every certificate, and every name in it, before the first request. Only for a request whose answer proves by
// itself who has sent it, and that contains nothing secret. Returns whether it could.
int mpin_http_accept_any_certificate(mpin_http *http);

// Sends one request and waits for the complete response. Redirects are not followed. A request without a body may be
// sent again when the connection was closed by the server; a request with a body is sent once.
enum mpin_http_outcome mpin_http_perform(
    mpin_http *http, const struct mpin_http_request *request, struct mpin_http_answer *answer);

void mpin_http_close(mpin_http *http);

// Requests of the server to other programs, with libcurl: to the application's verification hook, and to its second
// authority.

struct mpin_hook_request {
    const char *url;      // https://..., or http://... on this host
    const char *ca_file;  // NULL for the certificates of the host
    const uint8_t *body;  // JSON; NULL for a GET
    size_t body_length;
    uint8_t *answer;
    size_t answer_capacity;
    long milliseconds;    // for the whole request
};

// Makes a request and waits for the complete response. Redirects are not followed. Any thread may call it.
//
// Returns the HTTP status, and sets the length of the response; below zero without a complete response: a number of
// libcurl with a minus.
int mpin_hook(const struct mpin_hook_request *request, size_t *length);

// Facts about an https server besides its answers: for a program that diagnoses problems, not for logins.

struct mpin_http_view {
    // The server's clock, in seconds since 1970; 0 if it does not send it.
    int64_t date;
    // When the server's certificate chain becomes valid and expires, in seconds since 1970; 0 if unknown.
    int64_t begins, expires;
};

// Requests the head of a page. The certificate is verified as in a login.
//
// ca_file: NULL for the directory of certificates. Returns whether there was an answer, with any status.
int mpin_http_look(
    const char *url, const char *ca_file, const char *ca_directory, long milliseconds, struct mpin_http_view *view);

// Reads when a certificate that was refused is valid: connects without verifying it, and sends nothing. Returns whether
// the server has shown one.
int mpin_http_dates(const char *url, long milliseconds, struct mpin_http_view *view);

// Mails of the server, sent with libcurl over SMTP.

// The protection of an smtp:// connection; smtps:// uses TLS from the first byte in any case.
enum mpin_smtp_tls {
    MPIN_SMTP_STARTTLS,  // required: no mail is sent without it
    MPIN_SMTP_CLEAR,     // no TLS, for a server on this host
};

struct mpin_smtp_mail {
    const char *url;        // smtp://HOST:PORT or smtps://HOST:PORT
    enum mpin_smtp_tls tls;
    const char *user;       // NULL for no login
    const char *password;
    const char *ca_file;    // NULL for the certificates of the host
    const char *sender;     // an address, without brackets
    const char *recipient;
    const uint8_t *text;    // headers and body, lines ended by CR LF
    size_t length;
    long milliseconds;      // for the whole transaction
};

enum mpin_smtp_outcome {
    MPIN_SMTP_SENT,
    MPIN_SMTP_REFUSED,      // permanent failure (5xx)
    MPIN_SMTP_LATER,        // transient failure (4xx)
    MPIN_SMTP_UNREACHABLE,  // no connection, or it broke
    MPIN_SMTP_UNTRUSTED,    // no TLS, or a certificate that is not trusted
    MPIN_SMTP_NO_LOGIN,     // the server refused user and password
    MPIN_SMTP_NO_LIBRARY,   // libcurl cannot be opened or speaks no SMTP
};

// Sends one mail and waits for the server's reply. Any thread may call it.
//
// status: the server's last reply code, or 0.
enum mpin_smtp_outcome mpin_smtp_send(const struct mpin_smtp_mail *mail, long *status);

#endif
