// SPDX-License-Identifier: Apache-2.0

// The least that a module does which logs in by one signed request: asks for the PIN, opens libcurl and libcrypto, signs
// a digest with P-256, sends one body of the usual size to a unix socket and reads the answer. Nothing of M-Pin, no
// configuration, no file, no care of any kind; what it says of the PIN is always yes.
//
// Arguments: the path of the socket.
#include <curl/curl.h>
#include <dlfcn.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <security/pam_ext.h>
#include <security/pam_modules.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTION(library, name) __typeof__(name) *name##_ = (__typeof__(name) *)dlsym(library, #name)

static int sign(void) {
    void *library = dlopen("libcrypto.so.3", RTLD_NOW);
    if (library == NULL)
        return -1;
    FUNCTION(library, EVP_PKEY_CTX_new_from_name);
    FUNCTION(library, EVP_PKEY_CTX_new);
    FUNCTION(library, EVP_PKEY_CTX_free);
    FUNCTION(library, EVP_PKEY_fromdata_init);
    FUNCTION(library, EVP_PKEY_fromdata);
    FUNCTION(library, EVP_PKEY_sign_init);
    FUNCTION(library, EVP_PKEY_sign);
    FUNCTION(library, EVP_PKEY_free);
    unsigned char scalar[32], digest[32], signature[72];
    memset(scalar, 0x37, sizeof scalar);
    memset(digest, 0x55, sizeof digest);
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 5),
        OSSL_PARAM_BN(OSSL_PKEY_PARAM_PRIV_KEY, scalar, sizeof scalar),
        OSSL_PARAM_END,
    };
    EVP_PKEY *key = NULL;
    size_t size = sizeof signature;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name_(NULL, "EC", NULL);
    if (EVP_PKEY_fromdata_init_(context) != 1 || EVP_PKEY_fromdata_(context, &key, EVP_PKEY_KEYPAIR, parameters) != 1)
        return -1;
    EVP_PKEY_CTX_free_(context);
    context = EVP_PKEY_CTX_new_(key, NULL);
    int done = EVP_PKEY_sign_init_(context) == 1 && EVP_PKEY_sign_(context, signature, &size, digest, 32) == 1;
    EVP_PKEY_CTX_free_(context);
    EVP_PKEY_free_(key);
    return done ? 0 : -1;
}

static size_t discard(char *bytes, size_t size, size_t count, void *unused) {
    (void)bytes, (void)unused;
    return size * count;
}

static int request(const char *socket) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW);
    if (library == NULL)
        return -1;
    FUNCTION(library, curl_global_init);
    FUNCTION(library, curl_easy_init);
    FUNCTION(library, curl_easy_setopt);
    FUNCTION(library, curl_easy_perform);
    FUNCTION(library, curl_easy_cleanup);
    static char body[900];
    memset(body, ' ', sizeof body - 1);
    body[0] = '{', body[sizeof body - 2] = '}';
    curl_global_init_(CURL_GLOBAL_DEFAULT);
    CURL *transfer = curl_easy_init_();
    curl_easy_setopt_(transfer, CURLOPT_UNIX_SOCKET_PATH, socket);
    curl_easy_setopt_(transfer, CURLOPT_URL, "http://localhost/rps/pass1");
    curl_easy_setopt_(transfer, CURLOPT_POSTFIELDS, body);
    curl_easy_setopt_(transfer, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt_(transfer, CURLOPT_WRITEFUNCTION, discard);
    CURLcode code = curl_easy_perform_(transfer);
    curl_easy_cleanup_(transfer);
    return code == CURLE_OK ? 0 : -1;
}

int pam_sm_authenticate(pam_handle_t *handle, int flags, int count, const char **arguments) {
    (void)flags;
    char *pin = NULL;
    if (count != 1 || pam_prompt(handle, PAM_PROMPT_ECHO_OFF, &pin, "PIN: ") != PAM_SUCCESS)
        return PAM_AUTH_ERR;
    free(pin);
    return sign() == 0 && request(arguments[0]) == 0 ? PAM_SUCCESS : PAM_AUTH_ERR;
}

int pam_sm_setcred(pam_handle_t *handle, int flags, int count, const char **arguments) {
    (void)handle, (void)flags, (void)count, (void)arguments;
    return PAM_SUCCESS;
}

int pam_sm_acct_mgmt(pam_handle_t *handle, int flags, int count, const char **arguments) {
    (void)handle, (void)flags, (void)count, (void)arguments;
    return PAM_SUCCESS;
}
