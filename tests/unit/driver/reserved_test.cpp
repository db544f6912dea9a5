// SPDX-License-Identifier: MIT
/*
 * DOC: Reserved addresses, tested
 *
 * An address space may end after its addresses were released, when another space may already use
 * them. It must then unmap only memory of its own.
 */
#include "drv/attachment/reserved.h"

#include <sys/mman.h>

namespace {

using base::Status;
using drv::AddressSpace;
using drv::Chunk;
using drv::ReservedAddresses;

constexpr uint64_t PIECE = base::HUGE_PAGE_BYTES;

/* Names; nothing looks into them. */
const AddressSpace *const CLOSING = reinterpret_cast<const AddressSpace *>(uintptr_t{64});
const AddressSpace *const OPEN = reinterpret_cast<const AddressSpace *>(uintptr_t{128});
Chunk *const CHUNK = reinterpret_cast<Chunk *>(uintptr_t{192});

/* Memory at @va whose first byte is 7. */
char *map_memory(uint64_t va, uint64_t bytes)
{
	void *memory = mmap(reinterpret_cast<void *>(va), bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);

	EXPECT_EQ(memory, reinterpret_cast<void *>(va));
	*static_cast<char *>(memory) = 7;
	return static_cast<char *>(memory);
}

TEST(ReservedAddresses, ASpaceLeavesOnlyWhatIsItsOwn)
{
	ReservedAddresses &reserved = ReservedAddresses::get();
	auto va = reserved.reserve(3 * PIECE, 0);
	ASSERT_TRUE(va);

	reserved.enter(*va, 3 * PIECE, CHUNK, CLOSING);
	reserved.enter(*va + PIECE, PIECE, CHUNK, OPEN);
	const char *byte = map_memory(*va + PIECE, PIECE);
	reserved.leave(*va, 3 * PIECE, CLOSING);
	EXPECT_EQ(reserved.owner(*va), nullptr);
	EXPECT_EQ(reserved.owner(*va + PIECE), OPEN);
	EXPECT_EQ(reserved.find(*va + PIECE, OPEN), CHUNK);
	EXPECT_EQ(reserved.find(*va + PIECE, CLOSING), nullptr);
	EXPECT_EQ(reserved.owner(*va + 2 * PIECE), nullptr);
	EXPECT_EQ(*byte, 7);
	reserved.leave(*va + PIECE, PIECE, OPEN);
	EXPECT_EQ(reserved.owner(*va + PIECE), nullptr);
	reserved.release(*va);
}

TEST(ReservedAddresses, ASpaceLeavesAddressesThatWereReleasedAlone)
{
	ReservedAddresses &reserved = ReservedAddresses::get();
	uint64_t va = 0;
	{
		auto range = base::reserve_range(2 * PIECE, PIECE);
		ASSERT_TRUE(range);
		va = reinterpret_cast<uint64_t>(range->data());
	}
	ASSERT_EQ(reserved.reserve_at(va, 2 * PIECE), Status::OK);
	reserved.enter(va, 2 * PIECE, CHUNK, CLOSING);
	reserved.release(va);
	const char *byte = map_memory(va, 2 * PIECE);
	reserved.leave(va, 2 * PIECE, CLOSING);
	EXPECT_EQ(*byte, 7);
	munmap(reinterpret_cast<void *>(va), 2 * PIECE);

	/* A smaller reservation than the one that the piece lay in. */
	ASSERT_EQ(reserved.reserve_at(va, PIECE), Status::OK);
	reserved.leave(va, 2 * PIECE, CLOSING);
	EXPECT_TRUE(reserved.holds(va));
	reserved.release(va);
}

} // namespace
