// SPDX-License-Identifier: Apache-2.0

// The functions of libtss2-esys that are used, typed by its own header.
#ifndef CTPM_ESYS_H
#define CTPM_ESYS_H

#include <tss2/tss2_esys.h>

#include "CMPinSystem.h"

#define MPIN_ESYS(EACH) \
    EACH(initialize, Esys_Initialize) \
    EACH(finalize, Esys_Finalize) \
    EACH(free, Esys_Free) \
    EACH(from_public, Esys_TR_FromTPMPublic) \
    EACH(name, Esys_TR_GetName) \
    EACH(create_primary, Esys_CreatePrimary) \
    EACH(create, Esys_Create) \
    EACH(load, Esys_Load) \
    EACH(sign, Esys_Sign) \
    EACH(unseal, Esys_Unseal) \
    EACH(flush, Esys_FlushContext)

struct mpin_esys {
    MPIN_ESYS(MPIN_LIBRARY_MEMBER)
};

// Returns the table, filled on first use; NULL and an errno if libtss2 cannot be loaded or is too old.
const struct mpin_esys *mpin_esys(int *error);

#endif
