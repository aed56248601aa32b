// SPDX-License-Identifier: Apache-2.0

// The functions of libcurl that are used, typed by its own header.
#ifndef CCURL_LIBCURL_H
#define CCURL_LIBCURL_H

#include <curl/curl.h>

#include "CCurl.h"
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

// Looks up the host of a URL, and sets its addresses for a transfer.
//
// glibc waits without a limit for a name server that accepts a query over TCP and does not answer. libcurl would leave a
// thread and two descriptors behind at each such request. Here a process has at most sixteen threads that look names up;
// with more, the lookup fails at once.
//
// `addresses` is the list that the handle uses, NULL at first. The caller frees it after the handle. A list for the same
// host and port is used again.
//
// Returns CURLE_OK also if there is nothing to look up, CURLE_OPERATION_TIMEDOUT after `milliseconds` or when stopped,
// CURLE_COULDNT_RESOLVE_HOST, or CURLE_OUT_OF_MEMORY, which includes threads.
CURLcode mpin_lookup(
    const struct mpin_libcurl *curl, CURL *handle, const char *url, long milliseconds, int stop,
    struct curl_slist **addresses);

// Makes a transfer as curl_easy_perform does, and ends it when it is stopped. Connections are kept in `multi`, NULL at
// first, which mpin_multi_free frees before the handle.
CURLcode mpin_perform_until(CURL *handle, CURLM **multi, int stop);
void mpin_multi_free(CURLM *multi);

// Detection of exhausted resources (descriptors, memory) after a failed transfer. libcurl and the libraries below it
// report many of these as an unreachable or untrusted server, and the user who started a set-uid host can set its limits.

// The outcome for an errno; `otherwise` for one that does not mean an exhausted resource.
enum mpin_http_outcome mpin_shortage_of(int error, enum mpin_http_outcome otherwise);

// Tries to allocate descriptors and memory: the outcome for what is exhausted, or `otherwise`.
enum mpin_http_outcome mpin_shortage(enum mpin_http_outcome otherwise);

#endif
