// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "libcurl.h"

struct target {
    uint8_t *bytes;
    size_t capacity;
    size_t length;
};

static size_t receive(char *bytes, size_t size, size_t count, void *context) {
    struct target *target = context;
    size_t length = size * count;
    if (length > target->capacity - target->length) return 0;
    memcpy(target->bytes + target->length, bytes, length);
    target->length += length;
    return length;
}

static CURLcode set_body(
    const struct mpin_libcurl *curl, CURL *handle, const struct mpin_hook_request *request,
    const struct curl_slist *headers) {
    CURLcode code = curl->easy_setopt(handle, CURLOPT_POST, 1L);
    code |= curl->easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_length);
    code |= curl->easy_setopt(handle, CURLOPT_POSTFIELDS, request->body);
    code |= curl->easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
    return code;
}

static CURLcode set_exchange(const struct mpin_libcurl *curl, CURL *handle, struct target *target) {
    CURLcode code = curl->easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
    code |= curl->easy_setopt(handle, CURLOPT_USERAGENT, "mpin-server");
    code |= curl->easy_setopt(handle, CURLOPT_WRITEFUNCTION, receive);
    code |= curl->easy_setopt(handle, CURLOPT_WRITEDATA, target);
    return code;
}

int mpin_hook(const struct mpin_hook_request *request, size_t *length) {
    *length = 0;
    int reason;
    const struct mpin_libcurl *curl = mpin_libcurl(&reason);
    if (curl == NULL) return -1;
    CURL *handle = curl->easy_init();
    if (handle == NULL) return -1;
    struct target target = {.bytes = request->answer, .capacity = request->answer_capacity};
    const int is_post = request->body != NULL;
    struct curl_slist *headers =
        is_post ? curl->slist_append(NULL, "Content-Type: application/json; charset=UTF-8") : NULL;
    struct curl_slist *addresses = NULL;
    CURLcode code = headers || !is_post ? CURLE_OK : CURLE_OUT_OF_MEMORY;
    if (code == CURLE_OK)
        code = mpin_libcurl_set_peer(
            curl, handle, request->url, "https,http", request->ca_file, request->milliseconds, &addresses);
    if (code == CURLE_OK && is_post) code = set_body(curl, handle, request, headers);
    if (code == CURLE_OK) code = set_exchange(curl, handle, &target);
    if (code == CURLE_OK) code = curl->easy_perform(handle);
    long status = 0;
    curl->easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    curl->easy_cleanup(handle);
    curl->slist_free_all(headers);
    curl->slist_free_all(addresses);
    *length = target.length;
    return code == CURLE_OK ? (int)status : -(int)code;
}
