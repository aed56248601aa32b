// SPDX-License-Identifier: Apache-2.0
#include "libcurl.h"

#include <errno.h>

static struct mpin_libcurl table;

static int start(void) {
    return table.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ? 0 : ENOMEM;
}

static struct mpin_library library = {
    .file = "libcurl.so.4", .names = MPIN_LIBCURL(MPIN_LIBRARY_NAME), .table = &table, .start = start,
    .opening = PTHREAD_MUTEX_INITIALIZER};

const struct mpin_libcurl *mpin_libcurl(int *reason) {
    *reason = mpin_library_open(&library);
    return *reason == 0 ? &table : NULL;
}

CURLcode mpin_libcurl_set_peer(
    const struct mpin_libcurl *curl, CURL *handle, const char *url, const char *schemes, const char *ca_file,
    long milliseconds, struct curl_slist **addresses) {
    CURLcode code = curl->easy_setopt(handle, CURLOPT_URL, url);
    code |= curl->easy_setopt(handle, CURLOPT_PROTOCOLS_STR, schemes);
    code |= curl->easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    code |= curl->easy_setopt(handle, CURLOPT_PROXY, "");
    code |= curl->easy_setopt(handle, CURLOPT_NOPROXY, "*");
    code |= curl->easy_setopt(handle, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    code |= curl->easy_setopt(handle, CURLOPT_TIMEOUT_MS, milliseconds);
    code |= curl->easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, milliseconds / 2 + 1);
    code |= curl->easy_setopt(handle, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    code |= curl->easy_setopt(handle, CURLOPT_SSL_VERIFYPEER, 1L);
    code |= curl->easy_setopt(handle, CURLOPT_SSL_VERIFYHOST, 2L);
    if (ca_file) {
        code |= curl->easy_setopt(handle, CURLOPT_CAINFO, ca_file);
        code |= curl->easy_setopt(handle, CURLOPT_CAPATH, NULL);
    }
    return code == CURLE_OK ? mpin_lookup(curl, handle, url, milliseconds / 2, 0, addresses) : code;
}
