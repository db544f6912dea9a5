// SPDX-License-Identifier: MIT
/*
 * DOC: Checks of L1 and L0. Each row is a product by hand with a mistake, the level at which it has to fail, and words
 * of the sentence; the failure has to name this file and the line of the mark. Products that are right are silent.
 */
#include "tests/kernels/language/ub.h"

using namespace AscendC;
using namespace kernel_test;

namespace {

uint32_t marked_line;
/* On the line of the mistake. */
#define MISTAKE marked_line = __LINE__;

constexpr uint32_t SIDE = 16, ELEMENTS = SIDE * SIDE;
const LoadData2DParams plain(0, 1, 1, 0, 0, false, 0), turned(0, 1, 1, 0, 0, true, 0);

MmadParams product(uint16_t m = SIDE, bool is_first = true)
{
	MmadParams params;

	params.m = m;
	params.n = params.k = SIDE;
	params.cmatrixInitVal = is_first;
	return params;
}
FixpipeParamsV220 whole(uint32_t rows = SIDE)
{
	return FixpipeParamsV220(SIDE, rows, SIDE, SIDE, false);
}

/* C = A * B of 16 x 16 elements, step by step, without any order between the steps. */
struct Cube {
	TPipe pipe;
	TBuf<TPosition::A1> a1_buffer;
	TBuf<TPosition::B1> b1_buffer;
	TBuf<TPosition::A2> a2_buffer;
	TBuf<TPosition::B2> b2_buffer;
	TBuf<TPosition::CO1> c_buffer;
	LocalTensor<half> a1, b1, a2, b2;
	LocalTensor<float> c;
	GlobalTensor<half> in;
	GlobalTensor<float> out;

	Cube(half *from, float *to)
	{
		pipe.InitBuffer(a1_buffer, 2 * ELEMENTS * sizeof(half));
		pipe.InitBuffer(b1_buffer, 2 * ELEMENTS * sizeof(half));
		pipe.InitBuffer(a2_buffer, 2 * ELEMENTS * sizeof(half));
		pipe.InitBuffer(b2_buffer, 2 * ELEMENTS * sizeof(half));
		pipe.InitBuffer(c_buffer, 2 * ELEMENTS * sizeof(float));
		a1 = a1_buffer.Get<half>();
		b1 = b1_buffer.Get<half>();
		a2 = a2_buffer.Get<half>();
		b2 = b2_buffer.Get<half>();
		c = c_buffer.Get<float>();
		in.SetGlobalBuffer(from);
		out.SetGlobalBuffer(to);
	}
	void copy(uint32_t rows_a = SIDE, uint32_t rows_b = SIDE)
	{
		DataCopy(a1, in, Nd2NzParams(1, rows_a, SIDE, 0, SIDE, SIDE, 1, 0));
		DataCopy(b1, in, Nd2NzParams(1, rows_b, SIDE, 0, SIDE, SIDE, 1, 0));
	}
	void load() const
	{
		LoadData(a2, a1, plain);
		LoadData(b2, b1, turned);
	}
	static void all() { PipeBarrier<PIPE_ALL>(); }
};

struct Row {
	const char *name;
	uint32_t level;
	const char *words;
	void (*kernel)(half *in, float *out);
};

const Row rows[] = {
	/* Level 1: overflow. */
	{"OverflowOfL0a", 1, "InitBuffer: L0A overflow: needs 66560 of 65536 bytes",
	 [](half *in, float *out) {
		 Cube cube(in, out);
		 TQue<TPosition::A2, 2> queue;
		 MISTAKE cube.pipe.InitBuffer(queue, 2, 32768);
	 }},
	{"OverflowOfL0c", 1, "InitBuffer: L0C overflow",
	 [](half *in, float *out) {
		 Cube cube(in, out);
		 TBuf<TPosition::CO1> more;
		 MISTAKE cube.pipe.InitBuffer(more, 131072);
	 }},
	{"OverflowOfL1", 1, "InitBuffer: L1 overflow",
	 [](half *in, float *out) {
		 Cube cube(in, out);
		 TBuf<TPosition::C1> more;
		 MISTAKE cube.pipe.InitBuffer(more, 524288);
	 }},
	{"LoadBehindTheTensorInL1", 1, "LoadData: src would reach 1536 bytes",
	 [](half *in, float *out) {
		 Cube cube(in, out);
		 MISTAKE LoadData(cube.a2, cube.a1, LoadData2DParams(2, 1, 1, 0, 0, false, 0));
	 }},
	/* Level 2: what was never written. */
	{"ProductOfWhatWasNeverLoaded", 2, "Mmad: fm reads byte 0 of L0A",
	 [](half *in, float *out) {
		 Cube cube(in, out);
		 cube.copy();
		 Cube::all();
		 LoadData(cube.b2, cube.b1, turned);
		 Cube::all();
		 MISTAKE Mmad(cube.c, cube.a2, cube.b2, product());
	 }},
	{"RowsOfAThatWereNotCopied", 2, "Mmad: fm reads byte 256 of L0A (byte 0 of the operand)",
	 [](half *in, float *out) {
		 Cube cube(in, out);
		 cube.copy(8);
		 Cube::all();
		 cube.load();
		 Cube::all();
		 Mmad(cube.c, cube.a2, cube.b2, product(8));
		 MISTAKE Mmad(cube.c, cube.a2, cube.b2, product());
	 }},
	{"RowsOfBThatWereNotCopied", 2, "Mmad: filter reads byte 16 of L0B",
	 [](half *in, float *out) {
		 Cube cube(in, out);
		 cube.copy(SIDE, 8);
		 Cube::all();
		 cube.load();
		 Cube::all();
		 MISTAKE Mmad(cube.c, cube.a2, cube.b2, product());
	 }},
	{"SumOnTopOfNothing", 2, "Mmad: dst, to which the product is added, reads byte 0 of L0C",
	 [](half *in, float *out) {
		 Cube cube(in, out);
		 cube.copy();
		 Cube::all();
		 cube.load();
		 Cube::all();
		 MISTAKE Mmad(cube.c, cube.a2, cube.b2, product(SIDE, false));
	 }},
	{"BiasThatWasNeverCopied", 2, "Mmad: bias reads byte 1024 of L0B",
	 [](half *in, float *out) {
		 Cube cube(in, out);
		 LocalTensor<float> bias(TPosition::C2, 1024, SIDE);
		 cube.copy();
		 Cube::all();
		 cube.load();
		 Cube::all();
		 MISTAKE Mmad(cube.c, cube.a2, cube.b2, bias, product());
	 }},
	{"SumsThatWereNeverComputed", 2, "Fixpipe: src reads byte 1024 of L0C",
	 [](half *in, float *out) {
		 Cube cube(in, out);
		 cube.copy();
		 Cube::all();
		 cube.load();
		 Cube::all();
		 Mmad(cube.c, cube.a2, cube.b2, product());
		 Cube::all();
		 MISTAKE Fixpipe(cube.out, cube.c, FixpipeParamsV220(SIDE, 17, 17, SIDE, false));
	 }},
	{"BufferOfL1AfterFreeTensor", 2,
	 "LoadData: src uses byte 2048 of L1, whose buffer FreeTensor has given back",
	 [](half *in, float *out) {
		 Cube cube(in, out);
		 TQue<TPosition::A1, 1> queue;
		 cube.pipe.InitBuffer(queue, 1, 512);
		 auto t = queue.AllocTensor<half>();
		 DataCopy(t, cube.in, ELEMENTS);
		 queue.EnQue(t);
		 t = queue.DeQue<half>();
		 queue.FreeTensor(t);
		 MISTAKE LoadData(cube.a2, t, plain);
	 }},
	/* Level 3: the order of the pipes. */
	{"LoadThatDoesNotWaitForTheCopy", 3,
	 "LoadData: src reads byte 0 of L1 on the pipe MTE1, but nothing waits for DataCopy",
	 [](half *in, float *out) {
		 Cube cube(in, out);
		 cube.copy();
		 MISTAKE LoadData(cube.a2, cube.a1, plain);
	 }},
	{"ProductThatDoesNotWaitForTheLoad", 3,
	 "Mmad: filter reads byte 0 of L0B on the pipe M, but nothing waits for LoadData",
	 [](half *in, float *out) {
		 Cube cube(in, out);
		 cube.copy();
		 Cube::all();
		 LoadData(cube.a2, cube.a1, plain);
		 SetFlag<HardEvent::MTE1_M>(0);
		 LoadData(cube.b2, cube.b1, turned);
		 WaitFlag<HardEvent::MTE1_M>(0);
		 MISTAKE Mmad(cube.c, cube.a2, cube.b2, product());
	 }},
	{"SumsThatAreCopiedTooEarly", 3,
	 "Fixpipe: src reads byte 0 of L0C on the pipe FIX, but nothing waits for Mmad",
	 [](half *in, float *out) {
		 Cube cube(in, out);
		 cube.copy();
		 Cube::all();
		 cube.load();
		 Cube::all();
		 Mmad(cube.c, cube.a2, cube.b2, product());
		 MISTAKE Fixpipe(cube.out, cube.c, whole());
	 }},
	{"CopyOverWhatIsLoaded", 3,
	 "DataCopy: dst writes byte 0 of L1 on the pipe MTE2, but nothing waits for the pipe MTE1",
	 [](half *in, float *out) {
		 Cube cube(in, out);
		 cube.copy();
		 SetFlag<HardEvent::MTE2_MTE1>(0);
		 WaitFlag<HardEvent::MTE2_MTE1>(0);
		 cube.load();
		 MISTAKE DataCopy(cube.a1, cube.in, ELEMENTS);
	 }},
	{"LoadOverWhatIsMultiplied", 3,
	 "a queue, a flag M_MTE1 or PipeBarrier<PIPE_ALL> is missing",
	 [](half *in, float *out) {
		 Cube cube(in, out);
		 cube.copy();
		 Cube::all();
		 cube.load();
		 SetFlag<HardEvent::MTE1_M>(0);
		 WaitFlag<HardEvent::MTE1_M>(0);
		 Mmad(cube.c, cube.a2, cube.b2, product());
		 MISTAKE LoadData(cube.a2, cube.a1, plain);
	 }},
	{"ProductOverSumsThatAreCopied", 3,
	 "Mmad: dst writes byte 0 of L0C on the pipe M, but nothing waits for the pipe FIX",
	 [](half *in, float *out) {
		 Cube cube(in, out);
		 cube.copy();
		 Cube::all();
		 cube.load();
		 Cube::all();
		 Mmad(cube.c, cube.a2, cube.b2, product());
		 SetFlag<HardEvent::M_FIX>(0);
		 WaitFlag<HardEvent::M_FIX>(0);
		 Fixpipe(cube.out, cube.c, whole());
		 MISTAKE Mmad(cube.c, cube.a2, cube.b2, product());
	 }},
	{"BiasThatIsReadTooEarly", 3, "Mmad: bias reads byte 1024 of L0B on the pipe M",
	 [](half *in, float *out) {
		 Cube cube(in, out);
		 LocalTensor<float> bias(TPosition::C2, 1024, SIDE),
			 bias1(TPosition::C1, 4096, SIDE);
		 cube.copy();
		 DataCopy(bias1, cube.out, SIDE);
		 Cube::all();
		 cube.load();
		 SetFlag<HardEvent::MTE1_M>(0);
		 WaitFlag<HardEvent::MTE1_M>(0);
		 DataCopy(bias, bias1, SIDE);
		 MISTAKE Mmad(cube.c, cube.a2, cube.b2, bias, product());
	 }},
};

/* Runs a kernel on one cube core, with a matrix in and one out. */
bool run(BlockHost &host, void (*kernel)(half *in, float *out),
	 std::vector<float> *result = nullptr)
{
	half *in = host.make(random_values<half>(4 * ELEMENTS, 1, -3, 3));
	float *out = host.zeros<float>(2 * ELEMENTS);

	host.type = KERNEL_TYPE_AIC_ONLY;
	const bool is_good = host.run(1, [&] { kernel(in, out); });

	if (result)
		result->assign(out, out + ELEMENTS);
	return is_good;
}

/* The sum of the products of @count matrices that follow each other with the first one. */
std::vector<float> sum_of_products(uint32_t count)
{
	const auto values = random_values<half>(4 * ELEMENTS, 1, -3, 3);
	std::vector<float> sums(ELEMENTS);

	for (uint32_t round = 0; round < count; round++)
		for (uint32_t i = 0; i < SIDE; i++)
			for (uint32_t j = 0; j < SIDE; j++)
				for (uint32_t k = 0; k < SIDE; k++)
					sums[i * SIDE + j] +=
						float(values[round * ELEMENTS + i * SIDE + k]) *
						float(values[k * SIDE + j]);
	return sums;
}

} // namespace

class KernelCubeChecks : public testing::TestWithParam<Row> {};

TEST_P(KernelCubeChecks, TellTheMistakeAndItsLine)
{
	const Row &row = GetParam();

	for (uint32_t level = row.level; level <= 3; level++) {
		BlockHost host(level);

		ASSERT_FALSE(run(host, row.kernel)) << "at level " << level;
		EXPECT_EQ(host.failure().kind, uint32_t(UNPU_KERNEL_FAIL_CHECK));
		EXPECT_NE(host.failure().sentence.find(row.words), std::string::npos)
			<< host.failure().sentence;
		EXPECT_EQ(host.failure().line, marked_line) << host.failure().sentence;
		EXPECT_NE(host.failure().file.find("cube_checks_test.cpp"), std::string::npos);
	}
}

TEST_P(KernelCubeChecks, AreSilentBelowTheirLevel)
{
	const Row &row = GetParam();

	for (uint32_t level = 1; level < row.level; level++) {
		BlockHost host(level);

		EXPECT_TRUE(run(host, row.kernel)) << host.failure().sentence;
	}
}

INSTANTIATE_TEST_SUITE_P(All, KernelCubeChecks, testing::ValuesIn(rows),
			 [](const auto &of) { return std::string(of.param.name); });

TEST(KernelCubeTricky, FlagsInsteadOfQueues)
{
	BlockHost host(3);
	std::vector<float> sums;

	EXPECT_TRUE(run(
		host,
		[](half *in, float *out) {
			Cube cube(in, out);

			DataCopy(cube.b1, cube.in, Nd2NzParams(1, SIDE, SIDE, 0, SIDE, SIDE, 1, 0));
			SetFlag<HardEvent::MTE2_MTE1>(7);
			WaitFlag<HardEvent::MTE2_MTE1>(7);
			LoadData(cube.b2, cube.b1, turned);
			/* Both halves of L1 and L0A take turns. */
			for (int i = 0; i < 2; i++) {
				SetFlag<HardEvent::MTE1_MTE2>(i);
				SetFlag<HardEvent::M_MTE1>(i);
			}
			for (int i = 0; i < 4; i++) {
				const int half_of = i % 2;
				const uint32_t at = half_of * ELEMENTS;

				WaitFlag<HardEvent::MTE1_MTE2>(half_of);
				DataCopy(cube.a1[at], cube.in[uint64_t(i) * ELEMENTS],
					 Nd2NzParams(1, SIDE, SIDE, 0, SIDE, SIDE, 1, 0));
				SetFlag<HardEvent::MTE2_MTE1>(half_of);
				WaitFlag<HardEvent::MTE2_MTE1>(half_of);
				WaitFlag<HardEvent::M_MTE1>(half_of);
				LoadData(cube.a2[at], cube.a1[at], plain);
				SetFlag<HardEvent::MTE1_MTE2>(half_of);
				SetFlag<HardEvent::MTE1_M>(half_of);
				WaitFlag<HardEvent::MTE1_M>(half_of);
				Mmad(cube.c, cube.a2[at], cube.b2, product(SIDE, i == 0));
				SetFlag<HardEvent::M_MTE1>(half_of);
			}
			for (int i = 0; i < 2; i++) {
				WaitFlag<HardEvent::MTE1_MTE2>(i);
				WaitFlag<HardEvent::M_MTE1>(i);
			}
			SetFlag<HardEvent::M_FIX>(0);
			WaitFlag<HardEvent::M_FIX>(0);
			Fixpipe(cube.out, cube.c, whole());
		},
		&sums))
		<< host.failure().sentence << " at line " << host.failure().line;
	EXPECT_EQ(sums, sum_of_products(4));
}

TEST(KernelCubeTricky, QueuesOfTwoBuffers)
{
	BlockHost host(3);
	std::vector<float> sums;

	EXPECT_TRUE(run(
		host,
		[](half *in, float *out) {
			TPipe pipe;
			TQue<TPosition::A1, 2> a1_queue;
			TQue<TPosition::B1, 2> b1_queue;
			TQue<TPosition::A2, 2> a2_queue;
			TQue<TPosition::B2, 2> b2_queue;
			TQue<TPosition::CO1, 1> c_queue;
			GlobalTensor<half> from;
			GlobalTensor<float> to;
			const Nd2NzParams matrix(1, SIDE, SIDE, 0, SIDE, SIDE, 1, 0);

			from.SetGlobalBuffer(in);
			to.SetGlobalBuffer(out);
			pipe.InitBuffer(a1_queue, 2, 512);
			pipe.InitBuffer(b1_queue, 2, 512);
			pipe.InitBuffer(a2_queue, 2, 512);
			pipe.InitBuffer(b2_queue, 2, 512);
			pipe.InitBuffer(c_queue, 1, 1024);
			auto c = c_queue.AllocTensor<float>();

			for (uint32_t i = 0; i < 4; i++) {
				auto a1 = a1_queue.AllocTensor<half>();
				auto b1 = b1_queue.AllocTensor<half>();

				DataCopy(a1, from[i * ELEMENTS], matrix);
				DataCopy(b1, from, matrix);
				a1_queue.EnQue(a1);
				b1_queue.EnQue(b1);
				a1 = a1_queue.DeQue<half>();
				b1 = b1_queue.DeQue<half>();
				auto a2 = a2_queue.AllocTensor<half>();
				auto b2 = b2_queue.AllocTensor<half>();

				LoadData(a2, a1, plain);
				LoadData(b2, b1, turned);
				a1_queue.FreeTensor(a1);
				b1_queue.FreeTensor(b1);
				a2_queue.EnQue(a2);
				b2_queue.EnQue(b2);
				a2 = a2_queue.DeQue<half>();
				b2 = b2_queue.DeQue<half>();
				Mmad(c, a2, b2, product(SIDE, i == 0));
				a2_queue.FreeTensor(a2);
				b2_queue.FreeTensor(b2);
			}
			c_queue.EnQue(c);
			c = c_queue.DeQue<float>();
			Fixpipe(to, c, whole());
			c_queue.FreeTensor(c);
			c = c_queue.AllocTensor<
				float>(); /* once more, over sums that were copied */
			c_queue.FreeTensor(c);
		},
		&sums))
		<< host.failure().sentence << " at line " << host.failure().line;
	EXPECT_EQ(sums, sum_of_products(4));
}

/* A load from global memory is one of the pipe MTE2; rows that fill up a fractal are not defined, and do not count. */
TEST(KernelCubeTricky, LoadsFromGlobalMemoryAndRowsThatFillUp)
{
	BlockHost host(3);
	std::vector<float> sums;

	EXPECT_TRUE(run(
		host,
		[](half *in, float *out) {
			Cube cube(in, out);

			LoadData(cube.a2, cube.in, plain);
			SetFlag<HardEvent::MTE2_M>(0);
			cube.copy(5);
			SetFlag<HardEvent::MTE2_MTE1>(0);
			WaitFlag<HardEvent::MTE2_MTE1>(0);
			LoadData(cube.b2, cube.b1, turned);
			SetFlag<HardEvent::MTE1_M>(1);
			WaitFlag<HardEvent::MTE2_M>(0);
			WaitFlag<HardEvent::MTE1_M>(1);
			Mmad(cube.c, cube.a2, cube.b2, product());
			Cube::all();
			LoadData(cube.a2, cube.a1, plain);
			Cube::all();
			Mmad(cube.c[ELEMENTS], cube.a2, cube.b2, product(5));
			Cube::all();
			Fixpipe(cube.out, cube.c, whole());
			Fixpipe(cube.out[ELEMENTS], cube.c[ELEMENTS], whole(5));
		},
		&sums))
		<< host.failure().sentence << " at line " << host.failure().line;
	EXPECT_EQ(sums, sum_of_products(1));
}

/* Kernels that only want the cube core to run multiply short buffers, behind which nothing is. */
TEST(KernelCubeTricky, AProductOfShortBuffersSpoilsNothing)
{
	const auto multiply = [](bool has_more) {
		TPipe pipe;
		TQue<TPosition::A2, 1> a;
		TQue<TPosition::B2, 1> b;
		TQue<TPosition::CO1, 1> c;
		TBuf<TPosition::CO1> more;

		pipe.InitBuffer(a, 1, 64);
		pipe.InitBuffer(b, 1, 64);
		pipe.InitBuffer(c, 1, 128);
		if (has_more)
			pipe.InitBuffer(more, 128);
		Mmad(c.AllocTensor<float>(), a.AllocTensor<half>(), b.AllocTensor<half>(),
		     {32, 32, 32, false, 0, false, false, false});
	};

	for (uint32_t level : {1, 2}) {
		BlockHost host(level);

		host.type = KERNEL_TYPE_AIC_ONLY;
		EXPECT_EQ(host.run(1, [&] { multiply(false); }), level == 1);
		EXPECT_FALSE(host.run(1, [&] { multiply(true); }));
		EXPECT_NE(host.failure().sentence.find(level == 1 ? "Mmad: dst would reach 4096"
								  : "Mmad: fm would reach 2048"),
			  std::string::npos)
			<< host.failure().sentence;
	}
}
