// SPDX-License-Identifier: Apache-2.0

// pam-probe: a program that logs people in, for what a test wants to see from inside one.
//
//     pam-probe COMMAND[,ignore-signals][,no-locked-memory][,disturb][,real-root]
//         DIRECTORY SERVICE USER [NUMBER | FILE] PIN-FILE...
//
// DIRECTORY holds the services. What each command needs is said where it is defined; the exit status is 0 when the
// transactions of a command ended as it wants them to.
#define _GNU_SOURCE
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scan.h"
#include "snapshot.h"
#include "transaction.h"

extern char **environ;

// A value of /proc/self/status, in kB.
static long status_number(const char *name) {
    FILE *file = fopen("/proc/self/status", "re");
    char line[256];
    long number = -1;
    while (file && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, name, strlen(name)) == 0) number = atol(line + strlen(name));
    }
    if (file) fclose(file);
    return number;
}

// try: one transaction for each PIN given, each in a handle of its own; prints the codes.
static int command_try(const struct login *login) {
    int code = PAM_ABORT;
    for (int number = 0; number < login->pin_count; number++) {
        struct login one = *login;
        one.pins = &login->pins[number];
        one.pin_count = 1;
        code = transaction(&one);
        puts(code_name(code));
    }
    return code != PAM_SUCCESS;
}

// handle: asks one handle three times, as programs do, with what is said; prints the codes.
static int command_handle(const struct login *login) {
    struct talk talk = {.login = login};
    pam_handle_t *handle = transaction_start(login, &talk);
    if (handle == NULL) return 1;
    int code = PAM_ABORT;
    for (int round = 0; round < 3 && code != PAM_SUCCESS; round++) {
        code = pam_authenticate(handle, 0);
        puts(code_name(code));
    }
    pam_end(handle, code);
    return code != PAM_SUCCESS;
}

// cycles NUMBER: whole transactions one after the other, each with its own loading of the module.
static int command_cycles(const struct login *login, int count) {
    int failures = 0;
    long early = 0;
    for (int round = 1; round <= count; round++) {
        failures += transaction(login) != PAM_SUCCESS;
        if (round == count / 5) early = status_number("VmRSS:");
    }
    printf("failures %d resident %ld then %ld\n", failures, early, status_number("VmRSS:"));
    return failures != 0;
}

// starve files|memory: a transaction for each of many limits, from next to nothing up, and one with as much as there was
// at first; prints the codes.
static int command_starve(const struct login *login, const char *what) {
    int of_files = strcmp(what, "files") == 0, resource = of_files ? RLIMIT_NOFILE : RLIMIT_AS;
    struct rlimit usual, starved;
    getrlimit(resource, &usual);
    starved = usual;
    for (int step = 0; step < 80; step++) {
        starved.rlim_cur = of_files ? 3 + (rlim_t)step / 2 : (rlim_t)status_number("VmSize:") * 1024 + step * (256 << 10);
        setrlimit(resource, &starved);
        int code = transaction(login);
        setrlimit(resource, &usual);
        printf("%d %s\n", step, code_name(code));
    }
    int code = transaction(login);
    printf("enough %s\n", code_name(code));
    return code != PAM_SUCCESS;
}

static int child_status(pid_t child) {
    int status = 0;
    if (waitpid(child, &status, 0) != child) return 255;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// fork: children that log in, each at another stage of the parent's transaction; the parent continues after it.
static int command_fork(const struct login *login) {
    struct talk talk = {.login = login, .is_quiet = 1};
    pam_handle_t *handle = transaction_start(login, &talk);
    if (handle == NULL) return 1;
    int bad = 0;
    for (int stage = 0; stage < 3; stage++) {
        if (stage > 0) bad += pam_authenticate(handle, 0) != PAM_SUCCESS;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            int code = pam_authenticate(handle, 0);
            pam_end(handle, code | (int)PAM_DATA_SILENT);
            _exit(code == PAM_SUCCESS ? transaction(login) : code);
        }
        int status = child_status(child);
        printf("stage %d: %d\n", stage, status);
        bad += status != 0;
    }
    bad += pam_authenticate(handle, 0) != PAM_SUCCESS;
    pam_end(handle, PAM_SUCCESS);
    return bad != 0;
}

static void *fork_soon(void *context) {
    (void)context;
    usleep(300000);
    if (fork() == 0) {
        // No process is to wait for it at the other end of a pipe; files stay open.
        for (int file = 0; file < 64; file++) {
            struct stat status;
            if (fstat(file, &status) == 0 && !S_ISREG(status.st_mode)) close(file);
        }
        sleep(4);
        _exit(0);
    }
    return NULL;
}

// fork-during: a child that runs no program of its own is made in the middle of the login, and outlives it.
static int command_fork_during(const struct login *login) {
    pthread_t thread;
    pthread_create(&thread, NULL, fork_soon, NULL);
    int code = transaction(login);
    pthread_join(thread, NULL);
    puts(code_name(code));
    return code != PAM_SUCCESS;
}

struct worker {
    const struct login *login;
    int count, failures;
};

static void *work(void *context) {
    struct worker *worker = context;
    for (int round = 0; round < worker->count; round++) worker->failures += transaction(worker->login) != PAM_SUCCESS;
    return NULL;
}

// threads NUMBER: two threads, each with handles of its own; USER may be two names with a comma between them, so that
// the logins do not wait for each other. The environment is the same afterwards.
static int command_threads(const struct login *login, int count) {
    char names[128];
    snprintf(names, sizeof names, "%s", login->user);
    char *other = names;
    strsep(&other, ",");
    struct login logins[2] = {*login, *login};
    logins[0].user = names;
    logins[1].user = other ? other : names;
    struct worker workers[2] = {{&logins[0], count, 0}, {&logins[1], count, 0}};
    pthread_t threads[2];
    char **environment = environ;
    for (int number = 0; number < 2; number++) pthread_create(&threads[number], NULL, work, &workers[number]);
    for (int number = 0; number < 2; number++) pthread_join(threads[number], NULL);
    printf("failures %d and %d\n", workers[0].failures, workers[1].failures);
    if (environ != environment) puts("the environment has been lost");
    return workers[0].failures + workers[1].failures != 0 || environ != environment;
}

static void *work_once(void *context) {
    return (void *)(intptr_t)transaction(context);
}

// stack KIBIBYTES: a transaction in a thread with a stack of so much; prints the code and how much of it was used.
static int command_stack(const struct login *login, int kibibytes) {
    const size_t size = (size_t)kibibytes << 10;
    unsigned char *stack = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED) return 2;
    memset(stack, 0xA5, size);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_t thread;
    if (pthread_attr_setstack(&attributes, stack, size) != 0
        || pthread_create(&thread, &attributes, work_once, (void *)(uintptr_t)login) != 0)
        return 2;
    void *code = NULL;
    pthread_join(thread, &code);
    size_t unused = 0;
    while (unused < size && stack[unused] == 0xA5) unused++;
    printf("%s\nused %zu\n", code_name((int)(intptr_t)code), size - unused);
    return code != NULL;
}

static void on_signal(int number) {
    (void)number;
}

// A host that has set everything it can set, so that a change of it shows.
static void settle(void) {
    static const int own[] = {SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGALRM, SIGCHLD, SIGPIPE, SIGWINCH};
    for (size_t index = 0; index < sizeof own / sizeof *own; index++) {
        struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
        sigaddset(&action.sa_mask, SIGUSR2);
        struct sigaction present;
        sigaction(own[index], NULL, &present);
        if (present.sa_handler == SIG_DFL) sigaction(own[index], &action, NULL);
    }
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR2);
    sigaddset(&mask, SIGRTMIN + 3);
    sigprocmask(SIG_BLOCK, &mask, NULL);
    raise(SIGUSR2);
    const struct itimerval timer = {.it_value.tv_sec = 3600, .it_interval.tv_sec = 7};
    setitimer(ITIMER_REAL, &timer, NULL);
    setlocale(LC_ALL, "C.UTF-8");
}

static int disturbs;

// Changes one thing of each kind, to see that a comparison shows it.
static void disturb(void) {
    static char variable[] = "LEFT=behind";
    umask(0123);
    if (chdir("/usr") != 0 || open("/dev/null", O_RDONLY) < 0) abort();
    signal(SIGUSR1, SIG_IGN);
    putenv(variable);
}

// snapshot: the process before and after a transaction with each PIN.
static int command_snapshot(const struct login *login) {
    settle();
    int changes = 0;
    for (int number = 0; number < login->pin_count; number++) {
        struct login one = *login;
        one.pins = &login->pins[number];
        one.pin_count = 1;
        char *before = snapshot();
        int code = transaction(&one);
        if (disturbs) disturb();
        char *after = snapshot();
        changes += snapshot_compare(before, after);
        puts(code_name(code));
        free(before);
        free(after);
    }
    printf("changes %d\n", changes);
    return changes != 0;
}

// scan FILE: looks for the patterns in FILE after a transaction with each PIN; first for one that it plants itself.
static int command_scan(const struct login *login, const char *file) {
    struct patterns patterns;
    patterns_read(&patterns, file);
    for (int number = 0; number < patterns.count; number++) {
        unsigned char *planted = pattern_plant(&patterns, number);
        patterns_search(&patterns, "planted");
        explicit_bzero(planted, (size_t)patterns.each[number].length);
        free(planted);
    }
    int sum = patterns_search(&patterns, "before");
    for (int number = 0; number < login->pin_count; number++) {
        struct login one = *login;
        one.pins = &login->pins[number];
        one.pin_count = 1;
        int code = transaction(&one);
        sum += patterns_search(&patterns, code_name(code));
    }
    printf("left %d\n", sum);
    return sum != 0;
}

int main(int count, const char **arguments) {
    if (count < 5) return 2;
    setvbuf(stdout, NULL, _IOLBF, 4096);
    char command[128];
    snprintf(command, sizeof command, "%s", arguments[1]);
    char *rest = command;
    const char *name = strsep(&rest, ",");
    for (const char *option; (option = strsep(&rest, ",")) != NULL;) {
        if (strcmp(option, "ignore-signals") == 0) {
            signal(SIGCHLD, SIG_IGN);
            signal(SIGPIPE, SIG_IGN);
        }
        if (strcmp(option, "no-locked-memory") == 0) setrlimit(RLIMIT_MEMLOCK, &(struct rlimit){0, 0});
        // What a set-uid program can do before it asks libpam.
        if (strcmp(option, "real-root") == 0 && setresuid(0, 0, 0) != 0) return 2;
        disturbs = disturbs || strcmp(option, "disturb") == 0;
    }
    int has_value = strcmp(name, "cycles") == 0 || strcmp(name, "threads") == 0 || strcmp(name, "scan") == 0
        || strcmp(name, "starve") == 0 || strcmp(name, "stack") == 0;
    const char *value = has_value && count > 5 ? arguments[5] : "1";
    int first = has_value ? 6 : 5;
    const struct login login = {
        arguments[2], arguments[3], arguments[4], arguments + first, count > first ? count - first : 0};
    if (strcmp(name, "try") == 0) return command_try(&login);
    if (strcmp(name, "handle") == 0) return command_handle(&login);
    if (strcmp(name, "cycles") == 0) return command_cycles(&login, atoi(value));
    if (strcmp(name, "fork") == 0) return command_fork(&login);
    if (strcmp(name, "fork-during") == 0) return command_fork_during(&login);
    if (strcmp(name, "threads") == 0) return command_threads(&login, atoi(value));
    if (strcmp(name, "snapshot") == 0) return command_snapshot(&login);
    if (strcmp(name, "starve") == 0) return command_starve(&login, value);
    if (strcmp(name, "stack") == 0) return command_stack(&login, atoi(value));
    if (strcmp(name, "scan") == 0) return command_scan(&login, value);
    return 2;
}
