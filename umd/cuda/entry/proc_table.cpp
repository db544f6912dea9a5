// SPDX-License-Identifier: MIT
/**
 * DOC: Names and addresses of the entry points
 *
 * The interface's headers rename functions to their newest symbol, so this file does not include them.
 */
#include "proc_table.h"

#include <algorithm>
#include <cstring>
#include <span>

extern "C" {
#define CUDA_DECLARE(name, version, stream, symbol) void symbol();
CUDA_ENTRY_POINTS(CUDA_DECLARE)
#undef CUDA_DECLARE
#define CUDA_DECLARE(name, version, stream, symbol, reason) void symbol();
CUDA_REFUSED_POINTS(CUDA_DECLARE)
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

/* Both tables are sorted by name. Of the rows of one name, the LEGACY rows come first and then the THREAD
 * rows, each sorted by version. Each name is in only one of the two tables. */
constexpr Row ROWS[] = {
#define CUDA_ROW(name, version, stream, symbol) {#name, version, Null::stream, symbol},
	CUDA_ENTRY_POINTS(CUDA_ROW)
#undef CUDA_ROW
};
constexpr Row REFUSED_ROWS[] = {
#define CUDA_ROW(name, version, stream, symbol, reason) {#name, version, Null::stream, symbol},
	CUDA_REFUSED_POINTS(CUDA_ROW)
#undef CUDA_ROW
};

} // namespace

static EntryPoint find_in(std::span<const Row> rows, const char *name, int version, bool thread)
{
	auto row = std::lower_bound(
		rows.begin(), rows.end(), name,
		[](const Row &left, const char *right) { return strcmp(left.name, right) < 0; });
	EntryPoint found;
	for (; row != rows.end() && strcmp(row->name, name) == 0; row++) {
		found.is_known = true;
		if (row->version <= version && (row->stream == Null::LEGACY || thread))
			found.function = row->function;
	}
	return found;
}

EntryPoint find_entry_point(const char *name, int version, bool thread)
{
	const EntryPoint found = find_in(ROWS, name, version, thread);
	return found.is_known ? found : find_in(REFUSED_ROWS, name, version, thread);
}

} // namespace umd::cuda
