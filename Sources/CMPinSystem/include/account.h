// SPDX-License-Identifier: Apache-2.0

// Accounts and hosts. In C because the system calls fill C buffers of the caller.
#ifndef CMPINSYSTEM_ACCOUNT_H
#define CMPINSYSTEM_ACCOUNT_H

#include <stddef.h>
#include <stdint.h>

// Returns the user ID of an account; -1 if the database has no such account or cannot be read. `own` receives its name as
// the database spells it, NUL-terminated; it may be NULL.
int64_t mpin_account_find(const char *name, char *own, size_t capacity);

// The name of this host up to its first dot, NUL-terminated.
void mpin_host_name(char *name, size_t capacity);

// Whether the text is a loopback address. Host names are not resolved.
int mpin_host_is_loopback(const char *host);

// Whether this process can create only local sockets, as with systemd's RestrictAddressFamilies=.
int mpin_network_is_closed(void);

// The effective user id of this process.
uint32_t mpin_effective_uid(void);

#endif
