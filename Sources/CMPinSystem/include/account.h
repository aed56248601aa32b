// Who is who on this host. Here because the answers come through C buffers of the caller.
#ifndef CMPINSYSTEM_ACCOUNT_H
#define CMPINSYSTEM_ACCOUNT_H

#include <stddef.h>
#include <stdint.h>

// The user id of an account, or -1 when there is none of that name or nobody can tell.
int64_t mpin_account_uid(const char *name);

// The name of the account with this user id, NUL-terminated; the length, or -1.
int mpin_account_name(uint32_t uid, char *name, size_t capacity);

// Whether a host is named by a loopback address. No name is looked up.
int mpin_host_is_loopback(const char *host);

// The ids this process acts with, and whether the system says that its caller must not be trusted.
uint32_t mpin_effective_uid(void);
uint32_t mpin_real_uid(void);

#endif
