// SPDX-License-Identifier: Apache-2.0
#include "CPostgreSQL.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <postgresql/libpq-fe.h>

#include "CMPinSystem.h"
#include "COpenSSL.h"

#define MPIN_LIBPQ(EACH) \
    EACH(connect, PQconnectdbParams) \
    EACH(finish, PQfinish) \
    EACH(status, PQstatus) \
    EACH(message, PQerrorMessage) \
    EACH(descriptor, PQsocket) \
    EACH(set_nonblocking, PQsetnonblocking) \
    EACH(set_receiver, PQsetNoticeReceiver) \
    EACH(get_cancel, PQgetCancel) \
    EACH(cancel, PQcancel) \
    EACH(free_cancel, PQfreeCancel) \
    EACH(send_prepare, PQsendPrepare) \
    EACH(send_prepared, PQsendQueryPrepared) \
    EACH(send_query, PQsendQuery) \
    EACH(flush, PQflush) \
    EACH(consume, PQconsumeInput) \
    EACH(is_busy, PQisBusy) \
    EACH(get_result, PQgetResult) \
    EACH(result_status, PQresultStatus) \
    EACH(field, PQresultErrorField) \
    EACH(clear, PQclear) \
    EACH(tuples, PQntuples) \
    EACH(fields, PQnfields) \
    EACH(changes, PQcmdTuples) \
    EACH(name, PQfname) \
    EACH(type, PQftype) \
    EACH(value, PQgetvalue) \
    EACH(length, PQgetlength) \
    EACH(is_null, PQgetisnull)

static struct {
    MPIN_LIBPQ(MPIN_LIBRARY_MEMBER)
} table;

extern char **environ;

// Removes the variables that libpq would read.
static void remove_variables(void) {
    for (char **entry = environ; entry != NULL && *entry != NULL;) {
        const char *end = strchr(*entry, '=');
        char name[64];
        size_t length = end == NULL ? 0 : (size_t)(end - *entry);
        if (strncmp(*entry, "PG", 2) != 0 || length == 0 || length >= sizeof name) {
            entry++;
            continue;
        }
        memcpy(name, *entry, length);
        name[length] = 0;
        unsetenv(name);
    }
}

static int start(void) {
    remove_variables();
    // Otherwise libpq is the first to use libcrypto, and exit() frees what a thread still uses that connects.
    return mpin_crypto_available() ? 0 : ENOMEM;
}

static struct mpin_library library = {
    .file = "libpq.so.5", .names = MPIN_LIBPQ(MPIN_LIBRARY_NAME), .table = &table, .start = start,
    .opening = PTHREAD_MUTEX_INITIALIZER};

struct mpin_pg {
    PGconn *connection;
    PGresult *result;
    int is_unconfirmed;
    char state[6];
    char error[512];
};

// A commit that no standby has confirmed succeeds with a warning, whose state is 01000. The only other warnings of that
// state that a commit may get say that transaction numbers are nearly used up. They come from two functions.
static void receive_notice(void *context, const PGresult *notice) {
    const char *state = table.field(notice, PG_DIAG_SQLSTATE);
    const char *function = table.field(notice, PG_DIAG_SOURCE_FUNCTION);
    if (state == NULL || strcmp(state, "01000") != 0) return;
    if (function != NULL && (strcmp(function, "GetNewTransactionId") == 0 || strcmp(function, "GetNewMultiXactId") == 0))
        return;
    ((struct mpin_pg *)context)->is_unconfirmed = 1;
}

// The most settings of a connection.
enum { MOST_SETTINGS = 32 };

struct mpin_pg *mpin_pg_connect(const char *settings, size_t length) {
    if (mpin_library_open(&library) != 0) return NULL;
    const char *keywords[MOST_SETTINGS + 1] = {NULL}, *values[MOST_SETTINGS + 1] = {NULL};
    const char *next = settings;
    for (int index = 0; index < MOST_SETTINGS && next < settings + length; index++) {
        keywords[index] = next;
        next += strlen(next) + 1;
        values[index] = next;
        next += strlen(next) + 1;
    }
    struct mpin_pg *made = calloc(1, sizeof *made);
    if (made == NULL) return NULL;
    made->connection = table.connect(keywords, values, 0);
    if (made->connection == NULL) {
        free(made);
        return NULL;
    }
    table.set_receiver(made->connection, receive_notice, made);
    if (mpin_pg_is_open(made)) table.set_nonblocking(made->connection, 1);
    return made;
}

int mpin_pg_is_open(const struct mpin_pg *connection) { return table.status(connection->connection) == CONNECTION_OK; }

static const char *copy_error(struct mpin_pg *connection, const char *text) {
    size_t length = strlen(text);
    if (length >= sizeof connection->error) length = sizeof connection->error - 1;
    while (length > 0 && text[length - 1] == '\n') length--;
    memcpy(connection->error, text, length);
    connection->error[length] = 0;
    return connection->error;
}

const char *mpin_pg_error(struct mpin_pg *connection) {
    const char *text =
        connection->result == NULL ? NULL : table.field(connection->result, PG_DIAG_MESSAGE_PRIMARY);
    return copy_error(connection, text != NULL ? text : table.message(connection->connection));
}

void mpin_pg_close(struct mpin_pg *connection) {
    table.clear(connection->result);
    table.finish(connection->connection);
    free(connection);
}

void mpin_pg_cancel(struct mpin_pg *connection) {
    PGcancel *cancel = table.get_cancel(connection->connection);
    if (cancel == NULL) return;
    char error[256];
    table.cancel(cancel, error, sizeof error);
    table.free_cancel(cancel);
}

int64_t mpin_pg_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

// Waits for the socket. Returns what can be done; 0 if there is no time left.
static int wait_for(const struct mpin_pg *connection, short events, int64_t deadline) {
    struct pollfd socket = {.fd = table.descriptor(connection->connection), .events = events};
    for (;;) {
        int64_t left = deadline - mpin_pg_now();
        int count = poll(&socket, 1, left < 0 ? 0 : left > INT32_MAX ? INT32_MAX : (int)left);
        if (count > 0) return socket.revents;
        if (count == 0) return 0;
        if (errno != EINTR) return POLLERR;
    }
}

static int send_all(struct mpin_pg *connection, int64_t deadline) {
    for (;;) {
        int left = table.flush(connection->connection);
        if (left == 0) return MPIN_PG_DONE;
        if (left < 0) return MPIN_PG_LOST;
        int ready = wait_for(connection, POLLIN | POLLOUT, deadline);
        if (ready == 0) return MPIN_PG_LATE;
        if ((ready & POLLIN) != 0 && !table.consume(connection->connection)) return MPIN_PG_LOST;
    }
}

// Waits for all results of what was sent, and keeps the last one, or the first that failed.
static int finish(struct mpin_pg *connection, int is_sent, int64_t deadline) {
    if (!is_sent) return mpin_pg_is_open(connection) ? MPIN_PG_FAILED : MPIN_PG_LOST;
    int sending = send_all(connection, deadline);
    if (sending != MPIN_PG_DONE) return sending;
    int outcome = MPIN_PG_DONE;
    for (;;) {
        while (table.is_busy(connection->connection)) {
            if (wait_for(connection, POLLIN, deadline) == 0) return MPIN_PG_LATE;
            if (!table.consume(connection->connection)) return MPIN_PG_LOST;
        }
        PGresult *next = table.get_result(connection->connection);
        if (next == NULL) break;
        if (outcome != MPIN_PG_DONE) {
            table.clear(next);
            continue;
        }
        table.clear(connection->result);
        connection->result = next;
        ExecStatusType status = table.result_status(next);
        if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) outcome = MPIN_PG_FAILED;
    }
    if (outcome == MPIN_PG_DONE) return connection->result == NULL ? MPIN_PG_LOST : outcome;
    const char *state = table.field(connection->result, PG_DIAG_SQLSTATE);
    if (state != NULL) memcpy(connection->state, state, strnlen(state, 5));
    return mpin_pg_is_open(connection) ? outcome : MPIN_PG_LOST;
}

static void begin(struct mpin_pg *connection) {
    table.clear(connection->result);
    connection->result = NULL;
    connection->is_unconfirmed = 0;
    memset(connection->state, 0, sizeof connection->state);
}

// The most parameters of a statement.
enum { MOST_PARAMETERS = 32 };

int mpin_pg_prepare(
    struct mpin_pg *connection, const char *name, const char *sql, const struct mpin_pg_parameter *parameters,
    int count, int64_t deadline) {
    begin(connection);
    Oid types[MOST_PARAMETERS];
    if (count > MOST_PARAMETERS) return MPIN_PG_FAILED;
    for (int index = 0; index < count; index++) types[index] = parameters[index].type;
    return finish(connection, table.send_prepare(connection->connection, name, sql, count, types), deadline);
}

int mpin_pg_run(
    struct mpin_pg *connection, const char *name, const struct mpin_pg_parameter *parameters, int count,
    int64_t deadline) {
    begin(connection);
    const char *values[MOST_PARAMETERS];
    int lengths[MOST_PARAMETERS], formats[MOST_PARAMETERS];
    if (count > MOST_PARAMETERS) return MPIN_PG_FAILED;
    for (int index = 0; index < count; index++) {
        values[index] = parameters[index].value;
        lengths[index] = parameters[index].length;
        formats[index] = 1;
    }
    return finish(
        connection, table.send_prepared(connection->connection, name, count, values, lengths, formats, 1), deadline);
}

int mpin_pg_run_text(struct mpin_pg *connection, const char *sql, int64_t deadline) {
    begin(connection);
    return finish(connection, table.send_query(connection->connection, sql), deadline);
}

const char *mpin_pg_state(struct mpin_pg *connection) { return connection->state; }
int mpin_pg_is_unconfirmed(const struct mpin_pg *connection) { return connection->is_unconfirmed; }

int mpin_pg_rows(const struct mpin_pg *connection) { return table.tuples(connection->result); }
int mpin_pg_columns(const struct mpin_pg *connection) { return table.fields(connection->result); }
int64_t mpin_pg_changes(const struct mpin_pg *connection) { return strtoll(table.changes(connection->result), NULL, 10); }
const char *mpin_pg_name(const struct mpin_pg *connection, int column) { return table.name(connection->result, column); }
uint32_t mpin_pg_type(const struct mpin_pg *connection, int column) { return table.type(connection->result, column); }

const uint8_t *mpin_pg_value(const struct mpin_pg *connection, int row, int column, int *length) {
    if (table.is_null(connection->result, row, column)) return NULL;
    *length = table.length(connection->result, row, column);
    return (const uint8_t *)table.value(connection->result, row, column);
}
