// SPDX-License-Identifier: Apache-2.0

// Replacements that keep the Swift runtime in the module from affecting the host program.

#define HIDDEN __attribute__((visibility("hidden")))

// The runtime's crash handler would replace seven signal handlers of the host and its alternate signal stack. Because
// this object already defines the function, the one in the runtime's archive is not linked.
HIDDEN int _swift_installCrashHandler(void) {
    return 0;
}

// The runtime reads environment variables that begin with SWIFT_, even in set-uid programs. The linker (--wrap)
// replaces `environ` with this empty one; the module's C code uses __environ for the real one.
static char *no_environment[] = {0};
HIDDEN char **__wrap_environ = no_environment;

// Replaces getenv for the same reason.
HIDDEN char *__wrap_getenv(const char *name) {
    (void)name;
    return 0;
}
