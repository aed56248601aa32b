#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>

#include "CQREncode.h"

// As in version 4 of the library, whose interface is stable.
struct code {
    int version;
    int width;
    unsigned char *data;  // the lowest bit of each byte: dark
};

enum { MEDIUM_CORRECTION = 1, MODE_8 = 2 };

static struct code *(*encode_string)(const char *text, int version, int level, int mode, int case_sensitive);
static void (*free_code)(struct code *code);
static int ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void open_library(void) {
    void *object = dlopen("libqrencode.so.4", RTLD_NOW | RTLD_LOCAL);
    if (object == NULL) return;
    *(void **)&encode_string = dlsym(object, "QRcode_encodeString");
    *(void **)&free_code = dlsym(object, "QRcode_free");
    ready = encode_string && free_code;
}

int mpin_qr_encode(const char *text, uint8_t *modules) {
    pthread_mutex_lock(&lock);
    if (!ready) open_library();
    int is_open = ready;
    pthread_mutex_unlock(&lock);
    if (!is_open) return 0;
    struct code *code = encode_string(text, 0, MEDIUM_CORRECTION, MODE_8, 1);
    if (code == NULL) return 0;
    int side = code->width > MPIN_QR_LARGEST ? 0 : code->width;
    for (int index = 0; index < side * side; index++) modules[index] = code->data[index] & 1;
    free_code(code);
    return side;
}
