// SPDX-License-Identifier: MIT
#pragma once

/**
 * HOT_PATH - before the definition of a function that each task passes, from the call to the end of its wait.
 *
 * The linker puts these functions side by side. After a pause no code is in the caches and no page of it in the
 * processor's table of addresses. The first task needs six pages of code then, not thirty.
 */
#define HOT_PATH [[gnu::hot]]
