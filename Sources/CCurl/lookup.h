// SPDX-License-Identifier: Apache-2.0

// Name lookups that end in time.
#ifndef CCURL_LOOKUP_H
#define CCURL_LOOKUP_H

#include "libcurl.h"

// Looks up the host of a URL, and sets its addresses for a transfer.
//
// glibc waits without a limit for a name server that accepts a query over TCP and does not answer. libcurl would leave a
// thread and two descriptors behind at each such request. Here a process has at most sixteen threads that look names up;
// with more, the lookup fails at once.
//
// `addresses` is the list that the handle uses, NULL at first. The caller frees it after the handle. A list for the same
// host and port is used again.
//
// Returns CURLE_OK also if there is nothing to look up, CURLE_OPERATION_TIMEDOUT after `milliseconds`,
// CURLE_COULDNT_RESOLVE_HOST, or CURLE_OUT_OF_MEMORY, which includes threads.
CURLcode mpin_lookup(
    const struct mpin_libcurl *curl, CURL *handle, const char *url, long milliseconds, struct curl_slist **addresses);

#endif
