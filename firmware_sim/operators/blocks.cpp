// SPDX-License-Identifier: MIT
/*
 * DOC: Blocks of elements
 *
 * Dims of size 1 are dropped. The other dims are sorted by the strides of the result. Neighbouring dims are
 * merged if they are contiguous in every view. So a kernel mostly sees one long row, whatever the rank, and a
 * permuted result is still written in the order of its memory.
 */
#include "blocks.h"

#include <algorithm>
#include <cstdlib>

namespace fw::tensor {

namespace {

/* struct Dim - one dimension of all views, strides in bytes. */
struct Dim {
	int64_t size;
	std::array<int64_t, Blocks::MAX_VIEWS> strides;
};

bool follows(const Dim &outer, const Dim &inner, unsigned count)
{
	for (unsigned k = 0; k < count; k++)
		if (outer.strides[k] != inner.strides[k] * inner.size)
			return false;
	return true;
}

} // namespace

Blocks::Blocks(const View *const *views, unsigned count)
{
	std::array<Dim, MAX_DIMS> dims;
	unsigned ndim = 0;
	for (unsigned d = 0; d < views[0]->ndim; d++) {
		const int64_t size = views[0]->dims[d];
		count_ *= static_cast<uint64_t>(size);
		if (size == 1)
			continue;
		Dim &dim = dims[ndim++];
		dim.size = size;
		for (unsigned k = 0; k < count; k++)
			dim.strides[k] = views[k]->strides[d] *
					 static_cast<int64_t>(element_bits(views[k]->dtype) / 8);
	}
	std::stable_sort(dims.begin(), dims.begin() + ndim, [](const Dim &a, const Dim &b) {
		return std::abs(a.strides[0]) > std::abs(b.strides[0]);
	});
	unsigned kept = 0;
	for (unsigned d = 0; d < ndim; d++) {
		if (kept > 0 && follows(dims[kept - 1], dims[d], count)) {
			dims[kept - 1].strides = dims[d].strides;
			dims[kept - 1].size *= dims[d].size;
		} else {
			dims[kept++] = dims[d];
		}
	}
	for (unsigned k = 0; k < count; k++) {
		types_[k] = views[k]->dtype;
		data_[k] = views[k]->data;
		inner_[k] = element_bits(views[k]->dtype) / 8;
	}
	if (kept == 0 || count_ == 0)
		return;
	ndim_ = kept - 1;
	row_ = static_cast<uint64_t>(dims[ndim_].size);
	for (unsigned k = 0; k < count; k++) {
		inner_[k] = dims[ndim_].strides[k];
		for (unsigned d = 0; d < ndim_; d++)
			strides_[k][d] = dims[d].strides[k];
	}
	for (unsigned d = 0; d < ndim_; d++)
		dims_[d] = static_cast<uint64_t>(dims[d].size);
}

int64_t Blocks::offset(unsigned view, uint64_t first) const
{
	if (ndim_ == 0)
		return static_cast<int64_t>(first) * inner_[view];
	uint64_t row = first / row_;
	int64_t bytes = static_cast<int64_t>(first % row_) * inner_[view];
	for (unsigned d = ndim_; d-- > 0 && row != 0;) {
		bytes += static_cast<int64_t>(row % dims_[d]) * strides_[view][d];
		row /= dims_[d];
	}
	return bytes;
}

/* Calls @row for the part of each row that lies in the span. */
template <class Row> void Blocks::walk(unsigned view, uint64_t first, size_t n, Row row) const
{
	std::array<uint64_t, MAX_DIMS> at{};
	uint64_t rows = first / row_;
	int64_t bytes = 0;
	for (unsigned d = ndim_; d-- > 0;) {
		at[d] = rows % dims_[d];
		rows /= dims_[d];
		bytes += static_cast<int64_t>(at[d]) * strides_[view][d];
	}
	uint64_t in_row = first % row_;
	for (size_t done = 0; done < n;) {
		const auto take = static_cast<size_t>(std::min<uint64_t>(n - done, row_ - in_row));
		row(data_[view] + bytes + static_cast<int64_t>(in_row) * inner_[view], done, take);
		done += take;
		in_row = 0;
		for (unsigned d = ndim_; d-- > 0;) {
			bytes += strides_[view][d];
			if (++at[d] < dims_[d])
				break;
			bytes -= static_cast<int64_t>(at[d]) * strides_[view][d];
			at[d] = 0;
		}
	}
}

template <class C> void Blocks::load(unsigned view, uint64_t first, size_t n, C *to) const
{
	const uint32_t type = types_[view];
	const int64_t stride = inner_[view];
	walk(view, first, n, [=](const std::byte *from, size_t done, size_t take) {
		load_row<C>(type, from, stride, take, to + done);
	});
}

template <class C> void Blocks::store(unsigned view, uint64_t first, size_t n, const C *from) const
{
	const uint32_t type = types_[view];
	const int64_t stride = inner_[view];
	walk(view, first, n, [=](std::byte *to, size_t done, size_t take) {
		store_row<C>(type, to, stride, take, from + done);
	});
}

void Blocks::gather(unsigned view, uint64_t first, size_t n, std::byte *to) const
{
	const unsigned bytes = element_bits(types_[view]) / 8;
	const int64_t stride = inner_[view];
	walk(view, first, n, [=](const std::byte *from, size_t done, size_t take) {
		copy_row(to + done * bytes, bytes, from, stride, take, bytes);
	});
}

void Blocks::scatter(unsigned view, uint64_t first, size_t n, const std::byte *from) const
{
	const unsigned bytes = element_bits(types_[view]) / 8;
	const int64_t stride = inner_[view];
	walk(view, first, n, [=](std::byte *to, size_t done, size_t take) {
		copy_row(to, stride, from + done * bytes, bytes, take, bytes);
	});
}

template void Blocks::load(unsigned, uint64_t, size_t, float *) const;
template void Blocks::load(unsigned, uint64_t, size_t, double *) const;
template void Blocks::load(unsigned, uint64_t, size_t, int64_t *) const;
template void Blocks::store(unsigned, uint64_t, size_t, const float *) const;
template void Blocks::store(unsigned, uint64_t, size_t, const double *) const;
template void Blocks::store(unsigned, uint64_t, size_t, const int64_t *) const;

} // namespace fw::tensor
