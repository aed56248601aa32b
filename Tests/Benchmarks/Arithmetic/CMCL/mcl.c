// SPDX-License-Identifier: Apache-2.0
#include "CMCL.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

// More than any number, point or pairing value of the library takes.
typedef struct { _Alignas(16) uint64_t words[128]; } Value;

static struct {
    int (*random)(Value *);
    int (*hash1)(Value *, const void *, size_t), (*hash2)(Value *, const void *, size_t);
    void (*multiply1)(Value *, const Value *, const Value *), (*multiply2)(Value *, const Value *, const Value *);
    void (*prepare)(uint64_t *, const Value *);
    void (*loop)(Value *, const Value *, const uint64_t *, const Value *, const uint64_t *);
    void (*power)(Value *, const Value *);
    Value scalar, point, twist, value;
    uint64_t lines[65536];
} mcl;

static int use(void *library, int variant) {
    int (*init)(int, int) = dlsym(library, "mclBn_init");
    int (*size)(void) = dlsym(library, "mclBn_getUint64NumToPrecompute");
    mcl.random = dlsym(library, "mclBnFr_setByCSPRNG");
    mcl.hash1 = dlsym(library, "mclBnG1_hashAndMapTo");
    mcl.hash2 = dlsym(library, "mclBnG2_hashAndMapTo");
    mcl.multiply1 = dlsym(library, "mclBnG1_mulCT");
    mcl.multiply2 = dlsym(library, "mclBnG2_mulCT");
    mcl.prepare = dlsym(library, "mclBn_precomputeG2");
    mcl.loop = dlsym(library, "mclBn_precomputedMillerLoop2");
    mcl.power = dlsym(library, "mclBn_finalExp");
    if (!init || !size || !mcl.random || !mcl.hash1 || !mcl.hash2 || !mcl.multiply1 || !mcl.multiply2 || !mcl.prepare ||
        !mcl.loop || !mcl.power)
        return -1;
    const int bn254 = 0;
    if (init(bn254, variant) != 0 || size() <= 0 || (size_t)size() > sizeof mcl.lines / sizeof mcl.lines[0])
        return -1;
    if (mcl.random(&mcl.scalar) != 0 || mcl.hash1(&mcl.point, "point", 5) != 0 || mcl.hash2(&mcl.twist, "twist", 5) != 0)
        return -1;
    mcl.prepare(mcl.lines, &mcl.twist);
    mpin_mcl_run(3);
    return 0;
}

int mpin_mcl_open(const char *directory) {
    // The variant is ten times the limbs of a scalar and those of a coordinate, as the library was built.
    const struct { const char *name; int variant; } builds[] = {{"libmclbn256.so", 44}, {"libmclbn384_256.so", 46}};
    for (int build = 0; build < 2; build++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/lib/%s", directory, builds[build].name);
        void *library = dlopen(path, RTLD_NOW);
        if (library != NULL && use(library, builds[build].variant) == 0)
            return 0;
    }
    fprintf(stderr, "MPIN_MCL: %s/lib has no libmclbn256.so or libmclbn384_256.so that can be used\n", directory);
    return -1;
}

void mpin_mcl_run(int operation) {
    static uint64_t number;
    switch (operation) {
    case 0:
        mcl.multiply1(&mcl.point, &mcl.point, &mcl.scalar);
        break;
    case 1:
        mcl.multiply2(&mcl.twist, &mcl.twist, &mcl.scalar);
        break;
    case 2:
        number++;
        mcl.hash1(&mcl.point, &number, sizeof number);
        break;
    case 3:
        mcl.loop(&mcl.value, &mcl.point, mcl.lines, &mcl.point, mcl.lines);
        mcl.power(&mcl.value, &mcl.value);
        break;
    default:
        mcl.power(&mcl.value, &mcl.value);
        break;
    }
}
