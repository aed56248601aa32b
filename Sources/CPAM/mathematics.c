// SPDX-License-Identifier: Apache-2.0

// Functions of libm that the Swift runtime refers to and the module never calls.
//
// Linking libm would make every host load it and resolve fifty symbols together with the module. Instead, the functions
// are looked up when they are called.

#include <dlfcn.h>
#include <stddef.h>

#define HIDDEN __attribute__((visibility("hidden")))

static void *find(const char *name) {
    void *library = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL);
    return library == NULL ? NULL : dlsym(library, name);
}

#define ONE(type, name) \
    HIDDEN type name(type x) { \
        type (*function)(type) = (type (*)(type))find(#name); \
        return function == NULL ? (type)__builtin_nan("") : function(x); \
    }
#define TWO(type, name) \
    HIDDEN type name(type x, type y) { \
        type (*function)(type, type) = (type (*)(type, type))find(#name); \
        return function == NULL ? (type)__builtin_nan("") : function(x, y); \
    }
#define THREE(type, name) \
    HIDDEN type name(type x, type y, type z) { \
        type (*function)(type, type, type) = (type (*)(type, type, type))find(#name); \
        return function == NULL ? (type)__builtin_nan("") : function(x, y, z); \
    }
#define EACH(count, name) count(double, name) count(float, name##f) count(long double, name##l)

EACH(ONE, ceil)
EACH(ONE, cos)
EACH(ONE, exp)
EACH(ONE, exp2)
EACH(ONE, floor)
EACH(ONE, log)
EACH(ONE, log10)
EACH(ONE, log2)
EACH(ONE, nearbyint)
EACH(ONE, rint)
EACH(ONE, round)
EACH(ONE, sin)
EACH(ONE, sqrt)
EACH(ONE, trunc)
EACH(TWO, fmod)
EACH(TWO, remainder)
EACH(THREE, fma)
