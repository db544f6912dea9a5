/* SPDX-License-Identifier: MIT */
/*
 * DOC: Other copies
 *
 * Fills of global memory, and copies that change the layout of matrices on the way.
 */
#ifndef UNPU_ASCENDC_COPY_FILL_H
#define UNPU_ASCENDC_COPY_FILL_H

#include "unpu_ascendc/copy/data_copy.h"

namespace AscendC {

template <typename T>
void InitGlobalMemory(const GlobalTensor<T> &gm, uint64_t count, unpu::lang::Same<T> value,
		      UNPU_WHERE)
{
	const uint64_t address = reinterpret_cast<uint64_t>(gm.GetPhyAddr());

	unpu::lang::note_global_copy(address, count * sizeof(T), unpu::lang::Access::WRITE,
				     "InitGlobalMemory", gm.origin(), where);
	for (uint64_t i = 0; i < count; i++) {
		if (__builtin_expect(unpu::lang::deepest > 2, 0))
			unpu::lang::note_global_write(address + i * sizeof(T), &value, sizeof(T),
						      "InitGlobalMemory", where);
		gm.GetPhyAddr()[i] = value;
	}
}
template <typename T>
void InitOutput(const GlobalTensor<T> &gm, uint32_t count, unpu::lang::Same<T> value = T(0),
		UNPU_WHERE)
{
	InitGlobalMemory<T>(gm, count, value, where);
}

/* Converts a matrix in row-major order to blocks of columns with 32 bytes in each row. Fills the rest of the last
 * block with 0. */
template <typename T>
void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const Nd2NzParams &params,
	      UNPU_WHERE)
{
	constexpr uint32_t width = unpu::lang::per_block<T>;
	const uint64_t columns = (uint64_t(params.dValue) + width - 1) / width;

	for (uint64_t matrix = 0; matrix < params.ndNum; matrix++) {
		for (uint64_t row = 0; row < params.nValue; row++) {
			const uint64_t from =
				matrix * params.srcNdMatrixStride + row * params.srcDValue;

			unpu::lang::note_global_copy(
				reinterpret_cast<uint64_t>(src.GetPhyAddr(from)),
				params.dValue * sizeof(T), unpu::lang::Access::READ, "DataCopy",
				src.origin(), where);
			for (uint64_t block = 0; block < columns; block++) {
				const uint64_t left = params.dValue - block * width;
				const uint64_t now = left < width ? left : width;
				const uint64_t to = (matrix * params.dstNzMatrixStride +
						     block * params.dstNzC0Stride * width +
						     row * params.dstNzNStride * width) *
						    sizeof(T);

				unpu::lang::require_local("DataCopy", "dst", dst.address_, to + 32,
							  32, where);
				memset(dst.address_.absAddr + to, 0, 32);
				memcpy(dst.address_.absAddr + to,
				       src.GetPhyAddr(from + block * width), now * sizeof(T));
				if (__builtin_expect(unpu::lang::deepest > 1, 0))
					unpu::lang::note_result(
						{"DataCopy", unpu::lang::Pipe::MTE2, where}, "dst",
						dst.address_.absAddr + to, 32);
			}
		}
	}
}

} // namespace AscendC

#endif /* UNPU_ASCENDC_COPY_FILL_H */
