// SPDX-License-Identifier: MIT
/*
 * DOC: Recall of the checks: kernels of several kinds, and mistakes that are put into them one by one. Each kernel is
 * right at all levels without a mistake; with one, level 3 has to find something.
 */
#include "tests/kernels/language/ub.h"

using namespace AscendC;
using namespace kernel_test;

namespace {

constexpr uint32_t BLOCKS = 4, TILE = 64, TILES = 4, LENGTH = TILE * TILES;

/* The mistake of this run; 0: none. */
int mistake = 0;
#define WITHOUT(number) if (mistake != (number))
#define WRONG(number, wrong, right) (mistake == (number) ? (wrong) : (right))

struct Memory {
	float *x, *y, *w;
};

GlobalTensor<float> tensor(float *memory, uint64_t offset = 0)
{
	GlobalTensor<float> made;

	made.SetGlobalBuffer(memory + offset);
	return made;
}

/* Tiles of a sum, by queues of two buffers. */
void sum_of_tiles(const Memory &memory)
{
	TPipe pipe;
	TQue<TPosition::VECIN, 2> in, in2;
	TQue<TPosition::VECOUT, 2> out;
	const auto x = tensor(memory.x, uint64_t(GetBlockIdx()) * LENGTH);
	const auto w = tensor(memory.w, uint64_t(GetBlockIdx()) * LENGTH);
	const auto y = tensor(memory.y, uint64_t(GetBlockIdx()) * LENGTH);

	pipe.InitBuffer(in, 2, WRONG(1, TILE * 2, TILE * 4));
	pipe.InitBuffer(in2, 2, WRONG(2, 200000u, TILE * 4));
	pipe.InitBuffer(out, 2, TILE * 4);
	for (uint32_t i = 0; i < TILES; i++) {
		auto a = in.AllocTensor<float>();
		auto b = in2.AllocTensor<float>();
		DataCopy(a, x[i * TILE + WRONG(3, 1000u, 0u)], TILE);
		DataCopy(b, w[i * TILE], WRONG(4, TILE + 8, TILE));
		WITHOUT(5)
		{
			in.EnQue(a);
			a = in.DeQue<float>();
			in2.EnQue(b);
			b = in2.DeQue<float>();
		}
		auto c = out.AllocTensor<float>();
		Add(c, a, b, TILE);
		WITHOUT(6) in.FreeTensor(a);
		in2.FreeTensor(b);
		if (mistake == 7)
			Add(c, c, b, TILE);
		out.EnQue(c);
		c = out.DeQue<float>();
		DataCopy(y[i * TILE], c, TILE);
		out.FreeTensor(c);
		if (mistake == 8)
			out.DeQue<float>();
	}
}

/* Tiles of a product in one buffer, ordered by flags. */
void scale_by_flags(const Memory &memory)
{
	TPipe pipe;
	TBuf<> buffer;
	const auto x = tensor(memory.x, uint64_t(GetBlockIdx()) * LENGTH);
	const auto y = tensor(memory.y, uint64_t(GetBlockIdx()) * LENGTH);

	pipe.InitBuffer(buffer, TILE * 4);
	const auto t = buffer.Get<float>();
	for (uint32_t i = 0; i < TILES; i++) {
		if (i != 0 && mistake != 9)
			WaitFlag<HardEvent::MTE3_MTE2>(0);
		DataCopy(t, x[i * TILE], TILE);
		WITHOUT(10) SetFlag<HardEvent::MTE2_V>(0);
		if (mistake != 10 && mistake != 11)
			WaitFlag<HardEvent::MTE2_V>(WRONG(12, 1, 0));
		Muls(t, t, 2.0f, TILE);
		WITHOUT(13)
		{
			SetFlag<HardEvent::V_MTE3>(0);
			WaitFlag<HardEvent::V_MTE3>(0);
		}
		DataCopy(y[i * TILE], t, TILE);
		if (i + 1 != TILES || mistake == 14)
			SetFlag<HardEvent::MTE3_MTE2>(0);
	}
}

/* 37 elements, which are no whole blocks of 32 bytes. */
void copy_of_a_tail(const Memory &memory)
{
	TPipe pipe;
	TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
	const auto x = tensor(memory.x), y = tensor(memory.y, uint64_t(GetBlockIdx()) * TILE);

	pipe.InitBuffer(queue, 1, TILE * 4);
	auto t = queue.AllocTensor<float>();
	if (mistake == 15)
		DataCopy(t, x, 37);
	else
		DataCopyPad(t[WRONG(16, 3u, 0u)], x,
			    DataCopyExtParams{1, WRONG(17, 148u * 64, 148u), 0, 0, 0},
			    DataCopyPadExtParams<float>{false, 0, 0, 0});
	queue.EnQue(t);
	t = queue.DeQue<float>();
	DataCopyPad(y[WRONG(18, 5000u, 0u)], t,
		    DataCopyExtParams{1, WRONG(19, 260u, 148u), 0, 0, 0});
	queue.FreeTensor(t);
}

/* A row that is divided by its sum. */
void share_of_a_row(const Memory &memory)
{
	TPipe pipe;
	TQue<TPosition::VECIN, 1> in;
	TBuf<> work, sum;
	const auto x = tensor(memory.x, uint64_t(GetBlockIdx()) * TILE);
	const auto y = tensor(memory.y, uint64_t(GetBlockIdx()) * TILE);

	pipe.InitBuffer(in, 1, 2 * TILE * 4);
	pipe.InitBuffer(work, 64);
	pipe.InitBuffer(sum, 32);
	auto t = in.AllocTensor<float>();
	DataCopy(t, x, TILE);
	in.EnQue(t);
	t = in.DeQue<float>();
	ReduceSum(sum.Get<float>(), t, work.Get<float>(), WRONG(20, int(TILE) + 8, int(TILE)));
	Muls(t, t, 1.0f / sum.Get<float>().GetValue(WRONG(21, 3u, 0u)), TILE);
	if (mistake == 22)
		Adds(t, t[TILE], 0.0f, TILE);
	SetFlag<HardEvent::V_MTE3>(1);
	WaitFlag<HardEvent::V_MTE3>(1);
	DataCopy(y, t, TILE);
	in.FreeTensor(t);
}

/* Each block reads what the next one has written. */
void neighbours(const Memory &memory)
{
	TPipe pipe;
	TQue<TPosition::VECOUT, 1> out;
	TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
	const uint64_t block = uint64_t(GetBlockIdx());
	const auto w = tensor(memory.w), y = tensor(memory.y);

	pipe.InitBuffer(out, 1, TILE * 4);
	pipe.InitBuffer(queue, 1, TILE * 4);
	if (mistake == 23)
		SyncAll();
	auto t = out.AllocTensor<float>();
	Duplicate(t, float(block + 1), TILE);
	out.EnQue(t);
	t = out.DeQue<float>();
	DataCopy(w[block * WRONG(24, TILE / 2, TILE)], t, TILE);
	out.FreeTensor(t);
	if (mistake != 23 && mistake != 25 && !(mistake == 26 && block == 0))
		SyncAll();
	auto other = queue.AllocTensor<float>();
	DataCopy(other, w[(block + 1) % BLOCKS * TILE], TILE);
	queue.EnQue(other);
	other = queue.DeQue<float>();
	DataCopy(y[block * TILE], other, TILE);
	queue.FreeTensor(other);
}

/* Each block adds to what the one before has written. */
void chain(const Memory &memory)
{
	TPipe pipe;
	TBuf<> buffer;
	const int32_t block = int32_t(GetBlockIdx());
	const auto y = tensor(memory.y);
	const GlobalTensor<int32_t> gm;
	const LocalTensor<int32_t> ub;

	pipe.InitBuffer(buffer, 32);
	const auto t = buffer.Get<float>();
	Duplicate(t, 1.0f, 8);
	if (block != 0) {
		WITHOUT(27) IBWait(gm, ub, block - 1, WRONG(28, 1, 0));
		DataCopy(t, y[uint64_t(block - 1) * 8], 8);
		PipeBarrier<PIPE_ALL>();
		Adds(t, t, 1.0f, 8);
	}
	PipeBarrier<PIPE_ALL>();
	DataCopy(y[uint64_t(block) * 8], t, 8);
	if (block + 1 != int32_t(BLOCKS) && mistake != 29)
		IBSet(gm, ub, block, 0);
}

/* A cube core hands rows to its two vector cores. */
void cube_to_vector(const Memory &memory)
{
	const auto w = tensor(memory.w), y = tensor(memory.y);

	if ASCEND_IS_AIC {
		for (uint64_t i = 0; i < 16; i++)
			w.SetValue(uint64_t(GetBlockIdx()) * 16 + i, 2.0f);
		WITHOUT(30) CrossCoreSetFlag<2, PIPE_FIX>(WRONG(31, 2, 1));
	}
	if ASCEND_IS_AIV {
		WITHOUT(32) CrossCoreWaitFlag(1);
		TPipe pipe;
		TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
		pipe.InitBuffer(queue, 1, 32);
		auto t = queue.AllocTensor<float>();
		DataCopy(t, w[uint64_t(GetBlockIdx()) * 8], 8);
		queue.EnQue(t);
		t = queue.DeQue<float>();
		DataCopy(y[uint64_t(GetBlockIdx()) * 8], t, 8);
		queue.FreeTensor(t);
	}
}

/* Sums of all blocks by atomic copies. */
void atomic_sums(const Memory &memory)
{
	TPipe pipe;
	TBuf<> buffer;
	const auto y = tensor(memory.y), w = tensor(memory.w);

	pipe.InitBuffer(buffer, TILE * 4);
	const auto t = buffer.Get<float>();
	if (GetBlockIdx() == 0)
		InitOutput(y, TILE);
	WITHOUT(33) SyncAll();
	Duplicate(t, float(GetBlockIdx() + 1), TILE);
	PipeBarrier<PIPE_ALL>();
	WITHOUT(34) SetAtomicAdd<float>();
	DataCopy(y, t, TILE);
	SetAtomicNone();
	WITHOUT(35) SyncAll();
	PipeBarrier<PIPE_ALL>();
	DataCopy(t, y, TILE);
	PipeBarrier<PIPE_ALL>();
	DataCopy(w[uint64_t(GetBlockIdx()) * TILE], t, TILE);
}

/* Elements in an order that a table says. */
void gather(const Memory &memory)
{
	TPipe pipe;
	TQue<TPosition::VECIN, 1> in;
	TQue<TPosition::VECOUT, 1> out;
	TBuf<> table;
	const auto x = tensor(memory.x), y = tensor(memory.y, uint64_t(GetBlockIdx()) * TILE);

	pipe.InitBuffer(in, 1, TILE * 4);
	pipe.InitBuffer(out, 1, WRONG(36, TILE * 2, TILE * 4));
	pipe.InitBuffer(table, TILE * 4);
	auto t = in.AllocTensor<float>();
	DataCopy(t, x, TILE);
	in.EnQue(t);
	t = in.DeQue<float>();
	const auto offsets = table.Get<int32_t>();
	WITHOUT(37) CreateVecIndex(offsets, 0, TILE);
	Muls(offsets, offsets, WRONG(38, 8000, 4), TILE);
	auto g = out.AllocTensor<float>();
	Gather(g, t, offsets.ReinterpretCast<uint32_t>(), 0u, TILE);
	out.EnQue(g);
	in.FreeTensor(t);
	g = out.DeQue<float>();
	DataCopy(y, g, WRONG(36, TILE / 2, TILE));
	out.FreeTensor(g);
}

/* Elements above a limit, others 0. */
void select(const Memory &memory)
{
	TPipe pipe;
	TQue<TPosition::VECIN, 1> in;
	TQue<TPosition::VECOUT, 1> out;
	TBuf<> bits_buffer;
	const auto x = tensor(memory.x), y = tensor(memory.y, uint64_t(GetBlockIdx()) * LENGTH);

	pipe.InitBuffer(in, 1, LENGTH * 4);
	pipe.InitBuffer(out, 1, LENGTH * 4);
	pipe.InitBuffer(bits_buffer, 32);
	auto t = in.AllocTensor<float>();
	DataCopy(t, x, LENGTH);
	in.EnQue(t);
	t = in.DeQue<float>();
	const auto bits = bits_buffer.Get<uint8_t>();
	WITHOUT(39) CompareScalar(bits, t, 0.0f, CMPMODE::GT, WRONG(40, LENGTH * 2, LENGTH));
	auto s = out.AllocTensor<float>();
	Select(s, bits, t, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, LENGTH);
	out.EnQue(s);
	in.FreeTensor(t);
	s = out.DeQue<float>();
	DataCopy(y, s, LENGTH);
	out.FreeTensor(s);
}

/* 32 scores in their order. */
void sort(const Memory &memory)
{
	TPipe pipe;
	TBuf<> scores, index, records;
	const auto x = tensor(memory.x), y = tensor(memory.y, uint64_t(GetBlockIdx()) * TILE);

	pipe.InitBuffer(scores, 128);
	pipe.InitBuffer(index, 128);
	pipe.InitBuffer(records, WRONG(41, 128, 256));
	const auto s = scores.Get<float>();
	const auto i = index.Get<uint32_t>();
	DataCopy(s, x, 32);
	WITHOUT(42) PipeBarrier<PIPE_ALL>();
	CreateVecIndex(i.ReinterpretCast<int32_t>(), 0, 32);
	Sort32(records.Get<float>(), s, i, WRONG(43, 2, 1));
	PipeBarrier<PIPE_ALL>();
	DataCopy(y, records.Get<float>(), WRONG(41, 32, 64));
}

/* Half of the elements of each repeat, by a mask and strides. */
void masked(const Memory &memory)
{
	TPipe pipe;
	TBuf<> buffer;
	const auto y = tensor(memory.y, uint64_t(GetBlockIdx()) * LENGTH);

	pipe.InitBuffer(buffer, LENGTH * 4);
	const auto t = buffer.Get<float>();
	WITHOUT(44) Duplicate(t, 1.0f, LENGTH);
	Adds(t, t, 1.0f, uint64_t(WRONG(45, 65, 32)), uint8_t(WRONG(46, 5, TILES)),
	     UnaryRepeatParams{1, 1, uint8_t(WRONG(47, 16, 8)), 8});
	WITHOUT(48) PipeBarrier<PIPE_ALL>();
	DataCopy(y, t, LENGTH);
}

struct Kernel {
	const char *name;
	void (*run)(const Memory &);
	int first, last; /* mistakes */
	uint32_t type;
};

const Kernel kernels[] = {
	{"sum_of_tiles", sum_of_tiles, 1, 8, KERNEL_TYPE_AIV_ONLY},
	{"scale_by_flags", scale_by_flags, 9, 14, KERNEL_TYPE_AIV_ONLY},
	{"copy_of_a_tail", copy_of_a_tail, 15, 19, KERNEL_TYPE_AIV_ONLY},
	{"share_of_a_row", share_of_a_row, 20, 22, KERNEL_TYPE_AIV_ONLY},
	{"neighbours", neighbours, 23, 26, KERNEL_TYPE_AIV_ONLY},
	{"chain", chain, 27, 29, KERNEL_TYPE_AIV_ONLY},
	{"cube_to_vector", cube_to_vector, 30, 32, KERNEL_TYPE_MIX_AIC_1_2},
	{"atomic_sums", atomic_sums, 33, 35, KERNEL_TYPE_AIV_ONLY},
	{"gather", gather, 36, 38, KERNEL_TYPE_AIV_ONLY},
	{"select", select, 39, 40, KERNEL_TYPE_AIV_ONLY},
	{"sort", sort, 41, 43, KERNEL_TYPE_AIV_ONLY},
	{"masked", masked, 44, 48, KERNEL_TYPE_AIV_ONLY},
};

/* What the checks say of a kernel with a mistake; empty: nothing. */
std::string finding(const Kernel &kernel, int number, uint32_t level)
{
	BlockHost host(level);
	const auto values = random_values<float>(BLOCKS * LENGTH, 1, 1, 100);
	const Memory memory = {host.make(values), host.make(std::vector<float>(BLOCKS * LENGTH)),
			       host.make(values)};

	mistake = number;
	host.type = kernel.type;
	const bool is_good = host.run(BLOCKS, [&] { kernel.run(memory); });
	mistake = 0;
	return is_good ? ""
		       : "line " + std::to_string(host.failure().line) + ": " +
				 host.failure().sentence;
}

} // namespace

TEST(KernelRecall, RightKernelsPass)
{
	for (const Kernel &kernel : kernels)
		for (uint32_t level = 0; level < 4; level++)
			EXPECT_EQ(finding(kernel, 0, level), "")
				<< kernel.name << " at level " << level;
}

TEST(KernelRecall, MistakesAreFound)
{
	int found = 0, all = 0;

	for (const Kernel &kernel : kernels)
		for (int number = kernel.first; number <= kernel.last; number++) {
			const std::string told = finding(kernel, number, 3);

			all++;
			found += !told.empty();
			EXPECT_NE(told, "") << "mistake " << number << " in " << kernel.name;
		}
	EXPECT_EQ(all, 48);
	RecordProperty("found", found);
}
