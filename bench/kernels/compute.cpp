// SPDX-License-Identifier: MIT
/**
 * DOC: Kernels that compute
 *
 * Products and norms of rows as users write them; compute_rows.cpp measures each beside the operator that computes the
 * same. unpu-ascendcc compiles them, with -O2.
 */
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

#include "compute.h"

using namespace AscendC;

namespace {

constexpr uint32_t TILE = 128; /* rows and columns of a tile of C */
constexpr uint32_t DEPTH = 64; /* of a step of the product */

/* C = A * B by the cube unit: each block computes tiles of 128 x 128. */
class CubeProduct {
public:
	__aicore__ inline void init(GM_ADDR a, GM_ADDR b, GM_ADDR c, const ProductShape &shape)
	{
		shape_ = shape;
		a_.SetGlobalBuffer((__gm__ half *)a);
		b_.SetGlobalBuffer((__gm__ half *)b);
		c_.SetGlobalBuffer((__gm__ float *)c);
		pipe_.InitBuffer(a1_, 2, TILE * DEPTH * sizeof(half));
		pipe_.InitBuffer(b1_, 2, DEPTH * TILE * sizeof(half));
		pipe_.InitBuffer(a2_, 2, TILE * DEPTH * sizeof(half));
		pipe_.InitBuffer(b2_, 2, DEPTH * TILE * sizeof(half));
		pipe_.InitBuffer(co1_, 1, TILE * TILE * sizeof(float));
	}

	__aicore__ inline void run()
	{
		const uint32_t across = shape_.n / TILE;
		const uint32_t tiles = shape_.m / TILE * across;

		for (uint32_t i = GetBlockIdx(); i < tiles; i += GetBlockNum())
			compute_tile(i / across * TILE, i % across * TILE);
	}

private:
	__aicore__ inline void compute_tile(uint32_t row, uint32_t column)
	{
		LocalTensor<float> sums = co1_.AllocTensor<float>();

		for (uint32_t k = 0; k < shape_.k; k += DEPTH) {
			load(a1_, a_[row * shape_.k + k], TILE, DEPTH, shape_.k);
			load(b1_, b_[k * shape_.n + column], DEPTH, TILE, shape_.n);
			split();
			multiply(sums, k == 0);
		}
		co1_.EnQue(sums);
		sums = co1_.DeQue<float>();
		FixpipeParamsV220 params(TILE, TILE, TILE, shape_.n, false);

		Fixpipe<float, float, CFG_ROW_MAJOR>(c_[row * shape_.n + column], sums, params);
		co1_.FreeTensor(sums);
	}

	template <class Queue>
	__aicore__ inline void load(Queue &queue, const GlobalTensor<half> &src, uint32_t rows,
				    uint32_t columns, uint32_t pitch)
	{
		LocalTensor<half> local = queue.template AllocTensor<half>();

		DataCopy(local, src, Nd2NzParams(1, rows, columns, 0, pitch, rows, 1, 0));
		queue.EnQue(local);
	}

	__aicore__ inline void split()
	{
		LocalTensor<half> a1 = a1_.DeQue<half>(), b1 = b1_.DeQue<half>();
		LocalTensor<half> a2 = a2_.AllocTensor<half>(), b2 = b2_.AllocTensor<half>();

		for (uint32_t i = 0; i < TILE / 16; i++)
			LoadData(a2[i * DEPTH * 16], a1[i * 256],
				 LoadData2DParams(0, DEPTH / 16, TILE / 16, 0, 0, false, 0));
		for (uint32_t i = 0; i < DEPTH / 16; i++)
			LoadData(b2[i * TILE * 16], b1[i * 256],
				 LoadData2DParams(0, TILE / 16, DEPTH / 16, 0, 0, true, 0));
		a2_.EnQue(a2);
		b2_.EnQue(b2);
		a1_.FreeTensor(a1);
		b1_.FreeTensor(b1);
	}

	__aicore__ inline void multiply(const LocalTensor<float> &sums, bool is_first)
	{
		LocalTensor<half> a2 = a2_.DeQue<half>(), b2 = b2_.DeQue<half>();
		MmadParams params;

		params.m = TILE;
		params.n = TILE;
		params.k = DEPTH;
		params.cmatrixInitVal = is_first;
		Mmad(sums, a2, b2, params);
		a2_.FreeTensor(a2);
		b2_.FreeTensor(b2);
	}

	TPipe pipe_;
	TQue<TPosition::A1, 1> a1_;
	TQue<TPosition::B1, 1> b1_;
	TQue<TPosition::A2, 1> a2_;
	TQue<TPosition::B2, 1> b2_;
	TQue<TPosition::CO1, 1> co1_;
	GlobalTensor<half> a_;
	GlobalTensor<half> b_;
	GlobalTensor<float> c_;
	ProductShape shape_;
};

/* The rows of a matrix of floats, of which each block computes a share, one row at a time. */
class NormRows {
public:
	__aicore__ inline void init(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y,
				    const NormShape &shape)
	{
		shape_ = shape;
		x_.SetGlobalBuffer((__gm__ float *)x);
		gamma_.SetGlobalBuffer((__gm__ float *)gamma);
		beta_.SetGlobalBuffer((__gm__ float *)beta);
		y_.SetGlobalBuffer((__gm__ float *)y);
		pipe_.InitBuffer(in_, 2, shape.columns * sizeof(float));
		pipe_.InitBuffer(out_, 2, shape.columns * sizeof(float));
		pipe_.InitBuffer(weights_, 2 * shape.columns * sizeof(float));
		pipe_.InitBuffer(scratch_, 2 * shape.columns * sizeof(float));
	}

	__aicore__ inline void run(bool has_mean)
	{
		LocalTensor<float> gamma = weights_.Get<float>(), beta = gamma[shape_.columns];

		DataCopy(gamma, gamma_, shape_.columns);
		DataCopy(beta, beta_, shape_.columns);
		SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
		WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
		const uint32_t share = shape_.rows / GetBlockNum();
		const uint32_t first = GetBlockIdx() * share;

		for (uint32_t row = first; row < first + share; row++) {
			LocalTensor<float> x = in_.AllocTensor<float>();

			DataCopy(x, x_[row * shape_.columns], shape_.columns);
			in_.EnQue(x);
			x = in_.DeQue<float>();
			LocalTensor<float> y = out_.AllocTensor<float>();

			if (has_mean)
				layer_norm(y, x, gamma, beta);
			else
				rms_norm(y, x, gamma);
			out_.EnQue(y);
			in_.FreeTensor(x);
			y = out_.DeQue<float>();
			DataCopy(y_[row * shape_.columns], y, shape_.columns);
			out_.FreeTensor(y);
		}
	}

private:
	/* The sum of the elements of @of, by the scalar unit. */
	__aicore__ inline float sum_of(const LocalTensor<float> &of, const LocalTensor<float> &work)
	{
		ReduceSum(work, of, work[8], shape_.columns);
		SetFlag<HardEvent::V_S>(EVENT_ID1);
		WaitFlag<HardEvent::V_S>(EVENT_ID1);
		const float sum = work.GetValue(0);

		SetFlag<HardEvent::S_V>(EVENT_ID1);
		WaitFlag<HardEvent::S_V>(EVENT_ID1);
		return sum;
	}

	__aicore__ inline void layer_norm(const LocalTensor<float> &y, const LocalTensor<float> &x,
					  const LocalTensor<float> &gamma,
					  const LocalTensor<float> &beta)
	{
		const uint32_t columns = shape_.columns;
		LocalTensor<float> squares = scratch_.Get<float>(), work = squares[columns];
		const float mean = sum_of(x, work) / columns;

		Adds(y, x, -mean, columns);
		PipeBarrier<PIPE_V>();
		Mul(squares, y, y, columns);
		PipeBarrier<PIPE_V>();
		const float variance = sum_of(squares, work) / columns;

		Muls(y, y, 1.0f / sqrt(variance + shape_.epsilon), columns);
		PipeBarrier<PIPE_V>();
		Mul(y, y, gamma, columns);
		PipeBarrier<PIPE_V>();
		Add(y, y, beta, columns);
	}

	__aicore__ inline void rms_norm(const LocalTensor<float> &y, const LocalTensor<float> &x,
					const LocalTensor<float> &gamma)
	{
		const uint32_t columns = shape_.columns;
		LocalTensor<float> squares = scratch_.Get<float>(), work = squares[columns];

		Mul(squares, x, x, columns);
		PipeBarrier<PIPE_V>();
		const float mean = sum_of(squares, work) / columns;

		Muls(y, x, 1.0f / sqrt(mean + shape_.epsilon), columns);
		PipeBarrier<PIPE_V>();
		Mul(y, y, gamma, columns);
	}

	TPipe pipe_;
	TQue<TPosition::VECIN, 2> in_;
	TQue<TPosition::VECOUT, 2> out_;
	TBuf<> weights_;
	TBuf<> scratch_;
	GlobalTensor<float> x_, gamma_, beta_, y_;
	NormShape shape_;
};

} // namespace

extern "C" __global__ __aicore__ void cube_product(GM_ADDR a, GM_ADDR b, GM_ADDR c,
						   ProductShape shape)
{
	CubeProduct product;

	product.init(a, b, c, shape);
	product.run();
}

/* The same by a Matmul object; each block computes a share of the rows. */
extern "C" __global__ __aicore__ void object_product(GM_ADDR a, GM_ADDR b, GM_ADDR c,
						     ProductShape shape)
{
	using Operand = MatmulType<TPosition::GM, CubeFormat::ND, half>;
	using Result = MatmulType<TPosition::GM, CubeFormat::ND, float>;
	const uint32_t rows = shape.m / (GetBlockNum() * GetTaskRation());
	const uint32_t first = GetBlockIdx() * rows;
	TPipe pipe;
	Matmul<Operand, Operand, Result> product;
	GlobalTensor<half> a_gm, b_gm;
	GlobalTensor<float> c_gm;
	TCubeTiling tiling;

	tiling.M = shape.m;
	tiling.N = tiling.singleCoreN = shape.n;
	tiling.Ka = tiling.Kb = tiling.singleCoreK = shape.k;
	tiling.singleCoreM = rows;
	tiling.baseM = tiling.baseN = TILE;
	REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product, &tiling);
	a_gm.SetGlobalBuffer((__gm__ half *)a + first * shape.k);
	b_gm.SetGlobalBuffer((__gm__ half *)b);
	c_gm.SetGlobalBuffer((__gm__ float *)c + first * shape.n);
	product.SetTensorA(a_gm);
	product.SetTensorB(b_gm);
	product.IterateAll(c_gm);
	product.End();
}

extern "C" __global__ __aicore__ void layer_norm(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y,
						 NormShape shape)
{
	NormRows norm;

	norm.init(x, gamma, beta, y, shape);
	norm.run(true);
}

extern "C" __global__ __aicore__ void rms_norm(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y,
					       NormShape shape)
{
	NormRows norm;

	norm.init(x, gamma, beta, y, shape);
	norm.run(false);
}

int launch_product(bool by_object, uint32_t blocks, void *stream, void *a, void *b, void *c,
		   const ProductShape &shape)
{
	return by_object ? object_product<<<blocks, nullptr, stream>>>(a, b, c, shape)
			 : cube_product<<<blocks, nullptr, stream>>>(a, b, c, shape);
}

int launch_norm(bool has_mean, uint32_t blocks, void *stream, void *x, void *gamma, void *beta,
		void *y, const NormShape &shape)
{
	return has_mean ? layer_norm<<<blocks, nullptr, stream>>>(x, gamma, beta, y, shape)
			: rms_norm<<<blocks, nullptr, stream>>>(x, gamma, beta, y, shape);
}
