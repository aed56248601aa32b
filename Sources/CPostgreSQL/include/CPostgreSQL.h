// SPDX-License-Identifier: Apache-2.0

// Connections to PostgreSQL with libpq, an optional library that is opened for the first one.
//
// Only connecting and canceling block without a deadline of the caller.
#ifndef CPOSTGRESQL_H
#define CPOSTGRESQL_H

#include <stddef.h>
#include <stdint.h>

struct mpin_pg;

// A parameter in PostgreSQL's binary format. value is NULL for null.
struct mpin_pg_parameter {
    uint32_t type;
    int length;
    const void *value;
};

// Connects. The environment of the process is not used: its PG variables are removed first.
//
// settings: keywords of PQconnectdbParams, each followed by its value, and each of these ended by a NUL.
// Returns NULL if the library is missing, or if there is no memory; otherwise a connection, which may have failed.
struct mpin_pg *mpin_pg_connect(const char *settings, size_t length);

// Whether the connection works, as far as is known without using it.
int mpin_pg_is_open(const struct mpin_pg *connection);

// The last error of the connection, without a newline at its end.
const char *mpin_pg_error(struct mpin_pg *connection);

void mpin_pg_close(struct mpin_pg *connection);

// Asks the server to end the running statement. Blocks.
void mpin_pg_cancel(struct mpin_pg *connection);

enum { MPIN_PG_DONE, MPIN_PG_FAILED, MPIN_PG_LOST, MPIN_PG_LATE };

// Prepares a statement under a name.
//
// deadline: in milliseconds of CLOCK_MONOTONIC.
// Returns MPIN_PG_FAILED if the server refuses it, MPIN_PG_LOST if the connection is lost, and MPIN_PG_LATE if there is
// no answer in time. After the last two, only canceling and closing are possible.
int mpin_pg_prepare(
    struct mpin_pg *connection, const char *name, const char *sql, const struct mpin_pg_parameter *parameters,
    int count, int64_t deadline);

// Runs a prepared statement. Its result stays until the next statement.
int mpin_pg_run(
    struct mpin_pg *connection, const char *name, const struct mpin_pg_parameter *parameters, int count,
    int64_t deadline);

// Runs statements without parameters. The result is that of the last one.
int mpin_pg_run_text(struct mpin_pg *connection, const char *sql, int64_t deadline);

// The SQLSTATE of the last statement that failed; "" if there is none.
const char *mpin_pg_state(struct mpin_pg *connection);
// Whether the last statement succeeded with a warning of class 01000: a commit that no standby has confirmed.
int mpin_pg_is_unconfirmed(const struct mpin_pg *connection);

int mpin_pg_rows(const struct mpin_pg *connection);
int mpin_pg_columns(const struct mpin_pg *connection);
// How many rows the last statement has changed.
int64_t mpin_pg_changes(const struct mpin_pg *connection);
const char *mpin_pg_name(const struct mpin_pg *connection, int column);
uint32_t mpin_pg_type(const struct mpin_pg *connection, int column);
// NULL for null.
const uint8_t *mpin_pg_value(const struct mpin_pg *connection, int row, int column, int *length);

// Now, for deadlines.
int64_t mpin_pg_now(void);

#endif
