// SPDX-License-Identifier: Apache-2.0

// An empty table instead of ICU's data, which are 34 MB of languages, calendars and time zones.
//
// Foundation includes ICU if it is linked statically, and the linker takes from its archive only what is not defined
// yet. ICU finds no valid header here and reports that the data are missing. No code of the server needs them: it formats
// its times with the C library.
//
// The name contains ICU's version. With another version the linker uses the archive's own table, and scripts/package
// reports the size.
__attribute__((visibility("hidden"), aligned(16))) const unsigned char icudt76_dat[32] = {0};
