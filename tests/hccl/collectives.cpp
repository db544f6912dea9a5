// SPDX-License-Identifier: MIT
/*
 * DOC: tests of the collective calls
 *
 * Each call with each number of ranks, against plain loops. Sizes are below and above the border between the two
 * schedules of a reduction, at the end of a part, and more than one buffer.
 */
#include "oracle.h"
#include "ranks.h"

#include <numeric>

namespace hccl_test {

class Collectives : public testing::TestWithParam<uint32_t> {
protected:
	static void SetUpTestSuite() { ASSERT_EQ(aclInit(nullptr), 0); }
	static void TearDownTestSuite() { ASSERT_EQ(aclFinalize(), 0); }
};

/* Elements: none, one, odd numbers, and one more than the ranks' parts or lines. */
static const std::vector<size_t> SIZES = {0, 1, 3, 17, 1000, 20011};

static const std::vector<HcclReduceOp> OPS = {HCCL_REDUCE_SUM, HCCL_REDUCE_PROD, HCCL_REDUCE_MAX,
					      HCCL_REDUCE_MIN};

static std::vector<Bytes> data_of(uint32_t ranks, HcclDataType type, size_t count)
{
	std::vector<Bytes> data;
	for (uint32_t rank = 0; rank < ranks; rank++)
		data.push_back(numbers(type, count, rank + 1));
	return data;
}

static Bytes part_of(const Bytes &bytes, size_t from, size_t size)
{
	return Bytes(bytes.begin() + static_cast<ptrdiff_t>(from),
		     bytes.begin() + static_cast<ptrdiff_t>(from + size));
}

static void check_all_reduce(Ranks &ranks, HcclDataType type, HcclReduceOp op, size_t count,
			     bool in_place)
{
	const std::vector<Bytes> data = data_of(ranks.size(), type, count);
	const Bytes expected = fold(type, op, data);
	std::vector<void *> sends;
	std::vector<void *> results;
	for (uint32_t rank = 0; rank < ranks.size(); rank++) {
		sends.push_back(ranks.put(rank, data[rank]));
		results.push_back(in_place ? sends[rank]
					   : ranks.put(rank, Bytes(count * width(type), 0xee)));
	}
	ranks.each([&](uint32_t rank) {
		EXPECT_EQ(HcclAllReduce(sends[rank], results[rank], count, type, op,
					ranks.comm(rank), ranks.stream(rank)),
			  HCCL_SUCCESS)
			<< take_message();
	});
	ranks.finish();
	for (uint32_t rank = 0; rank < ranks.size(); rank++)
		EXPECT_TRUE(ranks.get(rank, results[rank], expected.size()) == expected)
			<< "type " << type << " op " << op << " count " << count << " rank "
			<< rank;
	ranks.free_memory();
}

TEST_P(Collectives, AllReduceIsAFoldInTheOrderOfTheRanks)
{
	Ranks ranks(GetParam());
	for (HcclDataType type : reduced_types()) {
		for (HcclReduceOp op : OPS) {
			for (size_t count : SIZES)
				check_all_reduce(ranks, type, op, count, count % 2 == 1);
		}
	}
}

TEST_P(Collectives, AllReduceOfMoreThanABuffer)
{
	Ranks ranks(GetParam());
	check_all_reduce(ranks, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, (1 << 18) + 4099, false);
	check_all_reduce(ranks, HCCL_DATA_TYPE_INT16, HCCL_REDUCE_SUM, (5 << 18) / 2 + 1, true);
}

TEST_P(Collectives, ReduceIsForTheRootAlone)
{
	Ranks ranks(GetParam());
	for (HcclDataType type : reduced_types()) {
		const size_t count = 3001;
		const uint32_t root = static_cast<uint32_t>(type) % ranks.size();
		const HcclReduceOp op = OPS[static_cast<size_t>(type) % OPS.size()];
		const std::vector<Bytes> data = data_of(ranks.size(), type, count);
		std::vector<void *> sends;
		for (uint32_t rank = 0; rank < ranks.size(); rank++)
			sends.push_back(ranks.put(rank, data[rank]));
		void *result = ranks.put(root, Bytes(count * width(type)));
		ranks.each([&](uint32_t rank) {
			EXPECT_EQ(HcclReduce(sends[rank], rank == root ? result : nullptr, count,
					     type, op, root, ranks.comm(rank), ranks.stream(rank)),
				  HCCL_SUCCESS)
				<< take_message();
		});
		ranks.finish();
		EXPECT_TRUE(ranks.get(root, result, count * width(type)) == fold(type, op, data))
			<< type;
		for (uint32_t rank = 0; rank < ranks.size(); rank++)
			EXPECT_TRUE(ranks.get(rank, sends[rank], data[rank].size()) == data[rank]);
		ranks.free_memory();
	}
}

TEST_P(Collectives, ReduceInPlaceOfTheRoot)
{
	Ranks ranks(GetParam());
	for (const size_t count : {size_t{1}, size_t{3001}, (size_t{1} << 19) + 7}) {
		const uint32_t root = static_cast<uint32_t>(count) % ranks.size();
		const std::vector<Bytes> data = data_of(ranks.size(), HCCL_DATA_TYPE_FP32, count);
		std::vector<void *> buffers;
		for (uint32_t rank = 0; rank < ranks.size(); rank++)
			buffers.push_back(ranks.put(rank, data[rank]));
		ranks.each([&](uint32_t rank) {
			EXPECT_EQ(HcclReduce(buffers[rank], buffers[rank], count,
					     HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, root,
					     ranks.comm(rank), ranks.stream(rank)),
				  HCCL_SUCCESS)
				<< take_message();
		});
		ranks.finish();
		for (uint32_t rank = 0; rank < ranks.size(); rank++)
			EXPECT_TRUE(ranks.get(rank, buffers[rank], data[rank].size()) ==
				    (rank == root ? fold(HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, data)
						  : data[rank]))
				<< rank;
		ranks.free_memory();
	}
}

TEST_P(Collectives, BroadcastFromEachRoot)
{
	Ranks ranks(GetParam());
	for (HcclDataType type : copied_types()) {
		for (size_t count : {size_t{0}, size_t{1}, size_t{20011}, (size_t{1} << 20) + 1}) {
			if (count > 100000 && type != HCCL_DATA_TYPE_UINT8)
				continue;
			const uint32_t root = static_cast<uint32_t>(type + count) % ranks.size();
			const std::vector<Bytes> data = data_of(ranks.size(), type, count);
			std::vector<void *> buffers;
			for (uint32_t rank = 0; rank < ranks.size(); rank++)
				buffers.push_back(ranks.put(rank, data[rank]));
			ranks.each([&](uint32_t rank) {
				EXPECT_EQ(HcclBroadcast(buffers[rank], count, type, root,
							ranks.comm(rank), ranks.stream(rank)),
					  HCCL_SUCCESS)
					<< take_message();
			});
			ranks.finish();
			for (uint32_t rank = 0; rank < ranks.size(); rank++)
				EXPECT_TRUE(ranks.get(rank, buffers[rank], data[root].size()) ==
					    data[root]);
			ranks.free_memory();
		}
	}
}

static void check_all_gather(Ranks &ranks, HcclDataType type, size_t count, bool in_place)
{
	const std::vector<Bytes> data = data_of(ranks.size(), type, count);
	const size_t bytes = count * width(type);
	Bytes expected;
	for (const Bytes &each : data)
		expected.insert(expected.end(), each.begin(), each.end());
	std::vector<uint8_t *> sends;
	std::vector<uint8_t *> results;
	for (uint32_t rank = 0; rank < ranks.size(); rank++) {
		Bytes start(expected.size(), 0xee);
		std::copy(data[rank].begin(), data[rank].end(), start.begin() + rank * bytes);
		results.push_back(static_cast<uint8_t *>(ranks.put(rank, start)));
		sends.push_back(in_place ? results[rank] + rank * bytes
					 : static_cast<uint8_t *>(ranks.put(rank, data[rank])));
	}
	ranks.each([&](uint32_t rank) {
		EXPECT_EQ(HcclAllGather(sends[rank], results[rank], count, type, ranks.comm(rank),
					ranks.stream(rank)),
			  HCCL_SUCCESS)
			<< take_message();
	});
	ranks.finish();
	for (uint32_t rank = 0; rank < ranks.size(); rank++)
		EXPECT_TRUE(ranks.get(rank, results[rank], expected.size()) == expected)
			<< type << " " << count << " " << rank;
	ranks.free_memory();
}

TEST_P(Collectives, AllGather)
{
	Ranks ranks(GetParam());
	for (HcclDataType type : copied_types()) {
		for (size_t count : SIZES)
			check_all_gather(ranks, type, count, count % 2 == 1);
	}
	check_all_gather(ranks, HCCL_DATA_TYPE_INT64, (1 << 17) + 3, false);
}

static void check_reduce_scatter(Ranks &ranks, HcclDataType type, HcclReduceOp op, size_t count,
				 bool in_place)
{
	const size_t bytes = count * width(type);
	const std::vector<Bytes> data = data_of(ranks.size(), type, count * ranks.size());
	const Bytes whole = fold(type, op, data);
	std::vector<uint8_t *> sends;
	std::vector<uint8_t *> results;
	for (uint32_t rank = 0; rank < ranks.size(); rank++) {
		sends.push_back(static_cast<uint8_t *>(ranks.put(rank, data[rank])));
		results.push_back(
			in_place ? sends[rank] + rank * bytes
				 : static_cast<uint8_t *>(ranks.put(rank, Bytes(bytes, 0xee))));
	}
	ranks.each([&](uint32_t rank) {
		EXPECT_EQ(HcclReduceScatter(sends[rank], results[rank], count, type, op,
					    ranks.comm(rank), ranks.stream(rank)),
			  HCCL_SUCCESS)
			<< take_message();
	});
	ranks.finish();
	for (uint32_t rank = 0; rank < ranks.size(); rank++)
		EXPECT_TRUE(ranks.get(rank, results[rank], bytes) ==
			    part_of(whole, rank * bytes, bytes))
			<< "type " << type << " op " << op << " count " << count << " rank "
			<< rank;
	ranks.free_memory();
}

TEST_P(Collectives, ReduceScatter)
{
	Ranks ranks(GetParam());
	for (HcclDataType type : reduced_types()) {
		for (HcclReduceOp op : OPS) {
			for (size_t count : {size_t{0}, size_t{1}, size_t{1003}})
				check_reduce_scatter(ranks, type, op, count, count % 2 == 1);
		}
	}
	check_reduce_scatter(ranks, HCCL_DATA_TYPE_INT32, HCCL_REDUCE_SUM,
			     (1 << 18) / ranks.size() + 5, true);
}

TEST_P(Collectives, PartsOfDifferentSizes)
{
	Ranks ranks(GetParam());
	const uint32_t size = ranks.size();
	std::vector<uint64_t> counts(size);
	std::vector<uint64_t> offsets(size);
	uint64_t total = 0;
	for (uint32_t rank = 0; rank < size; rank++) {
		counts[rank] = rank % 3 == 1 ? 0 : 1000 * rank + 5;
		offsets[rank] = total + 3; /* with gaps */
		total = offsets[rank] + counts[rank];
	}
	std::vector<Bytes> whole = data_of(size, HCCL_DATA_TYPE_INT32, total);
	std::vector<void *> gathered;
	std::vector<void *> wholes;
	std::vector<void *> parts;
	for (uint32_t rank = 0; rank < size; rank++) {
		gathered.push_back(ranks.put(rank, Bytes(total * 4, 0xee)));
		wholes.push_back(ranks.put(rank, whole[rank]));
		parts.push_back(ranks.put(rank, Bytes(counts[rank] * 4)));
	}
	ranks.each([&](uint32_t rank) {
		EXPECT_EQ(HcclReduceScatterV(wholes[rank], counts.data(), offsets.data(),
					     parts[rank], counts[rank], HCCL_DATA_TYPE_INT32,
					     HCCL_REDUCE_SUM, ranks.comm(rank), ranks.stream(rank)),
			  HCCL_SUCCESS)
			<< take_message();
		EXPECT_EQ(HcclAllGatherV(parts[rank], counts[rank], gathered[rank], counts.data(),
					 offsets.data(), HCCL_DATA_TYPE_INT32, ranks.comm(rank),
					 ranks.stream(rank)),
			  HCCL_SUCCESS)
			<< take_message();
	});
	ranks.finish();
	const Bytes sum = fold(HCCL_DATA_TYPE_INT32, HCCL_REDUCE_SUM, whole);
	Bytes expected(total * 4, 0xee);
	for (uint32_t rank = 0; rank < size; rank++)
		std::copy_n(sum.begin() + static_cast<ptrdiff_t>(offsets[rank] * 4),
			    counts[rank] * 4,
			    expected.begin() + static_cast<ptrdiff_t>(offsets[rank] * 4));
	for (uint32_t rank = 0; rank < size; rank++)
		EXPECT_TRUE(ranks.get(rank, gathered[rank], expected.size()) == expected) << rank;
}

TEST_P(Collectives, ScatterFromEachRoot)
{
	Ranks ranks(GetParam());
	for (uint32_t root = 0; root < ranks.size(); root++) {
		const size_t count = root == 0 ? 140003 : 33;
		const Bytes data = numbers(HCCL_DATA_TYPE_FP64, count * ranks.size(), root);
		void *send = ranks.put(root, data);
		std::vector<void *> results;
		for (uint32_t rank = 0; rank < ranks.size(); rank++)
			results.push_back(ranks.put(rank, Bytes(count * 8)));
		ranks.each([&](uint32_t rank) {
			EXPECT_EQ(HcclScatter(rank == root ? send : nullptr, results[rank], count,
					      HCCL_DATA_TYPE_FP64, root, ranks.comm(rank),
					      ranks.stream(rank)),
				  HCCL_SUCCESS)
				<< take_message();
		});
		ranks.finish();
		for (uint32_t rank = 0; rank < ranks.size(); rank++)
			EXPECT_TRUE(ranks.get(rank, results[rank], count * 8) ==
				    part_of(data, rank * count * 8, count * 8))
				<< root << " " << rank;
		ranks.free_memory();
	}
}

/* From rank i to rank j go so many elements. */
static uint64_t count_between(uint32_t from, uint32_t to)
{
	return (from + 2 * to) % 5 == 0 ? 0
					: 100 * from + 7 * to + (from == 1 && to == 0 ? 300000 : 0);
}

TEST_P(Collectives, AllToAllOfDifferentSizes)
{
	Ranks ranks(GetParam());
	const uint32_t size = ranks.size();
	std::vector<uint64_t> matrix;
	for (uint32_t from = 0; from < size; from++) {
		for (uint32_t to = 0; to < size; to++)
			matrix.push_back(count_between(from, to));
	}
	std::vector<Bytes> data;
	std::vector<Bytes> expected(size);
	for (uint32_t from = 0; from < size; from++) {
		uint64_t total = 0;
		for (uint32_t to = 0; to < size; to++)
			total += count_between(from, to);
		data.push_back(numbers(HCCL_DATA_TYPE_UINT32, total, from + 1));
		uint64_t at = 0;
		for (uint32_t to = 0; to < size; to++) {
			const Bytes part = part_of(data[from], at * 4, count_between(from, to) * 4);
			expected[to].insert(expected[to].end(), part.begin(), part.end());
			at += count_between(from, to);
		}
	}
	for (const bool has_matrix : {false, true}) {
		std::vector<void *> sends;
		std::vector<void *> results;
		for (uint32_t rank = 0; rank < size; rank++) {
			sends.push_back(ranks.put(rank, data[rank]));
			results.push_back(ranks.put(rank, Bytes(expected[rank].size(), 0xee)));
		}
		ranks.each([&](uint32_t rank) {
			std::vector<uint64_t> out(size), in(size), out_at(size), in_at(size);
			for (uint32_t other = 0; other < size; other++) {
				out[other] = count_between(rank, other);
				in[other] = count_between(other, rank);
			}
			std::exclusive_scan(out.begin(), out.end(), out_at.begin(), uint64_t{0});
			std::exclusive_scan(in.begin(), in.end(), in_at.begin(), uint64_t{0});
			const HcclDataType type = HCCL_DATA_TYPE_UINT32;
			EXPECT_EQ(has_matrix ? HcclAlltoAllVC(sends[rank], matrix.data(), type,
							      results[rank], type, ranks.comm(rank),
							      ranks.stream(rank))
					     : HcclAlltoAllV(sends[rank], out.data(), out_at.data(),
							     type, results[rank], in.data(),
							     in_at.data(), type, ranks.comm(rank),
							     ranks.stream(rank)),
				  HCCL_SUCCESS)
				<< take_message();
		});
		ranks.finish();
		for (uint32_t rank = 0; rank < size; rank++)
			EXPECT_TRUE(ranks.get(rank, results[rank], expected[rank].size()) ==
				    expected[rank])
				<< rank;
		ranks.free_memory();
	}
}

TEST_P(Collectives, AllToAllInPlaceTransposes)
{
	Ranks ranks(GetParam());
	const uint32_t size = ranks.size();
	const size_t bytes = 70001 * 2;
	const std::vector<Bytes> data = data_of(size, HCCL_DATA_TYPE_FP16, 70001 * size);
	std::vector<void *> buffers;
	for (uint32_t rank = 0; rank < size; rank++)
		buffers.push_back(ranks.put(rank, data[rank]));
	ranks.each([&](uint32_t rank) {
		EXPECT_EQ(HcclAlltoAll(buffers[rank], 70001, HCCL_DATA_TYPE_FP16, buffers[rank],
				       70001, HCCL_DATA_TYPE_FP16, ranks.comm(rank),
				       ranks.stream(rank)),
			  HCCL_SUCCESS)
			<< take_message();
		EXPECT_EQ(HcclBarrier(ranks.comm(rank), ranks.stream(rank)), HCCL_SUCCESS);
	});
	ranks.finish();
	for (uint32_t rank = 0; rank < size; rank++) {
		const Bytes found = ranks.get(rank, buffers[rank], bytes * size);
		for (uint32_t from = 0; from < size; from++)
			EXPECT_TRUE(part_of(found, from * bytes, bytes) ==
				    part_of(data[from], rank * bytes, bytes))
				<< from << " " << rank;
	}
}

INSTANTIATE_TEST_SUITE_P(Ranks, Collectives, testing::Values(1, 2, 3, 4, 5, 8));

} // namespace hccl_test
