// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "libcurl.h"

struct upload {
    const uint8_t *next;
    size_t left;
};

static size_t give(char *target, size_t size, size_t count, void *context) {
    struct upload *upload = context;
    size_t length = size * count < upload->left ? size * count : upload->left;
    memcpy(target, upload->next, length);
    upload->next += length;
    upload->left -= length;
    return length;
}

// Discards the server's replies; by default libcurl would print them.
static size_t drop(char *bytes, size_t size, size_t count, void *context) {
    (void)bytes, (void)context;
    return size * count;
}

static CURLcode set_server(
    const struct mpin_libcurl *curl, CURL *handle, const struct mpin_smtp_mail *mail, struct curl_slist **addresses) {
    CURLcode code =
        mpin_libcurl_set_peer(curl, handle, mail->url, "smtp,smtps", mail->ca_file, mail->milliseconds, addresses);
    code |= curl->easy_setopt(
        handle, CURLOPT_USE_SSL, (long)(mail->tls == MPIN_SMTP_CLEAR ? CURLUSESSL_NONE : CURLUSESSL_ALL));
    if (mail->user) {
        code |= curl->easy_setopt(handle, CURLOPT_USERNAME, mail->user);
        code |= curl->easy_setopt(handle, CURLOPT_PASSWORD, mail->password ? mail->password : "");
    }
    return code;
}

static CURLcode set_mail(
    const struct mpin_libcurl *curl, CURL *handle, const struct mpin_smtp_mail *mail,
    const struct curl_slist *recipients, struct upload *upload) {
    CURLcode code = curl->easy_setopt(handle, CURLOPT_MAIL_FROM, mail->sender);
    code |= curl->easy_setopt(handle, CURLOPT_MAIL_RCPT, recipients);
    code |= curl->easy_setopt(handle, CURLOPT_UPLOAD, 1L);
    code |= curl->easy_setopt(handle, CURLOPT_READFUNCTION, give);
    code |= curl->easy_setopt(handle, CURLOPT_READDATA, upload);
    code |= curl->easy_setopt(handle, CURLOPT_INFILESIZE_LARGE, (curl_off_t)mail->length);
    code |= curl->easy_setopt(handle, CURLOPT_WRITEFUNCTION, drop);
    return code;
}

static enum mpin_smtp_outcome judge(CURLcode code, long status) {
    switch (code) {
    case CURLE_OK: return MPIN_SMTP_SENT;
    case CURLE_LOGIN_DENIED: return MPIN_SMTP_NO_LOGIN;
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_NOT_BUILT_IN: return MPIN_SMTP_NO_LIBRARY;
    case CURLE_USE_SSL_FAILED:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER: return MPIN_SMTP_UNTRUSTED;
    case CURLE_OPERATION_TIMEDOUT: return MPIN_SMTP_UNREACHABLE;
    default: break;
    }
    if (status >= 500 && status < 600) return MPIN_SMTP_REFUSED;
    if (status >= 400 && status < 500) return MPIN_SMTP_LATER;
    return MPIN_SMTP_UNREACHABLE;
}

enum mpin_smtp_outcome mpin_smtp_send(const struct mpin_smtp_mail *mail, long *status) {
    *status = 0;
    int reason;
    const struct mpin_libcurl *curl = mpin_libcurl(&reason);
    if (curl == NULL) return MPIN_SMTP_NO_LIBRARY;
    CURL *handle = curl->easy_init();
    if (handle == NULL) return MPIN_SMTP_UNREACHABLE;
    struct curl_slist *addresses = NULL;
    struct upload upload = {.next = mail->text, .left = mail->length};
    struct curl_slist *recipients = curl->slist_append(NULL, mail->recipient);
    CURLcode code = recipients ? CURLE_OK : CURLE_OUT_OF_MEMORY;
    if (code == CURLE_OK) code = set_server(curl, handle, mail, &addresses);
    if (code == CURLE_OK) code = set_mail(curl, handle, mail, recipients, &upload);
    if (code == CURLE_OK) code = curl->easy_perform(handle);
    curl->easy_getinfo(handle, CURLINFO_RESPONSE_CODE, status);
    curl->easy_cleanup(handle);
    curl->slist_free_all(recipients);
    curl->slist_free_all(addresses);
    return judge(code, *status);
}
