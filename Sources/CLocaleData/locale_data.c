// An empty table in the place of ICU's data, which are 34 MB of languages, calendars and time zones.
//
// Foundation brings ICU along where it is linked statically, and the linker takes from its archive only what is not defined
// yet. ICU finds no valid header here and reports that the data are missing. With the table made unreadable, one place was
// found that asks: Hummingbird's Date header looks up the current time zone before it sets GMT. It gets GMT at once.
//
// The name holds ICU's version: with another one the archive's own comes back, and scripts/package complains about the size.
__attribute__((visibility("hidden"), aligned(16))) const unsigned char icudt76_dat[32] = {0};
