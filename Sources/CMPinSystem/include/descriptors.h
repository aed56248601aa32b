// SPDX-License-Identifier: Apache-2.0

// The descriptors that every program uses for its input, its output and its errors.
#ifndef CMPINSYSTEM_DESCRIPTORS_H
#define CMPINSYSTEM_DESCRIPTORS_H

// To be called first in a program. If 0, 1 or 2 is closed, it is opened so that reading from it, or writing to it,
// fails. Otherwise the next opened file would get that number, and output for standard output would be written into it.
// Ends the process with 74 if that is impossible.
void mpin_standard_descriptors(void);

// Has a child process begin with no other descriptors than these. Returns 0, or an errno.
//
// actions: a posix_spawn_file_actions_t. Its header would move system types to this module for Swift.
int mpin_spawn_keep_standard(void *actions);

#endif
