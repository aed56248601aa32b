// What a process lacks for a transfer. libcurl and the libraries below it report many a lack as a server that cannot be
// reached or not be trusted, and whoever started the process may have set its limits.
#ifndef CCURL_SHORTAGE_H
#define CCURL_SHORTAGE_H

#include "CCurl.h"

// Memory that a transfer cannot use up, for what follows it: Swift ends the process when it gets none. NULL when there is
// not even that.
void *reserve_take(void);
void reserve_give(void *reserve);

// The outcome that an errno stands for, or `otherwise` where it is none of a lack.
enum mpin_http_outcome shortage_of(int error, enum mpin_http_outcome otherwise);

// What the process could not have more of now, descriptors or memory, or `otherwise`.
enum mpin_http_outcome shortage(enum mpin_http_outcome otherwise);

// The same for a thread, as libcurl starts one to look up a name. Called under the guard.
enum mpin_http_outcome shortage_of_threads(enum mpin_http_outcome otherwise);

#endif
