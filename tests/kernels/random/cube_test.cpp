// SPDX-License-Identifier: MIT
/*
 * DOC: Random products by hand
 *
 * A and B come out of larger matrices, over L1, in one or two parts of the depth. All numbers are small integers, so
 * each order of sums has the same result.
 */
#include "random.h"

using namespace AscendC;
using namespace random_test;

namespace {

/* A matrix in global memory; rows lie @pitch elements apart. */
template <class T> struct Matrix {
	uint32_t rows, columns, pitch;
	std::vector<T> elements;

	Matrix(Draw &draw, uint32_t of_rows, uint32_t of_columns)
		: rows(of_rows), columns(of_columns),
		  pitch(of_columns + (draw.one_of(2) ? 0 : draw.number(1, 40))),
		  elements(size_t(of_rows) * pitch + 64)
	{
		for (T &element : elements)
			element = value_of<T>(draw, Values::WHOLE);
	}
	double at(uint32_t i, uint32_t j) const
	{
		return double(float(elements[size_t(i) * pitch + j]));
	}
};

/* @size rows from @row on, and columns, as columns of fractals in L1. */
template <class T>
void to_l1(const LocalTensor<T> &dst, T *memory, uint32_t pitch, uint32_t row, uint32_t column,
	   uint32_t rows, uint32_t columns)
{
	GlobalTensor<T> src;

	src.SetGlobalBuffer(memory + size_t(row) * pitch + column);
	DataCopy(dst, src, Nd2NzParams(1, rows, columns, 0, pitch, AlignUp(rows, 16u), 1, 0));
}

/* One part of a product, from @depth on. @turned: B is stored as n rows of k elements. */
template <class T> struct Part {
	static constexpr uint32_t width = 32 / sizeof(T);
	uint32_t m, n, k, depth;
	bool turned;

	uint32_t down() const { return AlignUp(m, 16u); }
	uint32_t across() const { return AlignUp(n, 16u); }
	/* Of turned elements the fractals are squares. */
	uint32_t deep() const { return AlignUp(k, turned ? width : std::max(width, 16u)); }
	uint32_t bytes_of_a() const
	{
		return std::max(down() * AlignUp(k, width) * uint32_t(sizeof(T)), 512u);
	}
	uint32_t bytes_of_b() const { return across() * deep() * uint32_t(sizeof(T)); }

	void load_a(const LocalTensor<T> &a1, T *memory, uint32_t pitch) const
	{
		if (m > 1)
			return to_l1(a1, memory, pitch, 0, depth, m, k);
		GlobalTensor<T> src;

		src.SetGlobalBuffer(memory + depth);
		DataCopy(a1, src, AlignUp(k, width));
	}
	void split_a(const LocalTensor<T> &a2, const LocalTensor<T> &a1) const
	{
		const uint32_t fractals = AlignUp(k, width) / width;

		if (m == 1) /* the row itself */
			return LoadData(a2, a1,
					LoadData2DParams(0, AlignUp(fractals, 16u) / 16, 1, 0, 0,
							 false, 0));
		for (uint32_t i = 0; i < down() / 16; i++)
			LoadData(a2[i * fractals * 16 * width], a1[i * 16 * width],
				 LoadData2DParams(0, fractals, down() / 16, 0, 0, false, 0));
	}
	void load_b(const LocalTensor<T> &b1, T *memory, uint32_t pitch) const
	{
		if (turned)
			return to_l1(b1, memory, pitch, 0, depth, n, k);
		memset(static_cast<void *>(b1.data()), 0,
		       b1.GetLength()); /* rows behind k count as 0 */
		to_l1(b1, memory, pitch, depth, 0, k, n);
	}
	void split_b(const LocalTensor<T> &b2, const LocalTensor<T> &b1) const
	{
		const uint32_t fractals = across() / 16;

		for (uint32_t i = 0; i < deep() / width; i++) {
			if (turned)
				LoadData(b2[i * fractals * 16 * width],
					 b1[i * fractals * 16 * width],
					 LoadData2DParams(0, fractals, 1, 0, 0, false, 0));
			else
				LoadData(b2[i * fractals * 256], b1[i * 256],
					 LoadData2DParams(0, fractals, AlignUp(k, 16u) / 16, 0, 0,
							  true, 0));
		}
	}
};

template <class T> struct Queues {
	TQue<TPosition::A1, 1> a1;
	TQue<TPosition::B1, 1> b1;
	TQue<TPosition::A2, 1> a2;
	TQue<TPosition::B2, 1> b2;

	void begin(TPipe &pipe, const Part<T> &most)
	{
		pipe.InitBuffer(a1, 1, most.bytes_of_a());
		pipe.InitBuffer(b1, 1, most.bytes_of_b());
		pipe.InitBuffer(a2, 1, most.bytes_of_a());
		pipe.InitBuffer(b2, 1, most.bytes_of_b());
	}
	template <class Sum>
	void multiply(const LocalTensor<Sum> &sums, const Part<T> &part, T *a, uint32_t a_pitch,
		      T *b, uint32_t b_pitch, bool adds)
	{
		auto in_a = a1.AllocTensor<T>(), in_b = b1.AllocTensor<T>();

		part.load_a(in_a, a, a_pitch);
		part.load_b(in_b, b, b_pitch);
		a1.EnQue(in_a);
		b1.EnQue(in_b);
		in_a = a1.DeQue<T>();
		in_b = b1.DeQue<T>();
		auto left = a2.AllocTensor<T>(), right = b2.AllocTensor<T>();

		part.split_a(left, in_a);
		part.split_b(right, in_b);
		a1.FreeTensor(in_a);
		b1.FreeTensor(in_b);
		a2.EnQue(left);
		b2.EnQue(right);
		left = a2.DeQue<T>();
		right = b2.DeQue<T>();
		Mmad(sums, left, right, MmadParams(part.m, part.n, part.k, 0, false, !adds));
		a2.FreeTensor(left);
		b2.FreeTensor(right);
	}
};

template <class T, class Sum> void check_product(Draw &draw)
{
	const uint32_t m = draw.one_of(4) ? 1 : draw.number(1, 70), n = draw.number(1, 70);
	const bool turned = sizeof(T) != 2 || draw.one_of(2), has_half = draw.one_of(2),
		   has_relu = draw.one_of(3);
	/* A part of a row of one begins at a block. */
	const uint32_t first = draw.one_of(2) ? 0 : draw.number(1, 3) * 32,
		       k = first + draw.number(1, 90);
	const uint32_t pitch = n + (draw.one_of(2) ? 0 : draw.number(1, 20));
	Matrix<T> a(draw, m, k), b(draw, turned ? n : k, turned ? k : n);
	kernel_test::BlockHost host(draw.number(0, 3));
	T *in_a = host.make(a.elements), *in_b = host.make(b.elements);
	Sum *out = host.zeros<Sum>(size_t(m) * pitch);
	half *out_half = host.zeros<half>(size_t(m) * pitch);

	host.type = KERNEL_TYPE_AIC_ONLY;
	const bool is_good = host.run(1, [&] {
		TPipe pipe;
		Queues<T> queues;
		TQue<TPosition::CO1, 1> c_queue;
		const Part<T> before = {m, n, first, 0, turned},
			      rest = {m, n, k - first, first, turned};

		queues.begin(pipe, {m, n, std::max(first, k - first), 0, turned});
		pipe.InitBuffer(c_queue, 1, AlignUp(m, 16u) * AlignUp(n, 16u) * sizeof(Sum));
		auto sums = c_queue.AllocTensor<Sum>();

		if (first)
			queues.multiply(sums, before, in_a, a.pitch, in_b, b.pitch, false);
		queues.multiply(sums, rest, in_a, a.pitch, in_b, b.pitch, first != 0);
		c_queue.EnQue(sums);
		sums = c_queue.template DeQue<Sum>();
		FixpipeParamsV220 fix(n, m, AlignUp(m, 16u), pitch, has_relu);

		if (has_half) {
			GlobalTensor<half> c;

			c.SetGlobalBuffer(out_half);
			fix.quantPre = std::is_same_v<Sum, float> ? F322F16 : DEQF16;
			fix.deqScalar = unpu::lang::cast_bits<uint32_t>(0.5f);
			Fixpipe(c, sums, fix);
		} else {
			GlobalTensor<Sum> c;

			c.SetGlobalBuffer(out);
			Fixpipe(c, sums, fix);
		}
		c_queue.FreeTensor(sums);
	});

	ASSERT_TRUE(is_good) << host.failure().sentence << " at line " << host.failure().line;
	for (uint32_t i = 0; i < m; i++)
		for (uint32_t j = 0; j < pitch; j++) {
			double sum = 0;

			for (uint32_t l = 0; l < k && j < n; l++)
				sum += a.at(i, l) * (turned ? b.at(j, l) : b.at(l, j));
			if (has_relu && sum < 0)
				sum = 0;
			if (has_half)
				sum = float(
					half(float(std::is_same_v<Sum, float> ? sum : sum * 0.5)));
			ASSERT_EQ(has_half ? double(float(out_half[i * pitch + j]))
					   : double(out[i * pitch + j]),
				  sum)
				<< i << " " << j << " of " << m << " x " << n << " x " << k
				<< ", turned " << turned << ", parts " << first;
		}
}

} // namespace

TEST(KernelRandom, ProductsByHand)
{
	for_seeds(60, [](Draw &draw) {
		check_product<half, float>(draw);
		check_product<bfloat16_t, float>(draw);
		check_product<float, float>(draw);
		check_product<int8_t, int32_t>(draw);
	});
}
