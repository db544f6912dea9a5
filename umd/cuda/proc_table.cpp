// SPDX-License-Identifier: MIT
/**
 * DOC: Names and addresses of the entry points
 *
 * The interface's headers rename functions to their newest symbol, so this file does not include them.
 */
#include "proc_table.h"

#include <algorithm>
#include <cstring>
#include <iterator>

extern "C" {
#define CUDA_DECLARE(name, version, stream, symbol) void symbol();
CUDA_ENTRY_POINTS(CUDA_DECLARE)
#undef CUDA_DECLARE
}

namespace umd::cuda {

namespace {

enum class Null { LEGACY, THREAD };

struct Row {
	const char *name;
	int version;
	Null stream;
	void (*function)();
};

/* Sorted by name; rows of a name: first the LEGACY rows, then the THREAD rows, each sorted by
 * version. */
constexpr Row ROWS[] = {
#define CUDA_ROW(name, version, stream, symbol) {#name, version, Null::stream, symbol},
	CUDA_ENTRY_POINTS(CUDA_ROW)
#undef CUDA_ROW
};

} // namespace

EntryPoint find_entry_point(const char *name, int version, bool thread)
{
	const Row *row = std::lower_bound(
		std::begin(ROWS), std::end(ROWS), name,
		[](const Row &left, const char *right) { return strcmp(left.name, right) < 0; });
	EntryPoint found;
	for (; row != std::end(ROWS) && strcmp(row->name, name) == 0; row++) {
		found.is_known = true;
		if (row->version <= version && (row->stream == Null::LEGACY || thread))
			found.function = row->function;
	}
	return found;
}

} // namespace umd::cuda
