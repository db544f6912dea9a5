// SPDX-License-Identifier: MIT
/*
 * DOC: What kernels have accessed
 *
 * A bit for each byte says what the lists have to be. Workers give them to clients that ask for them.
 */
#include <bitset>
#include <cstring>
#include <random>

#include "kernel_client.h"
#include "kernels/runner/accesses.h"

namespace {

using namespace kernels;
using runner::Accesses;

constexpr uint64_t BASE = 0x10000, BYTES = 4096;
using Bits = std::bitset<BYTES>;

/* One allocation in the first half of the bytes, and another one in the second half. */
bool find_half(uint64_t address, unpu_kernel_memory_range &range)
{
	const uint64_t half = (address - BASE) / (BYTES / 2);
	range = {BASE + half * (BYTES / 2), BYTES / 2};
	return true;
}

Bits bits_of(const unpu_kernel_access &access)
{
	Bits bits;
	for (uint32_t part = 0; part < access.count; part++) {
		for (uint64_t i = 0; i < access.bytes; i++)
			bits.set(access.start - BASE + part * access.stride + i);
	}
	return bits;
}

/* All bytes of one kind. */
Bits bits_of(const std::vector<unpu_kernel_access> &list, uint32_t kind)
{
	Bits bits;
	for (const unpu_kernel_access &access : list) {
		if (access.kind == kind)
			bits |= bits_of(access);
	}
	return bits;
}

bool is_same(const unpu_kernel_access &access, const unpu_kernel_access &wanted)
{
	return memcmp(&access, &wanted, sizeof(access)) == 0;
}

/* Ranges without an order, of which no two have the same distance. */
void add_scattered(Accesses &accesses, uint64_t from, uint64_t count,
		   const runner::HomeFinder &find)
{
	for (uint64_t i = 0; i < count; i++)
		accesses.add(from + i * 6, 1 + i % 2, 0, find);
}

class KernelObserved : public testing::TestWithParam<uint32_t> {
protected:
	void SetUp() override
	{
		SKIP_WITHOUT_WORKERS();
		client.load_good();
	}

	Status tell(const std::vector<uint64_t> &list, uint32_t blocks = 1, bool fails = false)
	{
		memcpy(memory.as<uint64_t>(), list.data(), list.size() * sizeof(list[0]));
		return client.run("tell", blocks, {memory.va, list.size() / 3, fails});
	}

	KernelClient client{GetParam()};
	Memory memory = client.memory(1 << 20);
};

INSTANTIATE_TEST_SUITE_P(, KernelObserved, testing::Values(0u, UNPU_FEATURE_STEPPED));

} // namespace

TEST(KernelAccesses, HaveTheBytesOfTheirParts)
{
	std::mt19937 random(1);
	for (unsigned round = 0; round < 2000; round++) {
		Accesses all, parts[3];
		Bits wanted[3];
		const unsigned count = 1 + random() % 20;
		for (unsigned i = 0; i < count; i++) {
			const uint64_t at = random() % BYTES;
			const uint64_t bytes = std::min<uint64_t>(random() % 300, BYTES - at);
			const uint32_t kind = random() % 3;
			parts[random() % 3].add(BASE + at, bytes, kind, find_half);
			for (uint64_t byte = 0; byte < bytes; byte++)
				wanted[kind].set(at + byte);
		}
		for (const Accesses &part : parts)
			all.add(part, find_half);
		const auto list = all.list(find_half);
		for (uint32_t kind = 0; kind < 3; kind++)
			ASSERT_EQ(bits_of(list, kind), wanted[kind]) << round;
		const Bits before[] = {wanted[1] | wanted[2], Bits(), wanted[1]};
		for (const unpu_kernel_access &access : list)
			EXPECT_EQ(access.flags == UNPU_KERNEL_ACCESS_OWN,
				  (bits_of(access) & before[access.kind]).any())
				<< round;
	}
}

TEST(KernelAccesses, AreOneWithASteadyDistance)
{
	Accesses accesses;
	for (uint64_t row = 0; row < 16; row++)
		accesses.add(BASE + row * 128, 32, 1, find_half);
	const auto list = accesses.list(find_half);
	ASSERT_EQ(list.size(), 1u);
	EXPECT_TRUE(is_same(list[0], {BASE, 32, 128, 16, UNPU_KERNEL_ACCESS_WRITE, 0}));
	/* The seventeenth is in another allocation. */
	for (uint64_t row = 16; row < 20; row++)
		accesses.add(BASE + row * 128, 32, 1, find_half);
	const auto two = accesses.list(find_half);
	ASSERT_EQ(two.size(), 2u);
	EXPECT_TRUE(is_same(two[0], list[0]));
	EXPECT_TRUE(is_same(two[1], {BASE + 2048, 32, 128, 4, UNPU_KERNEL_ACCESS_WRITE, 0}));
}

/* What observe() gets for the part of an access that is behind the size of its tensor. */
TEST(KernelAccesses, TellWhatIsBehindATensor)
{
	constexpr uint32_t BEYOND_READ = 3, BEYOND_WRITE = 4;
	Accesses accesses;
	accesses.add(BASE, 96, 0, find_half);
	accesses.add(BASE + 64, 32, BEYOND_READ, find_half);
	accesses.add(BASE + 512, 64, 1, find_half);
	accesses.add(BASE + 544, 32, BEYOND_WRITE, find_half);
	const auto list = accesses.list(find_half);
	ASSERT_EQ(list.size(), 4u);
	EXPECT_TRUE(is_same(list[0], {BASE, 96, 0, 1, UNPU_KERNEL_ACCESS_READ, 0}));
	EXPECT_TRUE(is_same(list[1], {BASE + 512, 64, 0, 1, UNPU_KERNEL_ACCESS_WRITE, 0}));
	EXPECT_TRUE(is_same(list[2], {BASE + 64, 32, 0, 1, UNPU_KERNEL_ACCESS_READ,
				      UNPU_KERNEL_ACCESS_BEYOND}));
	EXPECT_TRUE(is_same(list[3], {BASE + 544, 32, 0, 1, UNPU_KERNEL_ACCESS_WRITE,
				      UNPU_KERNEL_ACCESS_BEYOND}));
}

TEST(KernelAccesses, AreOneForEachAllocationIfThereAreTooMany)
{
	Accesses accesses;
	add_scattered(accesses, BASE, UNPU_KERNEL_MAX_ACCESSES, find_half);
	EXPECT_EQ(accesses.list(find_half).size(), UNPU_KERNEL_MAX_ACCESSES);
	accesses.add(BASE + 2048, 7, 0, find_half);
	accesses.add(BASE + 4000, 1, 0, find_half);
	accesses.add(BASE + 10, 1, 1, find_half);
	const auto list = accesses.list(find_half);
	const uint64_t last = (UNPU_KERNEL_MAX_ACCESSES - 1) * 6 + 2;
	constexpr uint16_t BOTH = UNPU_KERNEL_ACCESS_PARTIAL | UNPU_KERNEL_ACCESS_OWN;
	ASSERT_EQ(list.size(), 3u);
	EXPECT_TRUE(is_same(list[0], {BASE, last, 0, 1, UNPU_KERNEL_ACCESS_READ, BOTH}));
	EXPECT_TRUE(is_same(list[1], {BASE + 2048, 4001 - 2048, 0, 1, UNPU_KERNEL_ACCESS_READ,
				      UNPU_KERNEL_ACCESS_PARTIAL}));
	EXPECT_TRUE(is_same(list[2], {BASE + 10, 1, 0, 1, UNPU_KERNEL_ACCESS_WRITE,
				      UNPU_KERNEL_ACCESS_PARTIAL}));
}

TEST(KernelAccesses, HaveASetThatIsNeverFull)
{
	/* Allocations of 1 MiB. */
	const runner::HomeFinder find = [](uint64_t address, unpu_kernel_memory_range &home) {
		home = {address >> 20 << 20, 1 << 20};
		return true;
	};
	Accesses accesses;
	add_scattered(accesses, 1 << 20, 20000, find);
	add_scattered(accesses, 2 << 20, 20000, find);
	const auto list = accesses.list(find);
	ASSERT_EQ(list.size(), 2u);
	for (uint64_t i = 0; i < 2; i++)
		EXPECT_TRUE(
			is_same(list[i], {(i + 1) << 20, 19999 * 6 + 2, 0, 1,
					  UNPU_KERNEL_ACCESS_READ, UNPU_KERNEL_ACCESS_PARTIAL}));
	/* In too many allocations they are lost. */
	Accesses lost;
	for (uint64_t i = 1; i <= UNPU_KERNEL_MAX_ACCESSES + 1; i++)
		lost.add(i << 20, 8, 0, find);
	EXPECT_TRUE(lost.list(find).empty());
}

TEST_P(KernelObserved, TellTheirObserver)
{
	client.observe(4711);
	const uint64_t at = memory.va + 65536;
	ASSERT_EQ(
		tell({at, 64, 0, at + 64, 64, 0, at + 4096, 8, 1, at + 128, 64, 0, at + 192, 8, 2},
		     2),
		Status::OK)
		<< client.failure();
	EXPECT_EQ(client.output_bytes(), 3 * sizeof(unpu_kernel_access));
	const std::vector<Printed> printed = client.printed();
	ASSERT_EQ(printed.size(), 1u);
	EXPECT_EQ(printed[0].head.cookie, 4711u);
	EXPECT_EQ(printed[0].head.core, UNPU_KERNEL_OBSERVED);
	ASSERT_EQ(printed[0].text.size(), 3 * sizeof(unpu_kernel_access));
	unpu_kernel_access list[3];
	memcpy(list, printed[0].text.data(), sizeof(list));
	EXPECT_TRUE(is_same(list[0], {at, 192, 0, 1, UNPU_KERNEL_ACCESS_READ, 0}));
	EXPECT_TRUE(is_same(list[1], {at + 4096, 8, 0, 1, UNPU_KERNEL_ACCESS_WRITE, 0}));
	EXPECT_TRUE(is_same(list[2], {at + 192, 8, 0, 1, UNPU_KERNEL_ACCESS_ATOMIC, 0}));
}

TEST_P(KernelObserved, TellNobodyElse)
{
	const std::vector<uint64_t> list{memory.va, 64, 0};
	client.observe(1);
	ASSERT_EQ(tell(list), Status::OK);
	EXPECT_EQ(client.printed().size(), 1u);
	/* No observer; no checks, so that the kernel does not tell; a failure; nothing to tell. */
	client.observe(0);
	ASSERT_EQ(tell(list), Status::OK);
	client.observe(1, 0);
	ASSERT_EQ(tell(list), Status::OK);
	client.observe(1);
	EXPECT_EQ(tell(list, 1, true), Status::KERNEL_FAULT_VECTOR);
	ASSERT_EQ(tell({}), Status::OK);
	EXPECT_TRUE(client.printed().empty());
}

TEST_P(KernelObserved, LeaveRoomForTexts)
{
	std::vector<uint64_t> list;
	for (uint64_t i = 0; i < UNPU_KERNEL_MAX_ACCESSES; i++)
		list.insert(list.end(), {memory.va + i * 100, 1 + i % 2, 0});
	client.observe(1);
	const unsigned launches =
		(UNPU_KERNEL_MAX_TEXT_BYTES / 2) / (UNPU_KERNEL_MAX_ACCESSES * 32);
	for (unsigned i = 0; i < launches; i++)
		ASSERT_EQ(tell(list), Status::OK);
	ASSERT_EQ(client.run("shout", 1, {1024}), Status::OK);
	const std::vector<Printed> printed = client.printed();
	EXPECT_LE(printed.size(), launches);
	ASSERT_GT(printed.size(), launches * 9 / 10);
	EXPECT_EQ(printed.back().text.size(), 1u << 20);
}
