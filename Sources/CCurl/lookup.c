// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "libcurl.h"

enum { most_lookups = 16, longest_host = 255, longest_entry = longest_host + 8 + 16 * (INET6_ADDRSTRLEN + 3) };

// A lookup, which belongs to its thread and to the caller that waits for it.
struct lookup {
    pthread_cond_t ended;
    int has_ended;
    int is_abandoned;
    int error;
    // In libcurl's form: HOST:PORT:ADDRESS,ADDRESS
    char entry[longest_entry];
    size_t length;
    char host[longest_host + 1];
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int running;

static void append_addresses(struct lookup *lookup, const struct addrinfo *found) {
    for (; found; found = found->ai_next) {
        char text[INET6_ADDRSTRLEN];
        const int is_new = found->ai_family == AF_INET6;
        const void *address = is_new ? (const void *)&((const struct sockaddr_in6 *)(const void *)found->ai_addr)->sin6_addr
                                     : (const void *)&((const struct sockaddr_in *)(const void *)found->ai_addr)->sin_addr;
        if (inet_ntop(found->ai_family, address, text, sizeof text) == NULL) continue;
        const size_t room = sizeof lookup->entry - lookup->length;
        const int count = snprintf(
            lookup->entry + lookup->length, room, is_new ? "%s[%s]" : "%s%s",
            lookup->entry[lookup->length - 1] == ':' ? "" : ",", text);
        if (count < 0 || (size_t)count >= room) {
            lookup->entry[lookup->length] = '\0';
            return;
        }
        lookup->length += (size_t)count;
    }
}

static void *look_up(void *context) {
    struct lookup *lookup = context;
    const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    const int error = getaddrinfo(lookup->host, NULL, &hints, &found);
    if (error == 0) append_addresses(lookup, found);
    if (error == 0) freeaddrinfo(found);
    pthread_mutex_lock(&mutex);
    running--;
    lookup->error = error;
    lookup->has_ended = 1;
    const int is_abandoned = lookup->is_abandoned;
    pthread_cond_signal(&lookup->ended);
    pthread_mutex_unlock(&mutex);
    if (is_abandoned) free(lookup);
    return NULL;
}

// Starts the thread, which handles no signals of the program.
static int start(struct lookup *lookup) {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return 0;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    sigset_t all, former;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &former);
    pthread_t thread;
    const int error = pthread_create(&thread, &attributes, look_up, lookup);
    pthread_sigmask(SIG_SETMASK, &former, NULL);
    pthread_attr_destroy(&attributes);
    return error == 0;
}

static struct timespec time_after(long milliseconds) {
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += milliseconds / 1000;
    end.tv_nsec += milliseconds % 1000 * 1000000;
    if (end.tv_nsec >= 1000000000) {
        end.tv_sec++;
        end.tv_nsec -= 1000000000;
    }
    return end;
}

// Waits for the end of a lookup. Afterwards the caller has to free it, except after a timeout.
static CURLcode wait_for(struct lookup *lookup, long milliseconds, int stop) {
    // A stopped process may find that its time is over.
    if (milliseconds < 0) milliseconds = 0;
    pthread_mutex_lock(&mutex);
    int error = 0;
    while (!lookup->has_ended && error == 0) {
        const long part =
            mpin_can_stop(stop) && milliseconds > MPIN_STOP_INTERVAL ? MPIN_STOP_INTERVAL : milliseconds;
        const struct timespec end = time_after(part);
        do error = pthread_cond_clockwait(&lookup->ended, &mutex, CLOCK_MONOTONIC, &end);
        while (!lookup->has_ended && error == 0);
        milliseconds -= part;
        if (milliseconds > 0 && error == ETIMEDOUT && !mpin_is_stopped(stop)) error = 0;
    }
    lookup->is_abandoned = !lookup->has_ended;
    const int is_abandoned = lookup->is_abandoned, failure = lookup->error;
    pthread_mutex_unlock(&mutex);
    if (is_abandoned) return CURLE_OPERATION_TIMEDOUT;
    return failure == 0 ? CURLE_OK : failure == EAI_MEMORY ? CURLE_OUT_OF_MEMORY : CURLE_COULDNT_RESOLVE_HOST;
}

// Takes host and port of a URL. Returns 0 if there is no name to look up: libcurl knows addresses and localhost.
static int take_host(struct lookup *lookup, const char *url) {
    const char *host = strstr(url, "://");
    if (host == NULL) return 0;
    const int port = strncmp(url, "https", 5) == 0 ? 443
        : strncmp(url, "smtps", 5) == 0            ? 465
        : strncmp(url, "smtp", 4) == 0             ? 25
                                                   : 80;
    host += 3;
    const size_t length = strcspn(host, ":/?#");
    if (length == 0 || length > longest_host || *host == '[') return 0;
    memcpy(lookup->host, host, length);
    uint8_t address[sizeof(struct in6_addr)];
    if (inet_pton(AF_INET, lookup->host, address) == 1) return 0;
    const size_t local = strlen("localhost");
    if (length >= local && strcasecmp(lookup->host + length - local, "localhost") == 0) return 0;
    const int given = host[length] == ':' ? atoi(host + length + 1) : port;
    lookup->length = (size_t)snprintf(lookup->entry, sizeof lookup->entry, "%s:%d:", lookup->host, given);
    return 1;
}

CURLcode mpin_lookup(
    const struct mpin_libcurl *curl, CURL *handle, const char *url, long milliseconds, int stop,
    struct curl_slist **addresses) {
    struct lookup *lookup = calloc(1, sizeof *lookup);
    if (lookup == NULL) return CURLE_OUT_OF_MEMORY;
    const int is_needed = take_host(lookup, url)
        && (*addresses == NULL || strncmp((*addresses)->data, lookup->entry, lookup->length) != 0);
    pthread_mutex_lock(&mutex);
    const int has_room = is_needed && running < most_lookups;
    running += has_room;
    pthread_mutex_unlock(&mutex);
    if (!has_room) {
        free(lookup);
        return is_needed ? CURLE_COULDNT_RESOLVE_HOST : CURLE_OK;
    }
    pthread_cond_init(&lookup->ended, NULL);
    if (!start(lookup)) {
        pthread_mutex_lock(&mutex);
        running--;
        pthread_mutex_unlock(&mutex);
        free(lookup);
        return CURLE_OUT_OF_MEMORY;
    }
    CURLcode code = wait_for(lookup, milliseconds, stop);
    if (code == CURLE_OPERATION_TIMEDOUT) return code;
    struct curl_slist *list = code == CURLE_OK ? curl->slist_append(NULL, lookup->entry) : NULL;
    free(lookup);
    if (code != CURLE_OK) return code;
    if (list == NULL) return CURLE_OUT_OF_MEMORY;
    code = curl->easy_setopt(handle, CURLOPT_RESOLVE, list);
    curl->slist_free_all(*addresses);
    *addresses = list;
    return code;
}
