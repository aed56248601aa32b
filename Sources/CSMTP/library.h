// The functions of libcurl that are used here.
#ifndef CSMTP_LIBRARY_H
#define CSMTP_LIBRARY_H

#include <curl/curl.h>

struct smtp_library {
    CURLcode (*global_init)(long flags);
    CURL *(*easy_init)(void);
    CURLcode (*easy_setopt)(CURL *handle, CURLoption option, ...);
    CURLcode (*easy_perform)(CURL *handle);
    CURLcode (*easy_getinfo)(CURL *handle, CURLINFO info, ...);
    void (*easy_cleanup)(CURL *handle);
    struct curl_slist *(*slist_append)(struct curl_slist *list, const char *text);
    void (*slist_free_all)(struct curl_slist *list);
};

// NULL when libcurl is not there. The first call opens it for the life of the process.
const struct smtp_library *smtp_library_open(void);

#endif
