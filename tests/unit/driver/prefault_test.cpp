// SPDX-License-Identifier: MIT
/**
 * DOC: Pages ahead of their use, tested
 *
 * The test asks the kernel which pages are present. The thread that makes them present belongs to
 * this process until it has ended.
 */
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include <sys/mman.h>

#include "base/clock.h"
#include "base/os/shm.h"
#include "drv/memory/prefault.h"
#include "tests/common/abilities.h"

namespace {

constexpr uint64_t MIB = uint64_t{1} << 20;
constexpr uint64_t DEADLINE_NS = 30 * base::NS_PER_S;

/* Shared memory of 4 KiB pages that was never touched. */
struct Memory {
	explicit Memory(uint64_t bytes)
		: file(base::create_sealed("prefault-test", bytes, UNPU_PAGE_4K).take()),
		  map(base::map_shared(file.fd, file.bytes, true, UNPU_PAGE_4K).take())
	{
	}

	size_t present() const
	{
		std::vector<unsigned char> pages(map.bytes() / base::PAGE_BYTES);
		EXPECT_EQ(mincore(map.data(), map.bytes(), pages.data()), 0);
		size_t count = 0;
		for (unsigned char page : pages)
			count += page & 1;
		return count * base::PAGE_BYTES;
	}

	base::SealedFile file;
	base::Mapping map;
};

size_t threads()
{
	size_t count = 0;
	for (const auto &task : std::filesystem::directory_iterator("/proc/self/task")) {
		std::ifstream file(task.path() / "comm");
		std::string name;
		std::getline(file, name);
		count += name == "unpu-prefault";
	}
	return count;
}

template <class Test> bool comes(Test test)
{
	const uint64_t deadline_ns = base::now_ns() + DEADLINE_NS;
	while (!test()) {
		if (base::now_ns() > deadline_ns)
			return false;
		std::this_thread::yield();
	}
	return true;
}

} // namespace

TEST(Prefault, MakesARangePresentAndEnds)
{
	SKIP_WITHOUT_ADVICE();
	const Memory memory(8 * MIB);
	drv::Prefault prefault;
	prefault.configure(UINT64_MAX);
	EXPECT_EQ(memory.present(), 0u);
	for (uint64_t done = 4 * MIB; done <= 8 * MIB; done += 4 * MIB) {
		prefault.add(memory.map.data() + done - 4 * MIB, 4 * MIB);
		EXPECT_TRUE(comes([&] { return prefault.done_bytes() == done; }));
		EXPECT_EQ(memory.present(), done);
		EXPECT_TRUE(comes([] { return threads() == 0; })) << "the thread stays";
	}
}

TEST(Prefault, TakesNoMoreThanItMay)
{
	SKIP_WITHOUT_ADVICE();
	const Memory memory(8 * MIB);
	drv::Prefault prefault;
	prefault.add(memory.map.data(), 8 * MIB);
	EXPECT_EQ(threads(), 0u) << "it was not configured";
	prefault.configure(2 * MIB);
	prefault.add(memory.map.data(), MIB / 2);
	EXPECT_EQ(threads(), 0u) << "small ranges are not worth it";
	prefault.add(memory.map.data(), 8 * MIB);
	EXPECT_TRUE(comes([] { return threads() == 0; }));
	EXPECT_EQ(memory.present(), 2 * MIB);
}

TEST(Prefault, WhatIsForgottenIsLeftAlone)
{
	const Memory memory(64 * MIB);
	drv::Prefault prefault;
	prefault.configure(UINT64_MAX);
	prefault.add(memory.map.data(), 32 * MIB);
	prefault.add(memory.map.data() + 32 * MIB, 32 * MIB);
	prefault.forget(memory.map.data() + 32 * MIB, 32 * MIB);
	EXPECT_TRUE(comes([] { return threads() == 0; }));
	EXPECT_LE(memory.present(), 32 * MIB) << "the second range was touched after all";
	/* One more piece, which the thread may be working on. */
	const Memory other(64 * MIB);
	prefault.add(other.map.data(), 64 * MIB);
	prefault.forget(other.map.data(), 64 * MIB);
	const size_t then = other.present();
	EXPECT_TRUE(comes([] { return threads() == 0; }));
	EXPECT_EQ(other.present(), then);
}

TEST(Prefault, ItsEndEndsTheThread)
{
	const Memory memory(64 * MIB);
	{
		drv::Prefault prefault;
		prefault.configure(UINT64_MAX);
		prefault.add(memory.map.data(), 64 * MIB);
	}
	EXPECT_TRUE(comes([] { return threads() == 0; }));
}
