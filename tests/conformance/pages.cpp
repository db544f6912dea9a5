// SPDX-License-Identifier: MIT
/*
 * DOC: which pages memory has
 *
 * The device string chooses them, the firmware says what it got, and what is allocated is present
 * before it is touched, where the device string does not forbid it.
 */
#include "child.h"

#include <nlohmann/json.hpp>
#include <unpu/unpu.h>

#include <fstream>
#include <thread>

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

TEST(Pages, ArePresentBeforeTheyAreTouched)
{
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
