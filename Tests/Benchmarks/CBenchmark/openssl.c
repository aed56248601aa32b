// SPDX-License-Identifier: Apache-2.0
#include "CBenchmark.h"

#include <dlfcn.h>
#include <stddef.h>

typedef struct bignum BIGNUM;
typedef struct context BN_CTX;
typedef struct group EC_GROUP;
typedef struct point EC_POINT;

static struct {
    EC_GROUP *group;
    EC_POINT *base, *result;
    BIGNUM *scalar;
    BN_CTX *context;
    int (*multiply)(const EC_GROUP *, EC_POINT *, const BIGNUM *, const EC_POINT *, const BIGNUM *, BN_CTX *);
} state;

static int prepare(void) {
    void *library = dlopen("libcrypto.so.3", RTLD_NOW);
    if (library == NULL)
        return -1;
    int (*number)(BIGNUM **, const char *) = dlsym(library, "BN_hex2bn");
    BN_CTX *(*context)(void) = dlsym(library, "BN_CTX_new");
    EC_GROUP *(*group)(const BIGNUM *, const BIGNUM *, const BIGNUM *, BN_CTX *) =
        dlsym(library, "EC_GROUP_new_curve_GFp");
    EC_POINT *(*point)(const EC_GROUP *) = dlsym(library, "EC_POINT_new");
    int (*place)(const EC_GROUP *, EC_POINT *, const BIGNUM *, const BIGNUM *, BN_CTX *) =
        dlsym(library, "EC_POINT_set_affine_coordinates");
    int (*generate)(EC_GROUP *, const EC_POINT *, const BIGNUM *, const BIGNUM *) =
        dlsym(library, "EC_GROUP_set_generator");
    state.multiply = dlsym(library, "EC_POINT_mul");
    if (!number || !context || !group || !point || !place || !generate || !state.multiply)
        return -1;

    BIGNUM *p = NULL, *a = NULL, *b = NULL, *x = NULL, *y = NULL, *order = NULL, *cofactor = NULL;
    number(&p, "2400000008702A0DB0BDDF647A6366D3243FD6EE18093EE1BE6623EF5C1B55B3");
    number(&a, "0");
    number(&b, "2");
    number(&x, "2400000008702A0DB0BDDF647A6366D3243FD6EE18093EE1BE6623EF5C1B55B2");
    number(&y, "1");
    number(&order, "2400000008702A0DB0BDDF647A6366D2C43FD6EE0CC906CEBE11C0A636EB1F6D");
    number(&cofactor, "1");
    number(&state.scalar, "1123456789ABCDEF13579BDF02468ACEFEDCBA09876543211234567890ABCDEF");
    state.context = context();
    state.group = group(p, a, b, state.context);
    if (state.group == NULL)
        return -1;
    state.base = point(state.group);
    state.result = point(state.group);
    // Without order and cofactor EC_POINT_mul takes a faster way that is not constant-time.
    return place(state.group, state.base, x, y, state.context) == 1 &&
                   generate(state.group, state.base, order, cofactor) == 1
               ? 0
               : -1;
}

int mpin_openssl_multiply(unsigned count) {
    if (state.base == NULL && prepare() != 0) {
        state.base = NULL;
        return -1;
    }
    for (unsigned index = 0; index < count; index++)
        if (state.multiply(state.group, state.result, NULL, state.base, state.scalar, state.context) != 1)
            return -1;
    return 0;
}
