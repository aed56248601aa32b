// SPDX-License-Identifier: Apache-2.0

// Mails of the server, sent with libcurl over SMTP.
#ifndef CCURL_MAIL_H
#define CCURL_MAIL_H

#include <stddef.h>
#include <stdint.h>

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
