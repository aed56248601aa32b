// What keeps the Swift runtime inside the module from touching the program that loaded it.

#define HIDDEN __attribute__((visibility("hidden")))

// The runtime's own handler for crashes would replace seven signal handlers of the host's and its alternative stack.
// As this object already has a function of that name, the one in the runtime's archive is never linked.
HIDDEN int _swift_installCrashHandler(void) {
    return 0;
}

// The runtime looks for variables that begin with SWIFT_, in set-uid programs as well. The linker sends every mention of
// the environment here, where there is none; C code of ours that means the real one says __environ.
static char *no_environment[] = {0};
HIDDEN char **__wrap_environ = no_environment;

// The same for what asks for one variable at a time.
HIDDEN char *__wrap_getenv(const char *name) {
    (void)name;
    return 0;
}
