// An empty table in the place of ICU's data, which are 34 MB of languages, calendars and time zones.
//
// Foundation brings ICU along where it is linked statically. The server formats nothing for a locale, but the linker cannot
// know that. What is defined here it does not fetch from ICU's archive. ICU finds no valid header in it and reports that
// the data are missing, as on a system without them.
//
// The name holds ICU's version: with another one the archive's own comes back, and scripts/package complains about the size.
__attribute__((visibility("hidden"), aligned(16))) const unsigned char icudt76_dat[32] = {0};
