// SPDX-License-Identifier: MIT
/**
 * DOC: Kernels of the kinds that users write, measured
 *
 * unpu-ascendcc compiles them, with -O2. loops.cpp has the plain loops.
 */
#include "kernel_operator.h"

#include "kinds.h"

using namespace AscendC;

namespace {

/* Tiles of equal shares: DataCopy in, a computation, DataCopy out, in two buffers each. */
template <class In, class Out, uint32_t INPUTS> class Tiles {
public:
	__aicore__ inline Tiles(GM_ADDR const (&in)[INPUTS], GM_ADDR out, uint32_t elements,
				uint32_t tile = KIND_TILE)
		: tile_(tile), share_(elements / GetBlockNum())
	{
		const uint32_t first = share_ * GetBlockIdx();

		for (uint32_t i = 0; i < INPUTS; i++) {
			in_[i].SetGlobalBuffer((__gm__ In *)in[i] + first, share_);
			pipe_.InitBuffer(queue_[i], 2, tile * sizeof(In));
		}
		out_.SetGlobalBuffer((__gm__ Out *)out + first, share_);
		pipe_.InitBuffer(result_, 2, tile * sizeof(Out));
		pipe_.InitBuffer(scratch_, 3 * tile * sizeof(float));
	}

	template <class Compute> __aicore__ inline void run(Compute compute)
	{
		for (uint32_t at = 0; at < share_; at += tile_) {
			LocalTensor<In> in[INPUTS];

			for (uint32_t i = 0; i < INPUTS; i++) {
				LocalTensor<In> part = queue_[i].template AllocTensor<In>();

				DataCopy(part, in_[i][at], tile_);
				queue_[i].EnQue(part);
			}
			for (uint32_t i = 0; i < INPUTS; i++)
				in[i] = queue_[i].template DeQue<In>();
			LocalTensor<Out> out = result_.template AllocTensor<Out>();

			compute(out, in, at);
			result_.EnQue(out);
			for (uint32_t i = 0; i < INPUTS; i++)
				queue_[i].FreeTensor(in[i]);
			out = result_.template DeQue<Out>();
			DataCopy(out_[at], out, tile_);
			result_.FreeTensor(out);
		}
	}

	/* Floats of a tile: the first, second or third of them. */
	__aicore__ inline LocalTensor<float> scratch(uint32_t number)
	{
		return scratch_.Get<float>()[number * tile_];
	}

private:
	TPipe pipe_;
	TQue<QuePosition::VECIN, 2> queue_[INPUTS];
	TQue<QuePosition::VECOUT, 2> result_;
	TBuf<> scratch_;
	GlobalTensor<In> in_[INPUTS];
	GlobalTensor<Out> out_;
	const uint32_t tile_, share_;
};

/* Rows of floats, one at a time, from and to places that an index has. */
__aicore__ inline void move_rows(GM_ADDR x, GM_ADDR index, GM_ADDR out, uint32_t elements,
				 bool by_source, bool by_result)
{
	TPipe pipe;
	TQueBind<QuePosition::VECIN, QuePosition::VECOUT, 2> queue;
	GlobalTensor<float> from, to;
	GlobalTensor<int32_t> rows;
	const uint32_t share = elements / KIND_COLUMNS / GetBlockNum();
	const uint32_t first = share * GetBlockIdx();

	pipe.InitBuffer(queue, 2, KIND_COLUMNS * sizeof(float));
	from.SetGlobalBuffer((__gm__ float *)x, elements);
	to.SetGlobalBuffer((__gm__ float *)out, elements);
	rows.SetGlobalBuffer((__gm__ int32_t *)index, elements / KIND_COLUMNS);
	for (uint32_t row = first; row < first + share; row++) {
		const uint32_t other = rows.GetValue(row);
		LocalTensor<float> local = queue.AllocTensor<float>();

		DataCopy(local, from[(by_source ? other : row) * KIND_COLUMNS], KIND_COLUMNS);
		queue.EnQue(local);
		local = queue.DeQue<float>();
		DataCopy(to[(by_result ? other : row) * KIND_COLUMNS], local, KIND_COLUMNS);
		queue.FreeTensor(local);
	}
}

} // namespace

#define KERNEL(name, ...) \
	extern "C" __global__ __aicore__ void kind_##name( \
		GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR index, GM_ADDR out, uint32_t elements) \
	{ \
		__VA_ARGS__ \
	} \
	int launch_##name(uint32_t blocks, void *stream, const KindMemory &memory) \
	{ \
		return kind_##name<<<blocks, nullptr, stream>>>( \
			memory.x, memory.y, memory.z, memory.index, memory.out, memory.elements); \
	}

KERNEL(add_half, Tiles<half, half, 2>({x, y}, out, elements).run([](auto &to, auto &in, uint32_t) {
	Add(to, in[0], in[1], KIND_TILE);
});)

KERNEL(add_quotient,
       Tiles<float, float, 3>({x, y, z}, out, elements).run([](auto &to, auto &in, uint32_t) {
	       Div(to, in[1], in[2], KIND_TILE);
	       Add(to, to, in[0], KIND_TILE);
       });)

KERNEL(leaky, Tiles<half, half, 1>({x}, out, elements).run([](auto &to, auto &in, uint32_t) {
	LeakyRelu(to, in[0], half(0.125f), KIND_TILE);
});)

KERNEL(to_half, Tiles<float, half, 1>({x}, out, elements).run([](auto &to, auto &in, uint32_t) {
	Cast(to, in[0], RoundMode::CAST_RINT, KIND_TILE);
});)

KERNEL(gather_rows, move_rows(x, index, out, elements, true, false);)
KERNEL(scatter_rows, move_rows(x, index, out, elements, false, true);)
KERNEL(copy_rows, move_rows(x, index, out, elements, false, false);)

/* Bytes times the scale of their group, of which y has one for each. */
KERNEL(scale_groups, Tiles<int8_t, float, 1> tiles({x}, out, elements); GlobalTensor<float> scales;
       scales.SetGlobalBuffer((__gm__ float *)y +
			      elements / GetBlockNum() / KIND_GROUP * GetBlockIdx());
       tiles.run([&](auto &to, auto &in, uint32_t at) {
	       LocalTensor<half> halves = tiles.scratch(0).template ReinterpretCast<half>();
	       Cast(halves, in[0], RoundMode::CAST_NONE, KIND_TILE);
	       Cast(to, halves, RoundMode::CAST_NONE, KIND_TILE);
	       for (uint32_t i = 0; i < KIND_TILE / KIND_GROUP; i++)
		       Muls(to[i * KIND_GROUP], to[i * KIND_GROUP],
			    scales.GetValue(at / KIND_GROUP + i), KIND_GROUP);
       });)

/* Floats to bytes, by the largest of each group. */
KERNEL(quantise_groups, Tiles<float, int8_t, 1> tiles({x}, out, elements);
       tiles.run([&](auto &to, auto &in, uint32_t) {
	       const LocalTensor<float> sizes = tiles.scratch(0), largest = tiles.scratch(1);
	       const LocalTensor<half> halves = tiles.scratch(2).template ReinterpretCast<half>();
	       Abs(sizes, in[0], KIND_TILE);
	       WholeReduceMax(largest, sizes, KIND_GROUP, KIND_TILE / KIND_GROUP, 1, 1, 4,
			      ReduceOrder::ORDER_ONLY_VALUE);
	       for (uint32_t i = 0; i < KIND_TILE / KIND_GROUP; i++) {
		       const float most = largest.GetValue(i);
		       Muls(sizes[i * KIND_GROUP], in[0][i * KIND_GROUP],
			    most > 0 ? 127.0f / most : 0.0f, KIND_GROUP);
	       }
	       Cast(halves, sizes, RoundMode::CAST_RINT, KIND_TILE);
	       Cast(to, halves, RoundMode::CAST_RINT, KIND_TILE);
       });)

/* What is larger than a limit, else 0. */
KERNEL(threshold, Tiles<float, float, 1> tiles({x}, out, elements);
       tiles.run([&](auto &to, auto &in, uint32_t) {
	       const LocalTensor<uint8_t> bits =
		       tiles.scratch(0).template ReinterpretCast<uint8_t>();
	       CompareScalar(bits, in[0], 0.25f, CMPMODE::GT, KIND_TILE);
	       Select(to, bits, in[0], 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, KIND_TILE);
       });)

/* x * y / (1 + exp(-y)) */
KERNEL(gate, Tiles<float, float, 2> tiles({x, y}, out, elements);
       tiles.run([&](auto &to, auto &in, uint32_t) {
	       const LocalTensor<float> part = tiles.scratch(0);
	       Muls(part, in[1], -1.0f, KIND_TILE);
	       Exp(part, part, KIND_TILE);
	       Adds(part, part, 1.0f, KIND_TILE);
	       Div(part, in[1], part, KIND_TILE);
	       Mul(to, part, in[0], KIND_TILE);
       });)

/* Both halves of a head are turned by the angles of y (cosines) and z (sines). */
KERNEL(turn, Tiles<float, float, 3> tiles({x, y, z}, out, elements);
       tiles.run([&](auto &to, auto &in, uint32_t) {
	       constexpr uint32_t HALF = KIND_HEAD / 2;
	       const LocalTensor<float> part = tiles.scratch(0);
	       for (uint32_t i = 0; i < KIND_TILE; i += KIND_HEAD) {
		       Mul(to[i], in[0][i], in[1][i], HALF);
		       Mul(part, in[0][i + HALF], in[2][i], HALF);
		       Sub(to[i], to[i], part, HALF);
		       Mul(to[i + HALF], in[0][i], in[2][i + HALF], HALF);
		       Mul(part, in[0][i + HALF], in[1][i + HALF], HALF);
		       Add(to[i + HALF], to[i + HALF], part, HALF);
	       }
       });)

/* Rows of half by the root of their mean square, computed in float. */
KERNEL(norm_half, Tiles<half, half, 1> tiles({x}, out, elements, KIND_COLUMNS);
       tiles.run([&](auto &to, auto &in, uint32_t) {
	       const LocalTensor<float> row = tiles.scratch(0), squares = tiles.scratch(1),
					work = tiles.scratch(2);
	       Cast(row, in[0], RoundMode::CAST_NONE, KIND_COLUMNS);
	       Mul(squares, row, row, KIND_COLUMNS);
	       ReduceSum(squares, squares, work, KIND_COLUMNS);
	       Muls(row, row, 1.0f / sqrt(squares.GetValue(0) / KIND_COLUMNS + 1e-5f),
		    KIND_COLUMNS);
	       Cast(to, row, RoundMode::CAST_RINT, KIND_COLUMNS);
       });)

/* Each row times the first row of y: one number, which stands at the start of its row. */
KERNEL(shrink, Tiles<float, float, 1> tiles({x}, out, elements, KIND_COLUMNS);
       GlobalTensor<float> weights; weights.SetGlobalBuffer((__gm__ float *)y);
       tiles.run([&](auto &to, auto &in, uint32_t at) {
	       const LocalTensor<float> other = tiles.scratch(0), work = tiles.scratch(2);
	       if (at == 0)
		       DataCopy(other, weights, KIND_COLUMNS);
	       Mul(to, in[0], other, KIND_COLUMNS);
	       ReduceSum(to, to, work, KIND_COLUMNS);
       });)

/* A row of numbers times the number of the row, added to x. */
KERNEL(expand, Tiles<float, float, 2> tiles({x, y}, out, elements, KIND_COLUMNS);
       tiles.run([&](auto &to, auto &in, uint32_t) {
	       Adds(to, in[0], 0.0f, KIND_COLUMNS);
	       Axpy(to, in[1], in[1].GetValue(0), KIND_COLUMNS);
       });)
