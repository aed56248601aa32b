// SPDX-License-Identifier: Apache-2.0

// What every program does before its main function. The module and the SDK do not contain this file: the arguments and
// the environment of their host are not theirs.

#include <stdlib.h>

// Swift's runtime; a program without it does not link.
void _swift_stdlib_overrideUnsafeArgvArgc(char **arguments, int count);

// glibc passes the arguments to constructors as the kernel passed them to the program. Swift's runtime would look for
// them next to the environment or in /proc/self/cmdline. Without /proc, and with a library that has replaced the
// environment, it finds none, and a program would run its default command.
__attribute__((constructor)) static void begin(int count, char **arguments) {
    _swift_stdlib_overrideUnsafeArgvArgc(arguments, count);
    // libcurl would write the keys of its TLS connections to this file.
    unsetenv("SSLKEYLOGFILE");
}
