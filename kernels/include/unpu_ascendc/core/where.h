/* SPDX-License-Identifier: MIT */
/*
 * DOC: Where
 *
 * The place of a call in the user's own source. Functions of the language take one as their last parameter, with a
 * default argument that the compiler evaluates at the call. A struct of its own is used, so that no argument of the
 * user converts to it.
 */
#ifndef UNPU_ASCENDC_CORE_WHERE_H
#define UNPU_ASCENDC_CORE_WHERE_H

#include <stdint.h>

namespace unpu::lang {

struct Where {
	const char *file;
	uint64_t line; /* with all bits in use, calls pass two constants */

	static constexpr Where here(const char *file = __builtin_FILE(),
				    uint32_t line = __builtin_LINE())
	{
		return {file, line};
	}
};

} // namespace unpu::lang

/* The last parameter of each function that can fail. */
#define UNPU_WHERE ::unpu::lang::Where where = ::unpu::lang::Where::here()

#endif /* UNPU_ASCENDC_CORE_WHERE_H */
