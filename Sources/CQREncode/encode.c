// SPDX-License-Identifier: Apache-2.0
#include "CQREncode.h"

#include <qrencode.h>

#include "CMPinSystem.h"

#define MPIN_LIBQRENCODE(EACH) \
    EACH(encode_string, QRcode_encodeString) \
    EACH(free, QRcode_free)

static struct {
    MPIN_LIBQRENCODE(MPIN_LIBRARY_MEMBER)
} table;

static struct mpin_library library = {
    .file = "libqrencode.so.4", .names = MPIN_LIBQRENCODE(MPIN_LIBRARY_NAME), .table = &table,
    .opening = PTHREAD_MUTEX_INITIALIZER};

int mpin_qr_encode(const char *text, uint8_t *modules) {
    if (mpin_library_open(&library) != 0) return 0;
    QRcode *code = table.encode_string(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1);
    if (code == NULL) return 0;
    int side = code->width > MPIN_QR_LARGEST ? 0 : code->width;
    // The lowest bit of each byte is set for a dark module.
    for (int index = 0; index < side * side; index++) modules[index] = code->data[index] & 1;
    table.free(code);
    return side;
}
