// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CTerminal.h"

#include <locale.h>
#include <wchar.h>

int mpin_terminal_columns(uint32_t character) {
    static locale_t utf8;
    if (!utf8) utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    if (!utf8) return 1;
    locale_t former = uselocale(utf8);
    int count = wcwidth((wchar_t)character);
    uselocale(former);
    return count < 0 ? 1 : count;
}
