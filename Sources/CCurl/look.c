// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <string.h>
#include <strings.h>
#include <time.h>

#include "libcurl.h"

static int64_t seconds(const char *text, const char *form) {
    struct tm time = {0};
    return strptime(text, form, &time) ? (int64_t)timegm(&time) : 0;
}

static size_t take_header(char *bytes, size_t size, size_t count, void *context) {
    struct mpin_http_view *view = context;
    static const char name[] = "Date:";
    char line[64];
    size_t length = size * count;
    if (length < sizeof line && strncasecmp(bytes, name, sizeof name - 1) == 0) {
        memcpy(line, bytes, length);
        line[length] = '\0';
        // A blank in the format matches any number of blanks.
        view->date = seconds(line + sizeof name - 1, " %a, %d %b %Y %H:%M:%S");
    }
    return length;
}

static void take_certificate(const struct mpin_libcurl *curl, CURL *handle, struct mpin_http_view *view) {
    static const char name[] = "Expire date:";
    struct curl_certinfo *chain = NULL;
    if (curl->easy_getinfo(handle, CURLINFO_CERTINFO, &chain) != CURLE_OK || chain == NULL) return;
    // The first certificate is the server's own. A chain is valid until its first certificate expires.
    for (int index = 0; index < chain->num_of_certs; index++) {
        for (struct curl_slist *item = chain->certinfo[index]; item; item = item->next) {
            if (strncmp(item->data, name, sizeof name - 1) != 0) continue;
            int64_t end = seconds(item->data + sizeof name - 1, " %b %d %H:%M:%S %Y");
            if (end == 0) end = seconds(item->data + sizeof name - 1, " %Y-%m-%d %H:%M:%S");
            if (end != 0 && (view->expires == 0 || end < view->expires)) view->expires = end;
        }
    }
}

int mpin_http_look(
    const char *url, const char *ca_file, const char *ca_directory, long milliseconds, struct mpin_http_view *view) {
    *view = (struct mpin_http_view){0};
    int reason;
    const struct mpin_libcurl *curl = mpin_libcurl(&reason);
    CURL *handle = curl ? curl->easy_init() : NULL;
    if (handle == NULL) return 0;
    struct curl_slist *addresses = NULL;
    CURLcode code = mpin_libcurl_set_peer(curl, handle, url, "https", ca_file, milliseconds, &addresses);
    if (ca_file == NULL) {
        code |= curl->easy_setopt(handle, CURLOPT_CAINFO, NULL);
        code |= curl->easy_setopt(handle, CURLOPT_CAPATH, ca_directory);
    }
    code |= curl->easy_setopt(handle, CURLOPT_NOBODY, 1L);
    code |= curl->easy_setopt(handle, CURLOPT_USERAGENT, "pam-mpin");
    code |= curl->easy_setopt(handle, CURLOPT_CERTINFO, 1L);
    code |= curl->easy_setopt(handle, CURLOPT_HEADERFUNCTION, take_header);
    code |= curl->easy_setopt(handle, CURLOPT_HEADERDATA, view);
    if (code == CURLE_OK) code = curl->easy_perform(handle);
    if (code == CURLE_OK) take_certificate(curl, handle, view);
    curl->easy_cleanup(handle);
    curl->slist_free_all(addresses);
    return code == CURLE_OK;
}
