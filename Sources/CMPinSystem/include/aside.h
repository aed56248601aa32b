// What cannot be read, kept out of the way. Here for the same reason as files.h.
#ifndef CMPINSYSTEM_ASIDE_H
#define CMPINSYSTEM_ASIDE_H

#include <stddef.h>
#include <stdint.h>

// Gives a file the name NAME.bad, or NAME.bad.1 and so on: never that of one that is there. With `copy`, the file
// stays and these bytes are put there. Whole or not at all, and durably. Callers hold the lock of that file.
// The number at the end of the name, 0 for none; below zero as in files.h.
int mpin_file_set_aside(int directory, const char *name, const uint8_t *copy, size_t count);

// Whether a file with such a name is there. 1 or 0; below zero when that cannot be told.
int mpin_file_is_set_aside(int directory, const char *name);

#endif
