// SPDX-License-Identifier: MIT
/*
 * DOC: Random reductions, gathers and sorts
 *
 * Sums are of small integers, so that each order of additions has the same result.
 */
#include "random.h"

#include <algorithm>

using namespace AscendC;
using namespace random_test;

namespace {

/* The better of two; a number that is none stays where it is the first. */
template <class T> bool is_better(bool is_max, T a, T b)
{
	return is_max ? float(a) > float(b) : float(a) < float(b);
}

template <class T> T index_bits(uint32_t index)
{
	using Bits = std::conditional_t<sizeof(T) == 2, uint16_t, uint32_t>;
	const Bits bits = Bits(index);
	T value;

	memcpy(&value, &bits, sizeof(T));
	return value;
}

/* A result for each repeat that has an element. reduce(found, place) of the elements of a group, with their places. */
template <class T> struct Group {
	std::vector<T> values;
	std::vector<uint32_t> places;

	uint32_t best(bool is_max) const
	{
		uint32_t found = 0;

		for (uint32_t i = 1; i < values.size(); i++)
			if (is_better(is_max, values[i], values[found]))
				found = i;
		return found;
	}
	T sum() const
	{
		float total = 0;

		for (const T &value : values)
			total += float(value);
		return T(total);
	}
};

/* Groups of @size neighbours of each repeat. */
template <class T>
std::vector<Group<T>> groups_of(const Mask &mask, const Stride &from, const Region &src,
				uint32_t size)
{
	const uint32_t each = mask.per_repeat / size;
	std::vector<Group<T>> groups(size_t(mask.repeats) * each);

	mask.each([&](uint32_t repeat, uint32_t i) {
		Group<T> &group = groups[repeat * each + i / size];

		group.values.push_back(src.first<T>(from.at(repeat, i)));
		group.places.push_back(i);
	});
	return groups;
}

template <class T> void check_whole(Draw &draw)
{
	const Mask mask = Mask::make(draw, 256 / sizeof(T));
	const Stride from = draw_stride(draw, sizeof(T), mask.per_repeat);
	const uint32_t kind = draw.number(0, 2),
		       step = draw.number(1, 4); /* sum, maximum, minimum */
	const ReduceOrder order =
		draw.pick({ReduceOrder::ORDER_VALUE_INDEX, ReduceOrder::ORDER_INDEX_VALUE,
			   ReduceOrder::ORDER_ONLY_VALUE, ReduceOrder::ORDER_ONLY_INDEX});
	Region src = Region::make<T>(draw, mask.reach(from),
				     kind == 0 || draw.one_of(2) ? Values::WHOLE : Values::ANY);
	Region dst = Region::make<T>(draw, uint64_t(mask.repeats) * step * 8 + 32, Values::WHOLE);
	const auto groups = groups_of<T>(mask, from, src, mask.per_repeat);
	Bytes wanted = dst.before;

	for (uint32_t repeat = 0; repeat < mask.repeats; repeat++) {
		const Group<T> &group = groups[repeat];
		const uint64_t at = uint64_t(repeat) * step * sizeof(T);

		if (group.values.empty())
			continue;
		if (kind == 0) {
			Region::put(wanted, at, group.sum());
			continue;
		}
		const uint32_t best = group.best(kind == 1);
		const T index = index_bits<T>(group.places[best]);

		if (order == ReduceOrder::ORDER_ONLY_VALUE) {
			Region::put(wanted, at, group.values[best]);
		} else if (order == ReduceOrder::ORDER_ONLY_INDEX) {
			Region::put(wanted, uint64_t(repeat) * step * 4, group.places[best]);
		} else {
			const bool is_value_first = order == ReduceOrder::ORDER_VALUE_INDEX;

			Region::put(wanted, 2 * at, is_value_first ? group.values[best] : index);
			Region::put(wanted, 2 * at + sizeof(T),
				    is_value_first ? index : group.values[best]);
		}
	}
	const std::string said = run(draw.number(0, 3), {&dst, &src}, [&](Tensors &t) {
		const auto d = t[0].ReinterpretCast<T>(), s = t[1].ReinterpretCast<T>();
		const int32_t times = int32_t(mask.repeats), to = int32_t(step),
			      block = int32_t(from.block), rep = int32_t(from.repeat);

		mask.with<T>(
			[&](auto m) {
				if (kind == 0)
					WholeReduceSum<T, true>(d, s, m, times, to, block, rep);
				else if (kind == 1)
					WholeReduceMax<T, true>(d, s, m, times, to, block, rep,
								order);
				else
					WholeReduceMin<T, true>(d, s, m, times, to, block, rep,
								order);
			},
			[&] {
				const uint64_t m = MASK_PLACEHOLDER;

				if (kind == 0)
					WholeReduceSum<T, false>(d, s, m, times, to, block, rep);
				else if (kind == 1)
					WholeReduceMax<T, false>(d, s, m, times, to, block, rep,
								 order);
				else
					WholeReduceMin<T, false>(d, s, m, times, to, block, rep,
								 order);
			});
	});

	EXPECT_EQ(said, "");
	/* Bits of indices are no numbers. */
	if (kind == 0 || order == ReduceOrder::ORDER_ONLY_VALUE)
		EXPECT_TRUE(agrees<T>(dst, wanted)) << "kind " << kind;
	else
		EXPECT_TRUE((agrees<std::conditional_t<sizeof(T) == 2, uint16_t, uint32_t>>(
			dst, wanted)))
			<< "kind " << kind << ", order " << int(order);
}

enum class Part { BLOCK_SUM, BLOCK_MAX, BLOCK_MIN, PAIR_SUM };

template <class T> void check_parts(Draw &draw)
{
	const Mask mask = Mask::make(draw, 256 / sizeof(T));
	const Stride from = draw_stride(draw, sizeof(T), mask.per_repeat);
	const Part part =
		draw.pick({Part::BLOCK_SUM, Part::BLOCK_MAX, Part::BLOCK_MIN, Part::PAIR_SUM});
	const uint32_t size = part == Part::PAIR_SUM ? 2 : 32 / sizeof(T), step = draw.number(1, 3);
	const bool is_sum = part == Part::BLOCK_SUM || part == Part::PAIR_SUM;
	const uint64_t unit = part == Part::PAIR_SUM ? 128 : 8 * sizeof(T);
	Region src = Region::make<T>(draw, mask.reach(from), is_sum ? Values::WHOLE : Values::ANY);
	Region dst = Region::make<T>(draw, mask.repeats * step * unit + 32, Values::WHOLE);
	const auto groups = groups_of<T>(mask, from, src, size);
	const uint32_t each = mask.per_repeat / size;
	Bytes wanted = dst.before;

	for (uint32_t i = 0; i < groups.size(); i++) {
		const Group<T> &group = groups[i];

		if (group.values.empty())
			continue;
		Region::put(wanted, i / each * step * unit + i % each * sizeof(T),
			    is_sum ? group.sum()
				   : group.values[group.best(part == Part::BLOCK_MAX)]);
	}
	const std::string said = run(draw.number(0, 3), {&dst, &src}, [&](Tensors &t) {
		const auto d = t[0].ReinterpretCast<T>(), s = t[1].ReinterpretCast<T>();
		const int32_t times = int32_t(mask.repeats), to = int32_t(step),
			      block = int32_t(from.block), rep = int32_t(from.repeat);

		mask.with<T>(
			[&](auto m) {
				if (part == Part::BLOCK_SUM)
					BlockReduceSum<T, true>(d, s, times, m, to, block, rep);
				else if (part == Part::BLOCK_MAX)
					BlockReduceMax<T, true>(d, s, times, m, to, block, rep);
				else if (part == Part::BLOCK_MIN)
					BlockReduceMin<T, true>(d, s, times, m, to, block, rep);
				else
					PairReduceSum<T, true>(d, s, times, m, to, block, rep);
			},
			[&] {
				const uint64_t m = MASK_PLACEHOLDER;

				if (part == Part::BLOCK_SUM)
					BlockReduceSum<T, false>(d, s, times, m, to, block, rep);
				else if (part == Part::BLOCK_MAX)
					BlockReduceMax<T, false>(d, s, times, m, to, block, rep);
				else if (part == Part::BLOCK_MIN)
					BlockReduceMin<T, false>(d, s, times, m, to, block, rep);
				else
					PairReduceSum<T, false>(d, s, times, m, to, block, rep);
			});
	});

	EXPECT_EQ(said, "");
	EXPECT_TRUE(agrees<T>(dst, wanted)) << "part " << int(part) << ", mask " << int(mask.form);
}

/* One result of a tensor, by a count or by a mask. */
template <class T> void check_tensor(Draw &draw)
{
	const uint32_t kind = draw.number(0, 2);
	const bool is_counted = draw.one_of(2), has_index = draw.one_of(2);
	Mask mask = Mask::make(draw, 256 / sizeof(T));
	Stride from = {sizeof(T), 1, draw.number(0, 12)};

	while (mask.is_set())
		mask = Mask::make(draw, mask.per_repeat);
	if (is_counted) {
		mask.form = Mask::COUNTER;
		mask.count = draw.number(1, draw.one_of(4) ? 40000 : 3000);
		mask.repeats = uint32_t((mask.count + mask.per_repeat - 1) / mask.per_repeat);
		from.repeat = 8;
	} else if (draw.one_of(6)) {
		/* The mode COUNTER needs more repeats than one instruction has. */
		mask.form = Mask::COUNTER;
		mask.count = draw.number(17000, 40000);
		mask.repeats = uint32_t((mask.count + mask.per_repeat - 1) / mask.per_repeat);
		from.repeat = 8;
	}
	Region src = Region::make<T>(draw, mask.reach(from), Values::WHOLE);
	Region dst = Region::make<T>(draw, 64, Values::WHOLE),
	       scratch = Region::make<T>(draw, mask.repeats * sizeof(T), Values::WHOLE);
	Group<T> all;
	Bytes wanted = dst.before;

	if (kind == 0) /* so that sums of half stay exact */
		for (uint64_t at = 0; at < src.before.size(); at += sizeof(T))
			Region::put(src.before, at, T(draw.one_of(40) ? 1 : 0));
	mask.each([&](uint32_t repeat, uint32_t i) {
		all.values.push_back(src.first<T>(from.at(repeat, i)));
		all.places.push_back(repeat * mask.per_repeat + i);
	});
	if (kind == 0) {
		Region::put(wanted, 0, all.sum());
	} else {
		const uint32_t best = all.best(kind == 1);

		Region::put(wanted, 0, all.values[best]);
		if (has_index)
			Region::put(wanted, sizeof(T), index_bits<T>(all.places[best]));
	}
	const std::string said = run(draw.number(0, 3), {&dst, &src, &scratch}, [&](Tensors &t) {
		const auto d = t[0].ReinterpretCast<T>(), s = t[1].ReinterpretCast<T>(),
			   w = t[2].ReinterpretCast<T>();
		const int32_t count = int32_t(mask.count), times = int32_t(mask.repeats),
			      rep = int32_t(from.repeat);

		if (is_counted) {
			if (kind == 0)
				ReduceSum(d, s, w, count);
			else if (kind == 1)
				ReduceMax(d, s, w, count, has_index);
			else
				ReduceMin(d, s, w, count, has_index);
			return;
		}
		mask.with<T>(
			[&](auto m) {
				if (kind == 0)
					ReduceSum(d, s, w, m, times, rep);
				else if (kind == 1)
					ReduceMax(d, s, w, m, times, rep, has_index);
				else
					ReduceMin(d, s, w, m, times, rep, has_index);
			},
			[] {});
	});

	EXPECT_EQ(said, "");
	EXPECT_TRUE((agrees<std::conditional_t<sizeof(T) == 2, uint16_t, uint32_t>>(dst, wanted)))
		<< "kind " << kind << ", mask " << int(mask.form) << ", counted " << is_counted
		<< ", " << mask.count;
}

enum class Axis { SUM, MEAN, MAX, MIN, PROD, ANY, ALL };

template <class T, class P>
void call(Axis axis, const LocalTensor<T> &d, const LocalTensor<T> &s,
	  const LocalTensor<uint8_t> &w, const uint32_t shape[], bool is_padded)
{
	if constexpr (!std::is_same_v<T, uint8_t>) {
		if (axis == Axis::SUM)
			return ReduceSum<T, P>(d, s, w, shape, is_padded);
		if (axis == Axis::MEAN)
			return ReduceMean<T, P>(d, s, w, shape, is_padded);
		if (axis == Axis::MAX)
			return ReduceMax<T, P, true>(d, s, shape, is_padded);
		if (axis == Axis::MIN)
			return ReduceMin<T, P>(d, s, w, shape, is_padded);
		if (axis == Axis::PROD)
			return ReduceProd<T, P>(d, s, shape, is_padded);
	}
	if constexpr (!std::is_same_v<T, half>) {
		if (axis == Axis::ANY)
			return ReduceAny<T, P>(d, s, w, shape, is_padded);
		ReduceAll<T, P, false>(d, s, shape, is_padded);
	}
}

/* Rows or columns of a matrix whose rows begin at blocks. */
template <class T> void check_axis(Draw &draw)
{
	const Axis axis =
		std::is_same_v<T, uint8_t> ? draw.pick({Axis::ANY, Axis::ALL})
		: std::is_same_v<T, half>
			? draw.pick({Axis::SUM, Axis::MEAN, Axis::MAX, Axis::MIN, Axis::PROD})
			: Axis(draw.number(0, 6));
	const bool has_rows = draw.one_of(2),
		   is_bits = axis == Axis::ANY || axis == Axis::ALL || axis == Axis::PROD;
	const uint32_t shape[2] = {draw.number(1, 40), draw.number(1, 300)};
	const uint32_t pitch =
		(shape[1] * uint32_t(sizeof(T)) + 31) / 32 * 32 / uint32_t(sizeof(T));
	const bool is_padded = pitch != shape[1] || draw.one_of(2);
	Region src = Region::make<T>(draw, shape[0] * pitch * sizeof(T), Values::WHOLE);
	Region dst = Region::make<T>(draw, std::max(shape[0], shape[1]) * sizeof(T) + 32,
				     Values::WHOLE),
	       scratch = dst;
	Bytes wanted = dst.before;

	for (uint64_t at = 0; is_bits && at < src.before.size(); at += sizeof(T))
		Region::put(src.before, at, T(draw.one_of(8) == (axis == Axis::ANY)));
	for (uint32_t i = 0; i < shape[has_rows ? 0 : 1]; i++) {
		double result = 0;

		for (uint32_t j = 0; j < shape[has_rows ? 1 : 0]; j++) {
			const double value = double(float(src.first<T>(
				(has_rows ? i * pitch + j : j * pitch + i) * sizeof(T))));

			if (j == 0)
				result = value;
			else if (axis == Axis::SUM || axis == Axis::MEAN)
				result += value;
			else if (axis == Axis::PROD)
				result *= value;
			else
				result = axis == Axis::MAX || axis == Axis::ANY
						 ? std::max(result, value)
						 : std::min(result, value);
		}
		if (axis == Axis::MEAN)
			result = float(result) / float(shape[has_rows ? 1 : 0]);
		Region::put(wanted, i * sizeof(T), T(float(result)));
	}
	const std::string said = run(draw.number(0, 3), {&dst, &src, &scratch}, [&](Tensors &t) {
		const auto d = t[0].ReinterpretCast<T>(), s = t[1].ReinterpretCast<T>();

		if (has_rows)
			call<T, AscendC::Pattern::Reduce::AR>(axis, d, s, t[2], shape, is_padded);
		else
			call<T, AscendC::Pattern::Reduce::RA>(axis, d, s, t[2], shape, is_padded);
	});

	EXPECT_EQ(said, "");
	EXPECT_TRUE(agrees<T>(dst, wanted)) << "axis " << int(axis) << ", rows " << has_rows;
}

template <class T> void check_gather(Draw &draw)
{
	using Bits = std::conditional_t<sizeof(T) == 2, uint16_t, uint32_t>;
	const uint32_t elements = draw.number(1, 600), count = draw.number(1, 600);
	const uint32_t base = draw.one_of(2) ? 0 : draw.number(0, elements - 1);
	Region src = Region::make<T>(draw, elements * sizeof(T), Values::BITS);
	Region offsets = Region::make<uint32_t>(draw, count * 4, Values::BITS);
	Region dst = Region::make<T>(draw, count * sizeof(T) + 32, Values::BITS);
	Bytes wanted = dst.before;

	for (uint32_t i = 0; i < count; i++) {
		const uint32_t index = draw.number(0, elements - 1 - base);

		Region::put(offsets.before, i * 4, uint32_t(index * sizeof(T)));
		Region::put(wanted, i * sizeof(T), src.first<T>((base + index) * sizeof(T)));
	}
	const std::string said = run(draw.number(0, 3), {&dst, &src, &offsets}, [&](Tensors &t) {
		Gather(t[0].ReinterpretCast<T>(), t[1].ReinterpretCast<T>(),
		       t[2].ReinterpretCast<uint32_t>(), uint32_t(base * sizeof(T)), count);
	});

	EXPECT_EQ(said, "");
	EXPECT_TRUE(agrees<Bits>(dst, wanted));
}

/* By a number of a pattern or by bits of a tensor, in whole repeats or in those that the mask cuts. */
template <class T> void check_gather_mask(Draw &draw)
{
	using Bits = std::conditional_t<sizeof(T) == 2, uint16_t, uint32_t>;
	const bool has_bits = draw.one_of(2), is_cut = draw.one_of(2);
	const uint32_t per_repeat = 256 / sizeof(T), repeats = draw.number(1, 5),
		       pattern = draw.number(1, 7);
	const uint32_t taken = is_cut ? draw.number(1, per_repeat) : per_repeat;
	const Stride from = draw_stride(draw, sizeof(T), per_repeat);
	const uint32_t bits_step = draw.number(0, 2);
	Region src = Region::make<T>(
		draw, from.at(repeats - 1, per_repeat - 1) + from.at(0, per_repeat - 1) + 32,
		Values::BITS);
	Region bits = Region::make<uint8_t>(draw, (repeats - 1) * bits_step * 32 + per_repeat / 8,
					    Values::BITS);
	Region dst = Region::make<T>(draw, repeats * 256 + 32, Values::BITS);
	Bytes wanted = dst.before;
	uint64_t kept = 0, found = 0;

	for (uint32_t repeat = 0; repeat < repeats; repeat++)
		for (uint32_t i = 0; i < taken; i++) {
			const uint32_t bit = repeat * bits_step * 256 + i;
			const bool is_taken = has_bits	     ? bits.before[bit / 8] >> bit % 8 & 1
					      : pattern == 7 ? true
					      : pattern <= 2 ? i % 2 == pattern - 1
							     : i % 4 == pattern - 3;

			if (is_taken)
				Region::put(wanted, kept++ * sizeof(T),
					    src.first<T>(from.at(repeat, i)));
		}
	const std::string said = run(draw.number(0, 3), {&dst, &src, &bits}, [&](Tensors &t) {
		const auto d = t[0].ReinterpretCast<T>(), s = t[1].ReinterpretCast<T>();
		const GatherMaskParams params(from.block, repeats, from.repeat, bits_step);

		if (has_bits)
			GatherMask(d, s, t[2].ReinterpretCast<Bits>(), is_cut, taken, params,
				   found);
		else
			GatherMask(d, s, uint8_t(pattern), is_cut, taken, params, found);
	});

	EXPECT_EQ(said, "");
	EXPECT_EQ(found, kept);
	EXPECT_TRUE(agrees<Bits>(dst, wanted)) << "bits " << has_bits << ", pattern " << pattern;
}

template <class T> struct Record {
	T score;
	uint32_t index;
};

template <class T> Record<T> record_at(const Bytes &bytes, uint64_t i)
{
	return {Region::get<T>(bytes, i * 8), Region::get<uint32_t>(bytes, i * 8 + 4)};
}

template <class T>
::testing::AssertionResult are_records(const Bytes &bytes, const std::vector<Record<T>> &wanted)
{
	for (size_t i = 0; i < wanted.size(); i++) {
		const Record<T> found = record_at<T>(bytes, i);

		if (float(found.score) != float(wanted[i].score) || found.index != wanted[i].index)
			return ::testing::AssertionFailure()
			       << "record " << i << ": " << float(found.score) << " " << found.index
			       << ", wanted " << float(wanted[i].score) << " " << wanted[i].index;
	}
	return ::testing::AssertionSuccess();
}

/* Groups of 32 are sorted, four lists are merged, and records are taken apart. */
template <class T> void check_sort(Draw &draw)
{
	const uint32_t groups = draw.number(2, 4), count = groups * 32;
	Region score = Region::make<T>(draw, count * sizeof(T), Values::WHOLE);
	Region index = Region::make<uint32_t>(draw, count * 4, Values::BITS);
	Region sorted = Region::make<uint8_t>(draw, count * 8, Values::BITS), merged = sorted,
	       values = score, indices = index;
	std::vector<Record<T>> all;
	const auto is_before = [](const Record<T> &a, const Record<T> &b) {
		return float(a.score) > float(b.score);
	};

	for (uint32_t i = 0; i < count; i++)
		all.push_back({score.first<T>(i * sizeof(T)), index.first<uint32_t>(i * 4)});
	for (uint32_t i = 0; i < groups; i++)
		std::stable_sort(all.begin() + i * 32, all.begin() + i * 32 + 32, is_before);
	std::vector<Record<T>> whole = all;
	std::stable_sort(whole.begin(), whole.end(), is_before);
	uint16_t taken[4] = {};
	const std::string said = run(
		draw.number(0, 3), {&score, &index, &sorted, &merged, &values, &indices},
		[&](Tensors &t) {
			const auto list = t[2].ReinterpretCast<T>(), to = t[3].ReinterpretCast<T>();
			const uint32_t step = 32 * 8 / sizeof(T), last = groups - 1;

			Sort32(list, t[0].ReinterpretCast<T>(), t[1].ReinterpretCast<uint32_t>(),
			       int32_t(groups));
			PipeBarrier<PIPE_V>();
			const uint16_t lengths[4] = {32, 32, uint16_t(groups > 2 ? 32 : 0),
						     uint16_t(groups > 3 ? 32 : 0)};
			const MrgSort4Info info(lengths, false, uint16_t((1 << groups) - 1), 1);

			MrgSort(to,
				MrgSortSrcList<T>(list, list[step], list[std::min(2u, last) * step],
						  list[last * step]),
				info);
			GetMrgSortResult(taken[0], taken[1], taken[2], taken[3]);
			PipeBarrier<PIPE_V>();
			Extract(t[4].ReinterpretCast<T>(), t[5].ReinterpretCast<uint32_t>(), to,
				int32_t(groups));
		});

	EXPECT_EQ(said, "");
	EXPECT_TRUE(are_records<T>(sorted.after, all));
	EXPECT_TRUE(are_records<T>(merged.after, whole));
	EXPECT_EQ(uint32_t(taken[0] + taken[1] + taken[2] + taken[3]), count);
	for (uint32_t i = 0; i < count; i++) {
		EXPECT_EQ(float(Region::get<T>(values.after, i * sizeof(T))),
			  float(whole[i].score));
		EXPECT_EQ(Region::get<uint32_t>(indices.after, i * 4), whole[i].index);
	}
}

} // namespace

TEST(KernelRandom, ReductionsOfRepeats)
{
	for_seeds(200, [](Draw &draw) {
		check_whole<half>(draw);
		check_whole<float>(draw);
	});
}

TEST(KernelRandom, ReductionsOfBlocksAndPairs)
{
	for_seeds(200, [](Draw &draw) {
		check_parts<half>(draw);
		check_parts<float>(draw);
	});
}

TEST(KernelRandom, ReductionsOfTensors)
{
	for_seeds(100, [](Draw &draw) {
		check_tensor<half>(draw);
		check_tensor<float>(draw);
	});
}

TEST(KernelRandom, ReductionsOfOneAxis)
{
	for_seeds(100, [](Draw &draw) {
		check_axis<half>(draw);
		check_axis<float32_t>(draw);
		check_axis<uint8_t>(draw);
	});
}

TEST(KernelRandom, Gathers)
{
	for_seeds(100, [](Draw &draw) {
		check_gather<half>(draw);
		check_gather<uint32_t>(draw);
		check_gather_mask<half>(draw);
		check_gather_mask<float>(draw);
	});
}

TEST(KernelRandom, Sorts)
{
	for_seeds(60, [](Draw &draw) {
		check_sort<half>(draw);
		check_sort<float>(draw);
	});
}
