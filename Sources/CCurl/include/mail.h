// Mails by libcurl, for the server.
#ifndef CCURL_MAIL_H
#define CCURL_MAIL_H

#include <stddef.h>
#include <stdint.h>

// How a connection to a mail server is protected. smtps:// is protected from the first byte, whatever stands here.
enum mpin_smtp_tls {
    MPIN_SMTP_STARTTLS,  // and no mail without it
    MPIN_SMTP_CLEAR,     // for a server on this host
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
    long milliseconds;      // for everything
};

enum mpin_smtp_outcome {
    MPIN_SMTP_SENT,
    MPIN_SMTP_REFUSED,      // the server will not take this mail, now or later
    MPIN_SMTP_LATER,        // the server may take it later
    MPIN_SMTP_UNREACHABLE,  // no connection, or it broke
    MPIN_SMTP_UNTRUSTED,    // no TLS, or a certificate that proves nothing
    MPIN_SMTP_NO_LOGIN,     // user and password do not open the server
    MPIN_SMTP_NO_LIBRARY,   // libcurl cannot be opened or speaks no SMTP
};

// Hands one mail to a server and waits for its word. Any thread may call it.
//
// status: the server's last reply code, or 0.
enum mpin_smtp_outcome mpin_smtp_send(const struct mpin_smtp_mail *mail, long *status);

#endif
