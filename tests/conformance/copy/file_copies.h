// SPDX-License-Identifier: MIT
/*
 * DOC: helpers of the tests of files
 */
#ifndef UNPU_TESTS_CONFORMANCE_FILE_COPIES_H
#define UNPU_TESTS_CONFORMANCE_FILE_COPIES_H

#include "support/fixture.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "unpu/file.h"

namespace conformance {

constexpr size_t kPage = 4096;
constexpr size_t kMiB = size_t{1} << 20;
/* Statuses of unpu_file_progress, by their documented numbers. */
constexpr uint32_t kDone = 0;
constexpr uint32_t kNotReady = 14;
constexpr uint32_t kBadFile = 19;
constexpr uint32_t kShort = 28;
constexpr uint32_t kStopped = 44;
/* Results of calls. */
constexpr unpu_result kInvalid = 1;
constexpr unpu_result kStale = 2;
constexpr unpu_result kNull = 3;
constexpr unpu_result kUnsupported = 4;
constexpr unpu_result kPermission = 15;

/* Byte @at of every file that a test fills. */
inline uint8_t pattern(size_t at)
{
	return static_cast<uint8_t>((at * 2654435761u) >> 13 ^ at);
}

inline std::vector<uint8_t> pattern_from(size_t first, size_t count)
{
	std::vector<uint8_t> bytes(count);

	for (size_t i = 0; i < count; i++)
		bytes[i] = pattern(first + i);
	return bytes;
}

/* A file without a name, in a folder where files have disks, or in memory. */
class File {
public:
	explicit File(size_t bytes, bool memory = false)
	{
		fd_ = memory ? memfd_create("file", MFD_CLOEXEC)
			     : open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
		EXPECT_GE(fd_, 0);
		const std::vector<uint8_t> all = pattern_from(0, bytes);
		EXPECT_EQ(write(fd_, all.data(), bytes), static_cast<ssize_t>(bytes));
	}
	~File() { close(fd_); }
	File(const File &) = delete;
	File &operator=(const File &) = delete;

	int fd() const { return fd_; }

	/* Opened again, as a program that may do less. */
	int again(int flags) const
	{
		const std::string path = "/proc/self/fd/" + std::to_string(fd_);

		return open(path.c_str(), flags | O_CLOEXEC);
	}

	/* Nothing of it is in memory any more. */
	void forget() const
	{
		EXPECT_EQ(fdatasync(fd_), 0);
		EXPECT_EQ(posix_fadvise(fd_, 0, 0, POSIX_FADV_DONTNEED), 0);
	}

	std::vector<uint8_t> load(size_t from, size_t count) const
	{
		std::vector<uint8_t> bytes(count);
		const ssize_t got = pread(fd_, bytes.data(), count, static_cast<off_t>(from));

		bytes.resize(got < 0 ? 0 : static_cast<size_t>(got));
		return bytes;
	}

private:
	int fd_ = -1;
};

class Registered {
public:
	explicit Registered(int fd, uint32_t flags = 0)
	{
		EXPECT_EQ(unpu_file_register(fd, flags, &handle_), 0u) << take_message();
	}
	~Registered()
	{
		if (handle_) {
			EXPECT_EQ(unpu_file_unregister(handle_), 0u);
		}
	}
	Registered(const Registered &) = delete;
	Registered &operator=(const Registered &) = delete;

	operator unpu_file() const { return handle_; }
	unpu_file release() { return std::exchange(handle_, nullptr); }

private:
	unpu_file handle_ = nullptr;
};

class Progress {
public:
	Progress() : memory_(sizeof(unpu_file_progress)) {}

	operator unpu_file_progress *() const { return memory_.as<unpu_file_progress>(); }
	unpu_file_progress *operator->() const { return memory_.as<unpu_file_progress>(); }

	/* Call it while the transfer may still run. */
	unpu_file_progress look() const
	{
		unpu_file_progress seen{};

		EXPECT_EQ(unpu_file_get_progress(memory_.as<unpu_file_progress>(), &seen), 0u);
		return seen;
	}

private:
	PinnedBuffer memory_;
};

inline void expect_done(const Progress &progress, uint64_t bytes)
{
	EXPECT_EQ(progress->bytes, bytes);
	EXPECT_EQ(progress->total, bytes);
	EXPECT_EQ(progress->status, kDone);
	EXPECT_EQ(progress->error, 0u);
}

inline uint32_t direct(unpu_file file)
{
	unpu_file_info info{};

	info.size = sizeof(info);
	EXPECT_EQ(unpu_file_get_info(file, &info), 0u);
	return info.direct;
}

/* Offsets, places and lengths on both sides of every boundary there may be. */
struct Range {
	size_t offset;
	size_t place;
	size_t bytes;
};

constexpr Range kRanges[] = {
	{0, 0, 1},
	{0, 0, kPage},
	{0, 0, 3 * kMiB},
	{1, 0, kPage},
	{kPage, 64, 2 * kPage},
	{kPage - 1, 0, 2},
	{kMiB - 1, kPage - 1, kMiB + 2},
	{kMiB + 17, 17, 2 * kMiB - 19},
	{512, 512, kMiB},
	{kPage, kPage + 1, kMiB + kPage},
};

inline void read_ranges(uint32_t flags, bool memory, bool cached)
{
	const size_t bytes = 4 * kMiB;
	const File file(bytes, memory);
	const Registered registered(file.fd(), flags);
	const DeviceBuffer device(5 * kMiB);
	const Progress progress;

	for (const Range &range : kRanges) {
		SCOPED_TRACE(range.offset);
		if (!cached)
			file.forget();
		EXPECT_OK(aclrtMemset(device.data(), device.size(), 0xee, device.size()));
		EXPECT_EQ(unpu_file_read(registered, range.offset, device.at(range.place),
					 range.bytes, progress, nullptr),
			  0u)
			<< take_message();
		EXPECT_OK(aclrtSynchronizeStream(nullptr));
		expect_done(progress, range.bytes);
		std::vector<uint8_t> wanted(device.size(), 0xee);
		const std::vector<uint8_t> part = pattern_from(range.offset, range.bytes);
		std::copy(part.begin(), part.end(),
			  wanted.begin() + static_cast<ptrdiff_t>(range.place));
		EXPECT_TRUE(device.load<uint8_t>() == wanted);
	}
}

inline void write_ranges(uint32_t flags, bool memory)
{
	const size_t bytes = 4 * kMiB;
	const DeviceBuffer device(5 * kMiB);
	const Progress progress;

	device.store(pattern_from(0, device.size()));
	for (const Range &range : kRanges) {
		SCOPED_TRACE(range.offset);
		const File file(bytes, memory);
		const Registered registered(file.fd(), flags);
		std::vector<uint8_t> wanted = file.load(0, bytes);
		EXPECT_EQ(unpu_file_write(registered, range.offset, device.at(range.place),
					  range.bytes, progress, nullptr),
			  0u)
			<< take_message();
		EXPECT_OK(aclrtSynchronizeStream(nullptr));
		expect_done(progress, range.bytes);
		const std::vector<uint8_t> part = pattern_from(range.place, range.bytes);
		std::copy(part.begin(), part.end(),
			  wanted.begin() + static_cast<ptrdiff_t>(range.offset));
		EXPECT_TRUE(file.load(0, bytes + 1) == wanted);
	}
}

} // namespace conformance

#endif
