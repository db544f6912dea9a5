// SPDX-License-Identifier: MIT
/*
 * DOC: which pages memory has
 *
 * The device string chooses them, the firmware says what it got, and what is allocated is present
 * before it is touched, where the device string does not forbid it.
 */
#include "support/child_process.h"

#include <nlohmann/json.hpp>
#include <unpu/unpu.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace conformance;

namespace {

constexpr size_t kMiB = size_t{1} << 20;

/* Segments that the device made by the pages they got, and its features. */
nlohmann::json snapshot()
{
	size_t needed = 0;

	EXPECT_EQ(unpu_snapshot(0, nullptr, 0, &needed), 0u);
	std::string text(needed + 4096, '\0');
	EXPECT_EQ(unpu_snapshot(0, text.data(), text.size(), nullptr), 0u);
	return nlohmann::json::parse(text.c_str(), nullptr, false);
}

uint64_t segments(const char *pages)
{
	return snapshot()[pages];
}

/* Bytes of device memory that this process has present, in whichever of its mappings has most. */
size_t present_bytes()
{
	std::ifstream smaps("/proc/self/smaps");
	std::string line;
	bool ours = false;
	size_t most = 0;

	while (std::getline(smaps, line)) {
		if (line.find('-') < line.find(' '))
			ours = line.find("/memfd:unpu-device") != line.npos;
		else if (ours && line.rfind("Rss:", 0) == 0)
			most = std::max<size_t>(most,
						strtoull(line.c_str() + 4, nullptr, 10) * 1024);
	}
	return most;
}

/* Whether smaps says what is present. An emulator of one program says 0 of all. */
bool tells_present()
{
	std::ifstream smaps("/proc/self/smaps");
	std::string line;

	while (std::getline(smaps, line)) {
		if (line.rfind("Rss:", 0) == 0 && strtoull(line.c_str() + 4, nullptr, 10) != 0)
			return true;
	}
	return false;
}

void *allocate(size_t bytes)
{
	void *memory = nullptr;

	EXPECT_OK(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
	return memory;
}

void expect_made(const char *pages)
{
	const uint64_t before = segments(pages);
	void *pinned = nullptr;
	void *device = allocate(48 * kMiB);

	EXPECT_OK(aclrtMallocHost(&pinned, 4 * kMiB));
	EXPECT_EQ(segments(pages), before + 2);
	EXPECT_OK(aclrtMemset(device, 48 * kMiB, 3, 48 * kMiB));
	EXPECT_OK(aclrtFree(device));
	EXPECT_OK(aclrtFreeHost(pinned));
	expect_device_works();
}

} // namespace

TEST(Pages, FourKibibytesByTheDeviceString)
{
	if (!alone("pages=4k"))
		return;
	open_device();
	expect_made("segments_4k");
	close_device();
}

TEST(Pages, TransparentByTheDeviceString)
{
	if (!alone("pages=thp"))
		return;
	open_device();
	expect_made("segments_thp");
	close_device();
}

/* From the pool as far as it has some, and else it is counted that it had none. */
TEST(Pages, OfThePoolByTheDeviceString)
{
	if (!alone("pages=huge"))
		return;
	open_device();
	const auto before = snapshot();
	void *device = allocate(48 * kMiB);
	const auto after = snapshot();

	EXPECT_EQ(uint64_t{after["segments_huge"]} + uint64_t{after["huge_refused"]},
		  uint64_t{before["segments_huge"]} + uint64_t{before["huge_refused"]} + 1);
	EXPECT_OK(aclrtMemset(device, 48 * kMiB, 3, 48 * kMiB));
	EXPECT_OK(aclrtFree(device));
	expect_device_works();
	close_device();
}

namespace {

constexpr unsigned kNodes = 64;
/* Of 2 MiB: what a device takes here, and some that others may take meanwhile. */
constexpr unsigned long kPoolPages = 24;

std::string node_folder(unsigned node)
{
	return "/sys/devices/system/node/node" + std::to_string(node);
}

/* Pages that the pool of a node has left for this process. */
unsigned long pool_pages(unsigned node)
{
	unsigned long allowed[16] = {};
	constexpr unsigned long kBits = sizeof(allowed) * 8;

	if (syscall(SYS_get_mempolicy, nullptr, allowed, kBits, nullptr, MPOL_F_MEMS_ALLOWED) !=
		    0 ||
	    !(allowed[0] >> node & 1))
		return 0;
	std::ifstream file(node_folder(node) + "/hugepages/hugepages-2048kB/free_hugepages");
	unsigned long pages = 0;

	file >> pages;
	return pages;
}

/* Pages of the pool that a kind of memory has on each node, as this process has it mapped. */
std::map<std::string, unsigned long> pages_of_pool(const std::string &kind)
{
	std::map<std::string, unsigned long> pages;
	std::ifstream file("/proc/self/numa_maps");
	std::string line;

	while (std::getline(file, line)) {
		if (line.find("/memfd:" + kind) == line.npos || line.find(" huge") == line.npos)
			continue;
		std::istringstream words(line);
		std::string word;
		while (words >> word) {
			const size_t equals = word.find('=');
			if (word[0] == 'N' && equals != word.npos)
				pages[word.substr(0, equals)] +=
					strtoul(word.c_str() + equals + 1, nullptr, 10);
		}
	}
	return pages;
}

void expect_of_pool(const std::string &kind, unsigned node)
{
	const auto pages = pages_of_pool(kind);

	ASSERT_EQ(pages.size(), 1u) << kind;
	EXPECT_EQ(pages.begin()->first, "N" + std::to_string(node)) << kind;
	EXPECT_GT(pages.begin()->second, 0u) << kind;
}

/* The kernel says of each mapping which pages it has and where; the device says how often it got them. */
void check_pool()
{
	open_device();
	const auto before = snapshot();
	const unsigned node = before["placement"]["asked"];
	void *pinned = nullptr;
	void *device = allocate(16 * kMiB);

	EXPECT_OK(aclrtMallocHost(&pinned, kMiB));
	const auto after = snapshot();
	EXPECT_EQ(after["segments_huge"], uint64_t{before["segments_huge"]} + 2);
	EXPECT_EQ(after["huge_refused"], before["huge_refused"]);
	memset(pinned, 5, kMiB);
	EXPECT_OK(aclrtMemset(device, 16 * kMiB, 3, 16 * kMiB));
	EXPECT_OK(aclrtMemcpy(pinned, kMiB, device, kMiB, ACL_MEMCPY_DEVICE_TO_HOST));
	EXPECT_EQ(static_cast<char *>(pinned)[kMiB - 1], 3);
	expect_of_pool("unpu-device", node);
	expect_of_pool("unpu-pinned", node);
	EXPECT_OK(aclrtFree(device));
	EXPECT_OK(aclrtFreeHost(pinned));
	expect_device_works();
	std::printf("node %u: device and pinned memory have pages of the pool\n", node);
	close_device();
}

} // namespace

TEST(Pages, ArePagesOfThePoolWhereItHasSome)
{
	unsigned asked = 0;

	for (unsigned node = 0; node < kNodes; node++) {
		if (pool_pages(node) < kPoolPages)
			continue;
		asked++;
		if (alone("memory=64M,pages=huge,node=" + std::to_string(node)))
			return check_pool();
	}
	if (asked == 0)
		GTEST_SKIP() << "not proven: no node's pool has " << kPoolPages
			     << " free pages of 2 MiB (vm.nr_hugepages)";
}

TEST(Pages, ArePresentBeforeTheyAreTouched)
{
	if (!tells_present())
		GTEST_SKIP() << "smaps of this kernel does not say which pages are present";
	if (!alone("pages=4k"))
		return;
	open_device();
	const bool stepped = snapshot()["features"].dump().find("stepped") != std::string::npos;
	void *device = allocate(48 * kMiB);

	if (stepped) {
		EXPECT_EQ(present_bytes(), 0u) << "a stepped device does nothing by itself";
	} else {
		while (present_bytes() < 48 * kMiB)
			std::this_thread::yield();
	}
	EXPECT_OK(aclrtFree(device));
	close_device();
}

TEST(Pages, AreLeftAloneWhereTheDeviceStringSaysSo)
{
	if (!tells_present())
		GTEST_SKIP() << "smaps of this kernel does not say which pages are present";
	if (!alone("pages=4k,prefault=0"))
		return;
	open_device();
	void *device = allocate(48 * kMiB);

	EXPECT_EQ(present_bytes(), 0u);
	EXPECT_OK(aclrtFree(device));
	close_device();
}

/* Freed again at once, while its pages are being made present. */
TEST(Pages, AFreeIsNotTooEarly)
{
	if (!alone("pages=4k"))
		return;
	open_device();
	for (int round = 0; round < 50; ++round) {
		void *device = allocate(48 * kMiB);

		EXPECT_OK(aclrtFree(device));
	}
	expect_device_works();
	close_device();
}
