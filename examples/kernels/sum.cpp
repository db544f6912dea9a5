// SPDX-License-Identifier: MIT
/**
 * DOC: Sums of rows
 *
 * Block i adds up row i by scalar reads of the tensor in its local memory. The launch is written with <<<>>>.
 */
#include "kernel_operator.h"

using namespace AscendC;

template <typename T>
__global__ __aicore__ void sum_rows(GM_ADDR rows, GM_ADDR sums, uint32_t columns)
{
	TPipe pipe;
	TQue<QuePosition::VECIN, 1> queue;
	GlobalTensor<T> in;
	GlobalTensor<T> out;
	in.SetGlobalBuffer((__gm__ T *)rows + GetBlockIdx() * columns, columns);
	out.SetGlobalBuffer((__gm__ T *)sums + GetBlockIdx(), 1);
	pipe.InitBuffer(queue, 1, columns * sizeof(T));
	LocalTensor<T> row = queue.AllocTensor<T>();
	DataCopy(row, in, columns);
	queue.EnQue(row);
	row = queue.DeQue<T>();
	T sum = 0;
	for (uint32_t i = 0; i < columns; i++)
		sum += row.GetValue(i);
	out.SetValue(0, sum);
	queue.FreeTensor(row);
}

#ifndef ASCENDC_CPU_DEBUG
int launch_sums(uint32_t rows, void *stream, void *in, void *out, uint64_t columns)
{
	return sum_rows<float><<<rows, nullptr, stream>>>(in, out, columns);
}
#endif
