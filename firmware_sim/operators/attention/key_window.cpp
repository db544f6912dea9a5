// SPDX-License-Identifier: MIT
/*
 * DOC: Windows of attention
 *
 * Each mode is a band of keys around a diagonal. The diagonal begins at the first query and the first key, or
 * it ends at the last query and the last key.
 */
#include "key_window.h"

#include <algorithm>

#include "attention.h"

namespace fw::tensor {

namespace {

/* More than any number of keys. The sum of two such values still fits into the type. */
constexpr int64_t FAR = int64_t{1} << 60;

bool are_lengths(std::span<const int64_t> lengths, int64_t batches, int64_t most)
{
	if (lengths.empty())
		return true;
	if (static_cast<int64_t>(lengths.size()) != batches)
		return false;
	return std::all_of(lengths.begin(), lengths.end(),
			   [most](int64_t length) { return length >= 0 && length <= most; });
}

int64_t length_of(std::span<const int64_t> lengths, int64_t batch, int64_t all)
{
	return lengths.empty() ? all : lengths[static_cast<size_t>(batch)];
}

} // namespace

bool Window::is_good(const Call &call)
{
	const View &query = call.view(QUERY), &key = call.view(KEY);
	const int64_t mode = call.integer(SPARSE_MODE);
	return mode >= SPARSE_BAND && mode <= SPARSE_SHIFTED_BAND &&
	       are_lengths(call.integers(LENGTHS), query.dims[0], query.dims[2]) &&
	       are_lengths(call.integers(KEY_LENGTHS), query.dims[0], key.dims[2]);
}

Window::Window(const Call &call, int64_t batch)
	: mode_(call.integer(SPARSE_MODE)),
	  queries_(length_of(call.integers(LENGTHS), batch, call.view(QUERY).dims[2])),
	  keys_(length_of(call.integers(KEY_LENGTHS), batch, call.view(KEY).dims[2])), before_(FAR),
	  behind_(FAR)
{
	if (mode_ == SPARSE_SHIFTED_BAND || (mode_ == SPARSE_BAND && call.has(MASK))) {
		before_ = std::clamp(call.integer(BEFORE), -FAR, FAR);
		behind_ = std::clamp(call.integer(BEHIND), -FAR, FAR);
	} else if (mode_ == SPARSE_LEFT_UP || mode_ == SPARSE_RIGHT_DOWN) {
		behind_ = 0;
	}
}

Keys Window::keys_of(int64_t query) const
{
	if (query >= queries_)
		return {0, 0};
	const bool is_shifted = mode_ == SPARSE_RIGHT_DOWN || mode_ == SPARSE_SHIFTED_BAND;
	const int64_t own = is_shifted ? query + keys_ - queries_ : query;
	return {std::max<int64_t>(0, own - before_), std::min(keys_, own + behind_ + 1)};
}

} // namespace fw::tensor
