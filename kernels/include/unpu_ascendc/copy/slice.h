/* SPDX-License-Identifier: MIT */
/*
 * DOC: Copies of slices
 *
 * DataCopy with SliceInfo copies a part of a tensor of several dimensions. Entry 0 is about the innermost one: runs of
 * burstLen blocks of 32 bytes from startIndex to endIndex, with a gap of stride elements. In the other dimensions a run
 * is one element long.
 */
#ifndef UNPU_ASCENDC_COPY_SLICE_H
#define UNPU_ASCENDC_COPY_SLICE_H

#include "unpu_ascendc/copy/move.h"

namespace unpu::lang {

inline constexpr uint32_t SLICE_DIMENSIONS = 8;

/* Walks over the runs of a slice in their order. */
template <class T> struct SliceWalk {
	const AscendC::SliceInfo *infos;
	uint32_t dims;
	uint32_t at[SLICE_DIMENSIONS] = {};

	SliceWalk(const AscendC::SliceInfo *of, uint32_t count) : infos(of), dims(count)
	{
		for (uint32_t d = 0; d < dims; d++)
			at[d] = infos[d].startIndex;
	}
	uint32_t run(uint32_t d) const { return d == 0 ? infos[0].burstLen * per_block<T> : 1; }
	uint64_t runs() const
	{
		uint64_t count = 1;

		for (uint32_t d = 0; d < dims; d++)
			count *= (infos[d].endIndex + 1 - infos[d].startIndex + infos[d].stride) /
				 (run(d) + infos[d].stride);
		return count;
	}
	/* The offset of the run, in elements. */
	uint64_t offset() const
	{
		uint64_t step = 1;
		uint64_t sum = 0;

		for (uint32_t d = 0; d < dims; d++) {
			sum += at[d] * step;
			step *= infos[d].shapeValue;
		}
		return sum;
	}
	void next()
	{
		for (uint32_t d = 0; d < dims; d++) {
			at[d] += run(d) + infos[d].stride;
			if (at[d] + run(d) <= infos[d].endIndex + 1)
				return;
			at[d] = infos[d].startIndex;
		}
	}
};

template <class T>
inline void require_slice(const char *name, const AscendC::SliceInfo *infos, uint32_t dims,
			  Where where)
{
	if (level() == 0)
		return;
	if (dims == 0 || dims > SLICE_DIMENSIONS)
		fail(where, "DataCopy: dimValue is %u; it has to be 1 to %u", dims,
		     SLICE_DIMENSIONS);
	for (uint32_t d = 0; d < dims; d++) {
		const AscendC::SliceInfo &of = infos[d];
		const uint64_t run = d == 0 ? uint64_t(of.burstLen) * per_block<T> : 1;
		const uint64_t wide = uint64_t(of.endIndex) + 1 - of.startIndex;

		if (of.startIndex > of.endIndex || of.endIndex >= of.shapeValue)
			fail(where,
			     "DataCopy: dimension %u of %s goes from %u to %u, but has %u elements",
			     d, name, of.startIndex, of.endIndex, of.shapeValue);
		if (run == 0 || (wide + of.stride) % (run + of.stride) != 0)
			fail(where,
			     "DataCopy: dimension %u of %s has %llu elements from startIndex to "
			     "endIndex, which are no whole runs of %llu with gaps of %u",
			     d, name, static_cast<unsigned long long>(wide),
			     static_cast<unsigned long long>(run), of.stride);
	}
}

/* Calls @copy(offset in dst, offset in src) for each run. Both slices have the same number of runs. */
template <class T, class Copy>
inline void for_each_run_of_slices(const AscendC::SliceInfo *dst, const AscendC::SliceInfo *src,
				   uint32_t dims, Where where, Copy copy)
{
	require_slice<T>("dst", dst, dims, where);
	require_slice<T>("src", src, dims, where);
	SliceWalk<T> to(dst, dims), from(src, dims);
	const uint64_t runs = from.runs();

	if ((to.runs() != runs || dst[0].burstLen != src[0].burstLen) && level() > 0)
		fail(where,
		     "DataCopy: the slice of dst has %llu runs of %u blocks, that of src %llu runs "
		     "of %u",
		     static_cast<unsigned long long>(to.runs()), dst[0].burstLen,
		     static_cast<unsigned long long>(runs), src[0].burstLen);
	for (uint64_t i = 0; i < runs; i++, to.next(), from.next())
		copy(to.offset(), from.offset());
}

} // namespace unpu::lang

namespace AscendC {

template <typename T>
void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const SliceInfo dstSlice[],
	      const SliceInfo srcSlice[], const uint32_t dimValue = 1, UNPU_WHERE)
{
	const unpu::lang::Blocks run = {1, uint64_t(srcSlice[0].burstLen) * 32};

	unpu::lang::for_each_run_of_slices<T>(
		dstSlice, srcSlice, dimValue, where, [&](uint64_t to, uint64_t from) {
			unpu::lang::copy_in("DataCopy", dst[static_cast<uint32_t>(to)], run.bytes,
					    src[from], run.bytes, run, where);
		});
}
template <typename T>
void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const SliceInfo dstSlice[],
	      const SliceInfo srcSlice[], const uint32_t dimValue = 1, UNPU_WHERE)
{
	const unpu::lang::Blocks run = {1, uint64_t(srcSlice[0].burstLen) * 32};

	unpu::lang::for_each_run_of_slices<T>(
		dstSlice, srcSlice, dimValue, where, [&](uint64_t to, uint64_t from) {
			unpu::lang::copy_out("DataCopy", dst[to], run.bytes,
					     src[static_cast<uint32_t>(from)], run.bytes, run,
					     where);
		});
}

} // namespace AscendC

#endif /* UNPU_ASCENDC_COPY_SLICE_H */
