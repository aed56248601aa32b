// SPDX-License-Identifier: Apache-2.0

// QR codes with libqrencode, an optional library that is opened for the first code.
#ifndef CQRENCODE_H
#define CQRENCODE_H

#include <stddef.h>
#include <stdint.h>

// The largest width of a code, in modules.
enum { MPIN_QR_LARGEST = 177 };

// Encodes a text as a QR code with medium error correction.
//
// modules: room for MPIN_QR_LARGEST * MPIN_QR_LARGEST bytes, row by row; 1 is dark and 0 is light.
// Returns the width in modules; 0 when the library is missing or the text is too long.
int mpin_qr_encode(const char *text, uint8_t *modules);

#endif
