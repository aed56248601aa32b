#include "library.h"

#include <dlfcn.h>
#include <pthread.h>

static struct mpin_libcrypto table;
static int complete;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int find(void *library, const char *name, void *slot) {
    void *function = dlsym(library, name);
    *(void **)slot = function;
    return function != NULL;
}

static int fill(void) {
    void *library = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return 0;
    int all = find(library, "EVP_sha256", &table.sha256) && find(library, "EVP_Digest", &table.digest)
        && find(library, "HMAC", &table.hmac) && find(library, "EVP_aes_256_gcm", &table.aes_256_gcm)
        && find(library, "EVP_CIPHER_CTX_new", &table.context_new)
        && find(library, "EVP_CIPHER_CTX_free", &table.context_free)
        && find(library, "EVP_EncryptInit_ex", &table.encrypt_init)
        && find(library, "EVP_EncryptUpdate", &table.encrypt_update)
        && find(library, "EVP_EncryptFinal_ex", &table.encrypt_final)
        && find(library, "EVP_DecryptInit_ex", &table.decrypt_init)
        && find(library, "EVP_DecryptUpdate", &table.decrypt_update)
        && find(library, "EVP_DecryptFinal_ex", &table.decrypt_final)
        && find(library, "EVP_CIPHER_CTX_ctrl", &table.context_control);
    // The library stays open: its exit handlers would outlive it otherwise.
    if (all) __atomic_store_n(&complete, 1, __ATOMIC_RELEASE);
    return all;
}

const struct mpin_libcrypto *mpin_libcrypto(void) {
    if (__atomic_load_n(&complete, __ATOMIC_ACQUIRE)) return &table;
    pthread_mutex_lock(&lock);
    // A failure is not remembered: what was missing may be there when the next login of a long-lived host asks.
    int is_open = complete || fill();
    pthread_mutex_unlock(&lock);
    return is_open ? &table : NULL;
}
