// SPDX-License-Identifier: MIT
/*
 * DOC: Rows of function types
 *
 * A C name has no types in it, so a changed parameter links and then misbehaves. The types are
 * written out in the tests once more; the compiler compares.
 */
#pragma once

#include <type_traits>

/* SAME - a declared function has exactly this type. */
#define SAME(name, ...) \
	static_assert(std::is_same_v<decltype(name), __VA_ARGS__>, #name " has another type")
