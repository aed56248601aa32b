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

// Returns the time of an item of a certificate; 0 for another item.
static int64_t date_in(const char *item, const char *name) {
    if (strncmp(item, name, strlen(name)) != 0) return 0;
    const int64_t time = seconds(item + strlen(name), " %b %d %H:%M:%S %Y");
    return time != 0 ? time : seconds(item + strlen(name), " %Y-%m-%d %H:%M:%S");
}

static void take_certificate(const struct mpin_libcurl *curl, CURL *handle, struct mpin_http_view *view) {
    struct curl_certinfo *chain = NULL;
    if (curl->easy_getinfo(handle, CURLINFO_CERTINFO, &chain) != CURLE_OK || chain == NULL) return;
    // The first certificate is the server's own. A chain is valid from the last beginning to the first end.
    for (int index = 0; index < chain->num_of_certs; index++) {
        for (struct curl_slist *item = chain->certinfo[index]; item; item = item->next) {
            const int64_t begin = date_in(item->data, "Start date:"), end = date_in(item->data, "Expire date:");
            if (begin > view->begins) view->begins = begin;
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

int mpin_http_dates(const char *url, long milliseconds, struct mpin_http_view *view) {
    *view = (struct mpin_http_view){0};
    int reason;
    const struct mpin_libcurl *curl = mpin_libcurl(&reason);
    CURL *handle = curl ? curl->easy_init() : NULL;
    if (handle == NULL) return 0;
    struct curl_slist *addresses = NULL;
    CURLcode code = mpin_libcurl_set_peer(curl, handle, url, "https", NULL, milliseconds, &addresses);
    code |= curl->easy_setopt(handle, CURLOPT_SSL_VERIFYPEER, 0L);
    code |= curl->easy_setopt(handle, CURLOPT_SSL_VERIFYHOST, 0L);
    code |= curl->easy_setopt(handle, CURLOPT_CONNECT_ONLY, 1L);
    code |= curl->easy_setopt(handle, CURLOPT_CERTINFO, 1L);
    if (code == CURLE_OK) code = curl->easy_perform(handle);
    if (code == CURLE_OK) take_certificate(curl, handle, view);
    curl->easy_cleanup(handle);
    curl->slist_free_all(addresses);
    return view->expires != 0;
}
