// SPDX-License-Identifier: Apache-2.0

// Setting damaged files aside. In C for the reasons given in files.h.
#ifndef CMPINSYSTEM_ASIDE_H
#define CMPINSYSTEM_ASIDE_H

#include <stddef.h>
#include <stdint.h>

// Renames a file to NAME.bad, or NAME.bad.1 and so on, without replacing an existing file. With `copy`, the file stays
// and these bytes are written to the new name. Atomic and durable. Callers hold the lock of that file.
// Returns the number at the end of the name, 0 for none; below zero as in files.h.
int mpin_file_set_aside(int directory, const char *name, const uint8_t *copy, size_t count);

// Whether such a file exists: 1 or 0; below zero when the directory cannot be listed.
int mpin_file_is_set_aside(int directory, const char *name);

#endif
