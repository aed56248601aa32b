// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <openssl/x509_vfy.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "CCurl.h"
#include "CMPinSystem.h"
#include "anchor.h"
#include "libcurl.h"

struct mpin_http {
    const struct mpin_libcurl *curl;
    CURL *handle;
    struct curl_slist *headers;
    // The default headers for a request without a body, which has no content type; the end of the list above.
    const struct curl_slist *bodiless_headers;
    // Those of the host that was looked up last.
    struct curl_slist *addresses;
    // The connections of transfers that can be stopped.
    CURLM *multi;
    char *socket_path;
    int64_t server_uid;
    curl_socket_t socket;
    int socket_error;
    int is_foreign;
    int has_server_key;
    int sendings_left;
    void (*watch)(int begins);
    // libcurl's text for a failure: for a failed handshake, no code is as precise.
    char failure[CURL_ERROR_SIZE];
    // The answer being received.
    uint8_t *answer;
    size_t capacity;
    size_t length;
    int too_large;
};

static size_t receive(char *bytes, size_t size, size_t count, void *context) {
    mpin_http *http = context;
    size_t length = size * count;
    if (length > http->capacity - http->length) {
        http->too_large = 1;
        return 0;
    }
    memcpy(http->answer + http->length, bytes, length);
    // libcurl's own buffer. It would keep a share until another answer overwrites it.
    explicit_bzero(bytes, length);
    http->length += length;
    return length;
}

// Opened here to know the descriptor for the check of the peer, and the errno of a failure; and so that no program
// started by the host meanwhile inherits it.
static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    (void)purpose;
    mpin_http *http = context;
    http->socket = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    if (http->socket < 0) http->socket_error = errno;
    return http->socket;
}

// Whether the peer of a connected Unix socket is root, the process's own user, or `server_uid`.
static int is_trusted_peer(int descriptor, int64_t server_uid) {
    struct ucred peer;
    socklen_t length = sizeof peer;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0 || length != sizeof peer) return 0;
    return peer.uid == 0 || peer.uid == geteuid() || (int64_t)peer.uid == server_uid;
}

// Called on each connection, new or reused, once it is established and before anything is sent.
//
// libcurl repeats a request by itself if a reused connection ends without an answer. A request that counts an attempt
// or redeems something must not be sent twice, so only repeatable requests get a second connection.
static int judge_connection(void *context, char *address, char *local_address, int port, int local_port) {
    (void)address, (void)local_address, (void)port, (void)local_port;
    mpin_http *http = context;
    if (http->sendings_left-- <= 0) return CURL_PREREQFUNC_ABORT;
    if (http->socket_path == NULL) return CURL_PREREQFUNC_OK;
    http->is_foreign = !is_trusted_peer(http->socket, http->server_uid);
    return http->is_foreign ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
}

static CURLcode set_socket(mpin_http *http) {
    CURLcode code = http->curl->easy_setopt(http->handle, CURLOPT_UNIX_SOCKET_PATH, http->socket_path);
    code |= http->curl->easy_setopt(http->handle, CURLOPT_PROTOCOLS_STR, "http");
    return code;
}

static enum mpin_http_outcome set_authorities(
    mpin_http *http, const struct mpin_http_endpoint *endpoint, const uint8_t *file, size_t file_length) {
    struct curl_blob blob = {.flags = CURL_BLOB_COPY};
    char *text = mpin_anchors(
        endpoint->server_keys, endpoint->server_key_count, file, file_length, &blob.len);
    if (text == NULL) return MPIN_HTTP_NO_MEMORY;
    blob.data = text;
    CURLcode code = http->curl->easy_setopt(http->handle, CURLOPT_CAINFO_BLOB, &blob);
    free(text);
    if (code == CURLE_OUT_OF_MEMORY) return MPIN_HTTP_NO_MEMORY;
    return code == CURLE_OK ? MPIN_HTTP_ANSWERED : MPIN_HTTP_NO_LIBRARY;
}

// libcurl would open the file by its name, and would wait for a pipe without a writer.
static enum mpin_http_outcome set_authority(mpin_http *http, const struct mpin_http_endpoint *endpoint) {
    if (endpoint->ca_file == NULL)
        return endpoint->server_key_count > 0 ? set_authorities(http, endpoint, NULL, 0) : MPIN_HTTP_ANSWERED;
    const size_t limit = 1 << 20;
    uint8_t *bytes;
    int length = mpin_path_load(endpoint->ca_file, 0022, limit, &bytes);
    if (length < 0) return mpin_shortage_of(-length, MPIN_HTTP_NO_AUTHORITY);
    // libcurl would find that the file has none, but not if there are other certificates.
    static const char start[] = "-----BEGIN ";
    enum mpin_http_outcome outcome = memmem(bytes, (size_t)length, start, sizeof start - 1)
        ? set_authorities(http, endpoint, bytes, (size_t)length)
        : MPIN_HTTP_NO_AUTHORITY;
    mpin_bytes_free(&bytes);
    return outcome;
}

static CURLcode set_tls(mpin_http *http, const struct mpin_http_endpoint *endpoint) {
    CURL *handle = http->handle;
    CURLcode code = http->curl->easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "https");
    // libcurl's default bundle is never used: reading it takes longer than the rest of a login.
    code |= http->curl->easy_setopt(handle, CURLOPT_CAINFO, NULL);
    code |= http->curl->easy_setopt(handle, CURLOPT_CAPATH, endpoint->ca_file ? NULL : endpoint->ca_directory);
    return code;
}

// Nothing that users can set for themselves (environment, netrc, home) may affect the transfer.
//
// Servers and proxies close connections that are idle while a user thinks at a prompt. Over TLS, libcurl takes one for
// open as long as the end of the session is unread, and a request with a body gets no second connection. So no connection
// is used again after five seconds.
static CURLcode set_common(mpin_http *http) {
    CURL *handle = http->handle;
    static const struct {
        int option, value;
    } numbers[] = {
        {CURLOPT_NOSIGNAL, 1},
        {CURLOPT_NETRC, CURL_NETRC_IGNORED},
        {CURLOPT_FOLLOWLOCATION, 0},
        {CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1},
        {CURLOPT_MAXAGE_CONN, 5},
        {CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2},
        {CURLOPT_SSL_VERIFYPEER, 1},
        {CURLOPT_SSL_VERIFYHOST, 2},
    };
    CURLcode code = CURLE_OK;
    for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++)
        code |= http->curl->easy_setopt(handle, (CURLoption)numbers[index].option, (long)numbers[index].value);
    code |= http->curl->easy_setopt(handle, CURLOPT_PROXY, "");
    code |= http->curl->easy_setopt(handle, CURLOPT_NOPROXY, "*");
    code |= http->curl->easy_setopt(handle, CURLOPT_PREREQFUNCTION, judge_connection);
    code |= http->curl->easy_setopt(handle, CURLOPT_PREREQDATA, http);
    code |= http->curl->easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    code |= http->curl->easy_setopt(handle, CURLOPT_OPENSOCKETDATA, http);
    code |= http->curl->easy_setopt(handle, CURLOPT_WRITEFUNCTION, receive);
    code |= http->curl->easy_setopt(handle, CURLOPT_WRITEDATA, http);
    code |= http->curl->easy_setopt(handle, CURLOPT_USERAGENT, "pam-mpin");
    code |= http->curl->easy_setopt(handle, CURLOPT_ERRORBUFFER, http->failure);
    return code;
}

static int append_header(mpin_http *http, const char *text) {
    struct curl_slist *longer = http->curl->slist_append(http->headers, text);
    if (longer == NULL) return 0;
    http->headers = longer;
    return 1;
}

// Appends a default header, unless the caller passed one with the same name.
static int append_default(mpin_http *http, const char *text) {
    size_t name = strcspn(text, ":");
    for (const struct curl_slist *given = http->headers; given; given = given->next) {
        if (strcspn(given->data, ":;") == name && strncasecmp(given->data, text, name) == 0) return 1;
    }
    return append_header(http, text);
}

static int append_lines(mpin_http *http, const char *lines) {
    while (lines && *lines) {
        size_t length = strcspn(lines, "\n");
        char *line = strndup(lines, length);
        int appended = line != NULL && append_header(http, line);
        free(line);
        if (!appended) return 0;
        lines += length + (lines[length] == '\n');
    }
    return 1;
}

// Whether there is a header with this name among the lines.
static int names_header(const char *lines, const char *name) {
    size_t length = strlen(name);
    while (lines && *lines) {
        if (strncasecmp(lines, name, length) == 0 && (lines[length] == ':' || lines[length] == ';')) return 1;
        lines += strcspn(lines, "\n");
        lines += *lines == '\n';
    }
    return 0;
}

static int append_headers(mpin_http *http, const char *lines) {
    int has_own_type = names_header(lines, "Content-Type");
    if (!has_own_type && !append_header(http, "Content-Type: application/json; charset=UTF-8")) return 0;
    if (!append_lines(http, lines) || !append_default(http, "Accept: application/json, text/plain")
        || !append_header(http, "Expect:"))
        return 0;
    http->bodiless_headers = has_own_type ? http->headers : http->headers->next;
    return 1;
}

static enum mpin_http_outcome prepare(mpin_http *http, const struct mpin_http_endpoint *endpoint) {
    int reason;
    http->curl = mpin_libcurl(&reason);
    if (http->curl == NULL) return mpin_shortage_of(reason, MPIN_HTTP_NO_LIBRARY);
    http->handle = http->curl->easy_init();
    if (http->handle == NULL) return MPIN_HTTP_NO_MEMORY;
    if (!append_headers(http, endpoint->headers)) return MPIN_HTTP_NO_MEMORY;
    CURLcode code = set_common(http);
    code |= endpoint->socket_path ? set_socket(http) : set_tls(http, endpoint);
    if (code == CURLE_OUT_OF_MEMORY) return MPIN_HTTP_NO_MEMORY;
    if (code != CURLE_OK) return MPIN_HTTP_NO_LIBRARY;
    return endpoint->socket_path ? MPIN_HTTP_ANSWERED : set_authority(http, endpoint);
}

int mpin_http_pin(mpin_http *http, const char *keys) {
    return http->curl->easy_setopt(http->handle, CURLOPT_PINNEDPUBLICKEY, keys) == CURLE_OK;
}

int mpin_http_accept_any_certificate(mpin_http *http) {
    CURLcode code = http->curl->easy_setopt(http->handle, CURLOPT_SSL_VERIFYPEER, 0L);
    return (code | http->curl->easy_setopt(http->handle, CURLOPT_SSL_VERIFYHOST, 0L)) == CURLE_OK;
}

mpin_http *mpin_http_open(const struct mpin_http_endpoint *endpoint, enum mpin_http_outcome *outcome) {
    *outcome = MPIN_HTTP_NO_MEMORY;
    mpin_http *http = calloc(1, sizeof *http);
    if (http == NULL) return NULL;
    http->server_uid = endpoint->server_uid;
    http->watch = endpoint->watch;
    http->has_server_key = endpoint->server_key_count > 0;
    http->socket = CURL_SOCKET_BAD;
    http->socket_path = endpoint->socket_path ? strndup(endpoint->socket_path, SIZE_MAX) : NULL;
    if (endpoint->socket_path && http->socket_path == NULL) {
        free(http);
        return NULL;
    }
    struct mpin_guard guard;
    mpin_guard_enter(&guard);
    void *reserve = mpin_reserve_take();
    if (reserve) *outcome = prepare(http, endpoint);
    mpin_reserve_give(reserve);
    mpin_guard_leave(&guard);
    if (*outcome == MPIN_HTTP_ANSWERED) return http;
    mpin_http_close(http);
    return NULL;
}

// How long a name lookup, or a connection with its handshake, may take: three of the default five seconds. With a longer
// limit, they may take the same share of it.
static long connect_limit(long milliseconds) {
    const long part = milliseconds / 5 * 3, longest = part < 3000 ? 3000 : part;
    return milliseconds < longest ? milliseconds : longest;
}

static CURLcode set_request(mpin_http *http, const struct mpin_http_request *request, long milliseconds) {
    CURL *handle = http->handle;
    CURLcode code = http->curl->easy_setopt(handle, CURLOPT_URL, request->url);
    code |= http->curl->easy_setopt(
        handle, CURLOPT_HTTPHEADER, request->body ? http->headers : http->bodiless_headers);
    code |= http->curl->easy_setopt(handle, CURLOPT_TIMEOUT_MS, milliseconds);
    code |= http->curl->easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, connect_limit(milliseconds));
    code |= http->curl->easy_setopt(handle, CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)request->answer_capacity);
    if (request->body) {
        code |= http->curl->easy_setopt(handle, CURLOPT_POST, 1L);
        code |= http->curl->easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_length);
        code |= http->curl->easy_setopt(handle, CURLOPT_POSTFIELDS, request->body);
    } else {
        code |= http->curl->easy_setopt(handle, CURLOPT_HTTPGET, 1L);
    }
    code |= http->curl->easy_setopt(handle, CURLOPT_CUSTOMREQUEST, request->method);
    return code;
}

static enum mpin_http_outcome judge_certificate(const mpin_http *http) {
    long result = 0;
    http->curl->easy_getinfo(http->handle, CURLINFO_SSL_VERIFYRESULT, &result);
    switch (result) {
    case X509_V_ERR_CERT_NOT_YET_VALID: return MPIN_HTTP_NOT_YET_VALID;
    case X509_V_ERR_CERT_HAS_EXPIRED: return MPIN_HTTP_EXPIRED;
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
        return http->has_server_key ? MPIN_HTTP_FOREIGN_ISSUER : MPIN_HTTP_UNKNOWN_ISSUER;
    default: break;
    }
    // libcurl checks the name itself, before it stores the result of the other checks.
    return strstr(http->failure, "subject name") || strstr(http->failure, "common name") ? MPIN_HTTP_OTHER_NAME
                                                                                         : MPIN_HTTP_UNTRUSTED;
}

static enum mpin_http_outcome judge_handshake(const mpin_http *http) {
    static const char *const signs[] = {"wrong version number", "unknown protocol", "http request"};
    for (size_t index = 0; index < sizeof signs / sizeof *signs; index++) {
        if (strstr(http->failure, signs[index])) return MPIN_HTTP_NO_TLS;
    }
    return MPIN_HTTP_NO_HANDSHAKE;
}

// The errno of the last connection that failed. libcurl has no error code for it.
static long connection_error(const mpin_http *http) {
    long reason = 0;
    http->curl->easy_getinfo(http->handle, CURLINFO_OS_ERRNO, &reason);
    return reason;
}

// If libcurl has lost a connection and a second one is refused, the refusal is not the cause: the request may have been
// sent on the first one.
static enum mpin_http_outcome judge(const mpin_http *http, CURLcode code, int was_connected) {
    if (http->is_foreign) return mpin_shortage(MPIN_HTTP_FOREIGN_PEER);
    if (http->too_large) return MPIN_HTTP_TOO_LARGE;
    switch (code) {
    case CURLE_OK: return MPIN_HTTP_ANSWERED;
    case CURLE_OPERATION_TIMEDOUT: return MPIN_HTTP_TIMED_OUT;
    case CURLE_OUT_OF_MEMORY:
    case CURLE_FAILED_INIT: return MPIN_HTTP_NO_MEMORY;
    case CURLE_FILESIZE_EXCEEDED: return MPIN_HTTP_TOO_LARGE;
    case CURLE_SSL_CACERT_BADFILE: return mpin_shortage(MPIN_HTTP_NO_AUTHORITY);
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_CERTPROBLEM: return mpin_shortage(judge_certificate(http));
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH: return MPIN_HTTP_OTHER_KEY;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CIPHER: return mpin_shortage(judge_handshake(http));
    case CURLE_COULDNT_RESOLVE_HOST: return mpin_shortage(MPIN_HTTP_UNKNOWN_HOST);
    default: break;
    }
    const long reason = code == CURLE_COULDNT_CONNECT && !was_connected ? connection_error(http) : 0;
    const enum mpin_http_outcome outcome = reason == ECONNREFUSED ? MPIN_HTTP_REFUSED
        : reason == ENOENT && http->socket_path                   ? MPIN_HTTP_NO_SOCKET
                                                                  : MPIN_HTTP_UNREACHABLE;
    return mpin_shortage_of(http->socket_error, mpin_shortage(outcome));
}

// Unblocks the signals of a terminal and of the program's own timer, if they were not blocked before the guard.
static void let_signals_through(const struct mpin_guard *guard) {
    static const int signals[] = {
        SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGALRM, SIGTSTP, SIGCONT, SIGTTIN, SIGTTOU, SIGWINCH,
    };
    sigset_t through = {0};
    for (size_t index = 0; index < sizeof signals / sizeof *signals; index++) {
        if (sigismember(&guard->mask, signals[index]) == 0) sigaddset(&through, signals[index]);
    }
    pthread_sigmask(SIG_UNBLOCK, &through, NULL);
}

__attribute__((noinline)) static long milliseconds_left(const struct mpin_http_request *request) {
    return (long)((request->deadline_ns - mpin_monotonic_ns()) / 1000000);
}

// Whether nothing was sent because too many others wait to be connected to the socket. Any user can cause that, so it
// is no reason to give up: places become free all the time.
static int found_no_place(const mpin_http *http, CURLcode code) {
    return code == CURLE_COULDNT_CONNECT && http->socket_path != NULL && http->socket_error == 0
        && connection_error(http) == 0;
}

static CURLcode find_host(mpin_http *http, const struct mpin_http_request *request) {
    if (http->socket_path != NULL) return CURLE_OK;
    const long limit = connect_limit(milliseconds_left(request));
    return mpin_lookup(http->curl, http->handle, request->url, limit, request->stop, &http->addresses);
}

static CURLcode perform(mpin_http *http, int stop) {
    return mpin_can_stop(stop) ? mpin_perform_until(http->handle, &http->multi, stop)
                               : http->curl->easy_perform(http->handle);
}

enum mpin_http_outcome mpin_http_perform(
    mpin_http *http, const struct mpin_http_request *request, struct mpin_http_answer *answer) {
    *answer = (struct mpin_http_answer){0};
    long left = milliseconds_left(request);
    if (left <= 0) return MPIN_HTTP_TIMED_OUT;
    http->answer = request->answer;
    http->capacity = request->answer_capacity;
    http->length = 0;
    http->too_large = http->is_foreign = http->socket_error = 0;
    http->failure[0] = '\0';
    http->sendings_left = request->body ? 1 : 2;

    struct mpin_guard guard;
    mpin_guard_enter(&guard);
    void *reserve = mpin_reserve_take();
    if (http->watch) {
        http->watch(1);
        let_signals_through(&guard);
    }
    CURLcode code = CURLE_OUT_OF_MEMORY;
    if (reserve) code = find_host(http, request);
    left = milliseconds_left(request);
    // Without a transfer, libcurl would report the one before.
    curl_off_t until_sent = 0;
    if (code == CURLE_OK && left <= 0) code = CURLE_OPERATION_TIMEDOUT;
    if (mpin_is_stopped(request->stop)) code = CURLE_ABORTED_BY_CALLBACK;
    if (code == CURLE_OK) {
        do {
            code = set_request(http, request, left);
            if (code == CURLE_OK) code = perform(http, request->stop);
            left = milliseconds_left(request);
        } while (left > 0 && found_no_place(http, code) && !mpin_is_stopped(request->stop) && poll(NULL, 0, 1) == 0);
        http->curl->easy_getinfo(http->handle, CURLINFO_PRETRANSFER_TIME_T, &until_sent);
        http->curl->easy_getinfo(http->handle, CURLINFO_RESPONSE_CODE, &answer->status);
    }
    if (http->watch) http->watch(0);
    answer->connected = until_sent > 0;
    answer->length = http->length;
    enum mpin_http_outcome outcome = judge(http, code, answer->connected);
    mpin_reserve_give(reserve);
    mpin_guard_leave(&guard);
    return outcome;
}

void mpin_http_close(mpin_http *http) {
    if (http == NULL) return;
    struct mpin_guard guard;
    // Over a Unix socket, nothing is sent at the end.
    const int is_guarded = http->socket_path == NULL;
    if (is_guarded) mpin_guard_enter(&guard);
    if (MPIN_STOPS && http->multi) mpin_multi_free(http->multi);
    if (http->handle) http->curl->easy_cleanup(http->handle);
    if (http->headers) http->curl->slist_free_all(http->headers);
    if (http->addresses) http->curl->slist_free_all(http->addresses);
    if (is_guarded) mpin_guard_leave(&guard);
    free(http->socket_path);
    free(http);
}
