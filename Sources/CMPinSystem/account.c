// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "account.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <pwd.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// The buffer for a passwd entry; a longer entry counts as unknown.
enum { entry_size = 16 * 1024 };

int64_t mpin_account_find(const char *name, char *own, size_t capacity) {
    struct passwd entry, *found = NULL;
    char texts[entry_size];
    if (getpwnam_r(name, &entry, texts, sizeof texts, &found) != 0 || found == NULL) return -1;
    const size_t size = strlen(entry.pw_name) + 1;
    if (own != NULL && size > capacity) return -1;
    if (own != NULL) memcpy(own, entry.pw_name, size);
    return (int64_t)entry.pw_uid;
}

void mpin_host_name(char *name, size_t capacity) {
    if (gethostname(name, capacity) != 0) name[0] = '\0';
    name[capacity - 1] = '\0';
    name[strcspn(name, ".")] = '\0';
}

int mpin_host_is_loopback(const char *host) {
    struct in6_addr address;
    const char *mapped = "::ffff:";
    size_t prefix = strlen(mapped);
    if (inet_pton(AF_INET6, host, &address) == 1 && IN6_IS_ADDR_LOOPBACK(&address)) return 1;
    if (strncmp(host, mapped, prefix) == 0) host += prefix;
    uint8_t bytes[4];
    return inet_pton(AF_INET, host, bytes) == 1 && bytes[0] == 127;
}

int mpin_network_is_closed(void) {
    int file = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (file < 0) return errno == EAFNOSUPPORT;
    close(file);
    return 0;
}

uint32_t mpin_effective_uid(void) {
    return geteuid();
}
