#include "CPAM.h"

#include <stdlib.h>

static const char memory_name[] = "pam_mpin attempts";
static const char kept_name[] = "pam_mpin kept";

int cpam_memory(pam_handle_t *handle) {
    const void *data = NULL;
    return pam_get_data(handle, memory_name, &data) == PAM_SUCCESS ? (int)(intptr_t)data : 0;
}

void cpam_set_memory(pam_handle_t *handle, int value) {
    (void)pam_set_data(handle, memory_name, (void *)(intptr_t)value, NULL);
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

int cpam_keep(pam_handle_t *handle, void *object, void (*drop)(void *object)) {
    struct kept *kept = malloc(sizeof *kept);
    if (kept == NULL) return 0;
    kept->object = object;
    kept->drop = drop;
    if (pam_set_data(handle, kept_name, kept, drop_kept) == PAM_SUCCESS) return 1;
    free(kept);
    return 0;
}

void *cpam_kept(pam_handle_t *handle) {
    const void *data = NULL;
    if (pam_get_data(handle, kept_name, &data) != PAM_SUCCESS || data == NULL) return NULL;
    return ((const struct kept *)data)->object;
}
