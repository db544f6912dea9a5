// SPDX-License-Identifier: MIT
/**
 * DOC: C = A * B
 *
 * Each instance multiplies its share of C with a Matmul object: the host has split C into rows and columns of shares.
 */
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void multiply(GM_ADDR a, GM_ADDR b, GM_ADDR c, TCubeTiling tiling)
{
	using Operand = MatmulType<TPosition::GM, CubeFormat::ND, half>;
	using Result = MatmulType<TPosition::GM, CubeFormat::ND, float>;
	TPipe pipe;
	Matmul<Operand, Operand, Result> product;
	REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product, &tiling);
	if (GetBlockIdx() >= tiling.usedCoreNum)
		return;
	const int32_t across = Ceil(tiling.N, tiling.singleCoreN);
	const int32_t row = static_cast<int32_t>(GetBlockIdx()) / across * tiling.singleCoreM;
	const int32_t column = static_cast<int32_t>(GetBlockIdx()) % across * tiling.singleCoreN;
	GlobalTensor<half> rows;
	GlobalTensor<half> columns;
	GlobalTensor<float> results;
	rows.SetGlobalBuffer((__gm__ half *)a + row * tiling.Ka, (tiling.M - row) * tiling.Ka);
	columns.SetGlobalBuffer((__gm__ half *)b + column, tiling.Kb * tiling.N - column);
	results.SetGlobalBuffer((__gm__ float *)c + row * tiling.N + column,
				(tiling.M - row) * tiling.N - column);
	product.SetTensorA(rows);
	product.SetTensorB(columns);
	product.SetTail(min(tiling.M - row, tiling.singleCoreM),
			min(tiling.N - column, tiling.singleCoreN));
	product.IterateAll(results);
	product.End();
}
