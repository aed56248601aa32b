// SPDX-License-Identifier: Apache-2.0
#include "CPAM.h"

#include <stdio.h>
#include <stdlib.h>

enum { name_size = 320 };

static const char kept_name[] = "pam_mpin kept";

static void write_memory_name(char *name, const char *account) {
    snprintf(name, name_size, "pam_mpin attempts of %s", account);
}

int mpin_pam_memory(pam_handle_t *handle, const char *account) {
    char name[name_size];
    const void *data = NULL;
    write_memory_name(name, account);
    return pam_get_data(handle, name, &data) == PAM_SUCCESS ? (int)(intptr_t)data : 0;
}

void mpin_pam_set_memory(pam_handle_t *handle, const char *account, int value) {
    char name[name_size];
    write_memory_name(name, account);
    (void)pam_set_data(handle, name, (void *)(intptr_t)value, NULL);
}

struct kept {
    void *object;
    void (*drop)(void *object);
};

static void drop_kept(pam_handle_t *handle, void *data, int status) {
    (void)handle;
    (void)status;
    struct kept *kept = data;
    kept->drop(kept->object);
    free(kept);
}

int mpin_pam_keep(pam_handle_t *handle, void *object, void (*drop)(void *object)) {
    struct kept *kept = malloc(sizeof *kept);
    if (kept == NULL) return 0;
    kept->object = object;
    kept->drop = drop;
    if (pam_set_data(handle, kept_name, kept, drop_kept) == PAM_SUCCESS) return 1;
    free(kept);
    return 0;
}

void *mpin_pam_kept(pam_handle_t *handle) {
    const void *data = NULL;
    if (pam_get_data(handle, kept_name, &data) != PAM_SUCCESS || data == NULL) return NULL;
    return ((const struct kept *)data)->object;
}
