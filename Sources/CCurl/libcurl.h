// SPDX-License-Identifier: Apache-2.0

// The functions of libcurl that are used, typed by its own header.
#ifndef CCURL_LIBCURL_H
#define CCURL_LIBCURL_H

#include <curl/curl.h>

#include "CMPinSystem.h"

#define MPIN_LIBCURL(EACH) \
    EACH(global_init, curl_global_init) \
    EACH(easy_init, curl_easy_init) \
    EACH(easy_setopt, curl_easy_setopt) \
    EACH(easy_perform, curl_easy_perform) \
    EACH(easy_getinfo, curl_easy_getinfo) \
    EACH(easy_cleanup, curl_easy_cleanup) \
    EACH(slist_append, curl_slist_append) \
    EACH(slist_free_all, curl_slist_free_all)

struct mpin_libcurl {
    MPIN_LIBCURL(MPIN_LIBRARY_MEMBER)
};

// The table, filled on first use. NULL if libcurl cannot be opened, with the errno of the reason; the next call tries
// again. The client calls it under the guard.
const struct mpin_libcurl *mpin_libcurl(int *reason);

// Sets the peer of a transfer by the server: its address, the schemes to allow, the CA certificates to verify it with
// (NULL for those of the host), and the time limit. No proxy or stored password of the account applies. `addresses` is
// NULL; the caller frees it after the handle.
CURLcode mpin_libcurl_set_peer(
    const struct mpin_libcurl *curl, CURL *handle, const char *url, const char *schemes, const char *ca_file,
    long milliseconds, struct curl_slist **addresses);

#endif
