// SPDX-License-Identifier: MIT
/*
 * DOC: transfers between files and device memory
 *
 * The promises of unpu/file.h: contents and offsets, the end of a file, which descriptors a
 * transfer refuses, the order in a stream, and transfers in models.
 */
#include "copy/file_copies.h"
#include "capture/capture_objects.h"

#include <sys/socket.h>

using namespace conformance;

using Files = DeviceTest;

TEST_F(Files, ReadsOfAFileInThePageCache)
{
	read_ranges(0, false, true);
}

TEST_F(Files, ReadsOfAFileThatIsOnItsDiskAlone)
{
	read_ranges(0, false, false);
}

TEST_F(Files, ReadsThroughThePageCache)
{
	read_ranges(UNPU_FILE_BUFFERED, false, false);
}

TEST_F(Files, ReadsOfAFileInMemory)
{
	read_ranges(0, true, true);
}

TEST_F(Files, ReadsPastThePageCache)
{
	const File file(kPage);
	unpu_file probe = nullptr;

	/* A descriptor that is direct itself serves all ranges as well. */
	const int own = file.again(O_RDONLY | O_DIRECT);
	if (own >= 0) {
		const Registered registered(own);
		const DeviceBuffer device(kPage);
		EXPECT_EQ(unpu_file_read(registered, 3, device.data(), 100, nullptr, nullptr), 0u);
		EXPECT_OK(aclrtSynchronizeStream(nullptr));
		EXPECT_EQ(device.load<uint8_t>()[99], pattern(102));
		close(own);
	}

	const unpu_result rc = unpu_file_register(file.fd(), UNPU_FILE_DIRECT, &probe);
	if (rc == kUnsupported)
		GTEST_SKIP() << "the file system of /tmp has no O_DIRECT: " << take_message();
	ASSERT_EQ(rc, 0u);
	EXPECT_EQ(direct(probe), 1u);
	EXPECT_EQ(unpu_file_unregister(probe), 0u);
	read_ranges(UNPU_FILE_DIRECT, false, true);
}

TEST_F(Files, Writes)
{
	write_ranges(0, false);
	write_ranges(UNPU_FILE_BUFFERED, false);
	write_ranges(0, true);
}

TEST_F(Files, AWriteMakesAFileGrow)
{
	const File file(100);
	const Registered registered(file.fd());
	const DeviceBuffer device(kMiB);

	device.store(pattern_from(0, device.size()));
	EXPECT_EQ(unpu_file_write(registered, kMiB, device.data(), kMiB, nullptr, nullptr), 0u);
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_TRUE(file.load(kMiB, 2 * kMiB) == pattern_from(0, kMiB));
	EXPECT_TRUE(file.load(100, kMiB - 100) == std::vector<uint8_t>(kMiB - 100));
}

TEST_F(Files, TheEndOfAFileIsReportedAndTheRestStaysUnchanged)
{
	const size_t sizes[] = {1, kPage - 1, kPage, kMiB + 5, 2 * kMiB};
	const DeviceBuffer device(3 * kMiB);
	const Progress progress;

	for (const size_t size : sizes) {
		SCOPED_TRACE(size);
		for (const uint32_t flags : {0u, UNPU_FILE_BUFFERED}) {
			const File file(size);
			const Registered registered(file.fd(), flags);
			file.forget();
			EXPECT_OK(aclrtMemset(device.data(), device.size(), 0xee, device.size()));
			EXPECT_EQ(unpu_file_read(registered, 0, device.data(), device.size(),
						 progress, nullptr),
				  0u);
			EXPECT_OK(aclrtSynchronizeStream(nullptr));
			EXPECT_EQ(progress->bytes, size);
			EXPECT_EQ(progress->total, device.size());
			EXPECT_EQ(progress->status, kShort);
			std::vector<uint8_t> wanted = pattern_from(0, size);
			wanted.resize(device.size(), 0xee);
			EXPECT_TRUE(device.load<uint8_t>() == wanted);
		}
	}
}

TEST_F(Files, WithoutAProgressWordTheEndOfAFileIsAFailure)
{
	const File file(100);
	const Registered registered(file.fd());
	const DeviceBuffer device(kPage);

	EXPECT_EQ(unpu_file_read(registered, 0, device.data(), 101, nullptr, nullptr), 0u);
	EXPECT_FAILS(ACL_ERROR_INVALID_FILE, "unpu_file_read", aclrtSynchronizeStream(nullptr));
	EXPECT_EQ(unpu_file_read(registered, 100, device.data(), 1, nullptr, nullptr), 0u);
	EXPECT_FAILS(ACL_ERROR_INVALID_FILE, "ended before", aclrtSynchronizeStream(nullptr));
	EXPECT_EQ(unpu_file_read(registered, 0, device.data(), 100, nullptr, nullptr), 0u);
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
}

TEST_F(Files, ATransferIsATaskOfItsStream)
{
	const File file(kMiB);
	const Registered registered(file.fd());
	const DeviceBuffer device(kMiB);
	const DeviceBuffer copy(kMiB);
	const Stream stream;
	Gate gate;

	gate.block(stream);
	device.fill_async(7, stream);
	EXPECT_EQ(unpu_file_read(registered, 0, device.data(), kMiB / 2, nullptr, stream), 0u);
	EXPECT_OK(aclrtMemcpyAsync(copy.data(), kMiB, device.data(), kMiB,
				   ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
	device.fill_async(9, stream);
	EXPECT_EQ(unpu_file_write(registered, kMiB / 4, device.data(), kMiB / 4, nullptr, stream),
		  0u);
	turn_device();
	EXPECT_TRUE(holds(device, 0));
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(stream));
	std::vector<uint8_t> wanted = pattern_from(0, kMiB / 2);
	wanted.resize(kMiB, 7);
	EXPECT_TRUE(copy.load<uint8_t>() == wanted);
	EXPECT_TRUE(file.load(kMiB / 4, kMiB / 4) == std::vector<uint8_t>(kMiB / 4, 9));
	EXPECT_TRUE(file.load(kMiB / 2, kMiB / 2) == pattern_from(kMiB / 2, kMiB / 2));
}

TEST_F(Files, AFileThatIsUnregisteredServesWhatIsQueued)
{
	const File file(kMiB);
	const DeviceBuffer device(kMiB);
	const Stream stream;
	Registered registered(file.fd());
	Gate gate;

	gate.block(stream);
	EXPECT_EQ(unpu_file_read(registered, 0, device.data(), kMiB, nullptr, stream), 0u);
	const unpu_file gone = registered.release();
	EXPECT_EQ(unpu_file_unregister(gone), 0u);
	EXPECT_EQ(unpu_file_read(gone, 0, device.data(), kMiB, nullptr, stream), kStale);
	EXPECT_EQ(unpu_file_unregister(gone), kStale);
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(device.load<uint8_t>() == pattern_from(0, kMiB));
}

TEST_F(Files, AModelReadsWhatTheFileHasThen)
{
	const size_t bytes = 3 * kPage + 5;
	const File file(bytes);
	const Registered registered(file.fd());
	const DeviceBuffer device(bytes);
	const Progress progress;
	const Stream stream;

	begin_capture(stream);
	device.fill_async(1, stream);
	EXPECT_EQ(unpu_file_read(registered, 5, device.data(), bytes, progress, stream), 0u);
	const Model model(stream);
	EXPECT_EQ(progress->total, 0u) << "a captured task does not run";
	for (uint8_t round = 1; round < 4; round++) {
		EXPECT_EQ(pwrite(file.fd(), &round, 1, 5), 1);
		model.execute(stream);
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_EQ(progress->bytes, bytes - 5);
		EXPECT_EQ(progress->status, kShort);
		std::vector<uint8_t> wanted = pattern_from(5, bytes - 5);
		wanted[0] = round;
		wanted.resize(bytes, 1);
		EXPECT_TRUE(device.load<uint8_t>() == wanted);
		progress->bytes = 77;
	}
}

TEST_F(Files, AModelFailsAfterItsFileIsUnregistered)
{
	const File file(kPage);
	const DeviceBuffer device(kPage);
	const Progress progress;
	const Stream stream;
	Registered registered(file.fd());

	begin_capture(stream);
	EXPECT_EQ(unpu_file_read(registered, 0, device.data(), kPage, progress, stream), 0u);
	const Model model(stream);
	EXPECT_EQ(unpu_file_unregister(registered.release()), 0u);
	turn_device();
	EXPECT_OK(aclmdlRIExecuteAsync(model, stream));
	EXPECT_FAILS(ACL_ERROR_INVALID_FILE, "graph node", aclrtSynchronizeStream(stream));
	EXPECT_EQ(progress->status, kBadFile);
	EXPECT_EQ(progress->error, static_cast<uint32_t>(EBADF));
}

TEST_F(Files, WhatADescriptorMayNotDoTheDeviceDoesNot)
{
	const File file(kPage);
	const int reader = file.again(O_RDONLY);
	const int writer = file.again(O_WRONLY);
	const int appender = file.again(O_RDWR | O_APPEND);
	const DeviceBuffer device(kPage);
	{
		const Registered reads(reader);
		const Registered writes(writer);
		const Registered appends(appender);
		EXPECT_EQ(unpu_file_write(reads, 0, device.data(), 1, nullptr, nullptr),
			  kPermission);
		EXPECT_NE(take_message().find("writing"), std::string::npos);
		EXPECT_EQ(unpu_file_read(writes, 0, device.data(), 1, nullptr, nullptr),
			  kPermission);
		EXPECT_NE(take_message().find("reading"), std::string::npos);
		EXPECT_EQ(unpu_file_write(appends, 0, device.data(), 1, nullptr, nullptr),
			  kPermission);
		EXPECT_EQ(unpu_file_read(reads, 0, device.data(), kPage, nullptr, nullptr), 0u);
		EXPECT_EQ(unpu_file_write(writes, 0, device.data(), kPage, nullptr, nullptr), 0u);
		EXPECT_OK(aclrtSynchronizeStream(nullptr));
	}
	EXPECT_TRUE(file.load(0, kPage) == pattern_from(0, kPage));
	for (const int fd : {reader, writer, appender})
		EXPECT_EQ(close(fd), 0);
}

TEST_F(Files, DescriptorsThatAreNoFiles)
{
	unpu_file file = nullptr;
	int pipes[2] = {-1, -1};
	int sockets[2] = {-1, -1};

	ASSERT_EQ(pipe2(pipes, O_CLOEXEC), 0);
	ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), 0);
	const int folder = open("/", O_DIRECTORY | O_RDONLY | O_CLOEXEC);
	const int path = open("/", O_PATH | O_CLOEXEC);
	for (const int fd : {pipes[0], sockets[0], folder, path}) {
		EXPECT_EQ(unpu_file_register(fd, 0, &file), kBadFile) << fd;
		EXPECT_NE(take_message().find("regular file"), std::string::npos);
		close(fd);
	}
	close(pipes[1]);
	close(sockets[1]);
	EXPECT_EQ(unpu_file_register(-1, 0, &file), kBadFile);
	EXPECT_NE(take_message().find("no open file"), std::string::npos);
	EXPECT_EQ(file, nullptr);
}

TEST_F(Files, Arguments)
{
	const File under(kPage);
	const Registered file(under.fd());
	const DeviceBuffer device(kPage);
	const PinnedBuffer pinned(2 * sizeof(unpu_file_progress));
	unpu_file_progress here{};
	std::vector<uint8_t> ordinary(kPage);
	unpu_file other = nullptr;
	unpu_file_info info{};

	EXPECT_EQ(unpu_file_register(under.fd(), 0, nullptr), kNull);
	EXPECT_EQ(unpu_file_register(under.fd(), 3, &other), kInvalid);
	EXPECT_EQ(unpu_file_register(under.fd(), 4, &other), kInvalid);
	EXPECT_EQ(unpu_file_get_info(file, nullptr), kNull);
	EXPECT_EQ(unpu_file_get_info(file, &info), kInvalid) << "size is not set";
	info.size = sizeof(info);
	EXPECT_EQ(unpu_file_get_info(file, &info), 0u);
	EXPECT_EQ(info.reads, 1u);
	EXPECT_EQ(info.writes, 1u);
	EXPECT_EQ(unpu_file_get_info(nullptr, &info), kNull);
	EXPECT_EQ(unpu_file_read(nullptr, 0, device.data(), 1, nullptr, nullptr), kNull);
	EXPECT_EQ(unpu_file_read(file, 0, nullptr, 1, nullptr, nullptr), kNull);
	EXPECT_EQ(unpu_file_read(&here, 0, device.data(), 1, nullptr, nullptr), kStale);
	EXPECT_EQ(unpu_file_read(file, 0, device.data(), 0, nullptr, nullptr), kInvalid);
	EXPECT_EQ(unpu_file_read(file, INT64_MAX, device.data(), 1, nullptr, nullptr), kInvalid);
	EXPECT_EQ(unpu_file_read(file, 0, device.data(), kMiB << 20, nullptr, nullptr), kInvalid);
	EXPECT_EQ(unpu_file_read(file, 0, ordinary.data(), 1, nullptr, nullptr), kInvalid);
	EXPECT_NE(take_message().find("aclrtMallocHost"), std::string::npos);
	EXPECT_EQ(unpu_file_read(file, 0, device.data(), 1, &here, nullptr), kInvalid);
	auto *crooked = reinterpret_cast<unpu_file_progress *>(pinned.as<char>() + 8);
	EXPECT_EQ(unpu_file_read(file, 0, device.data(), 1, crooked, nullptr), kInvalid);
	EXPECT_NE(take_message().find("aligned"), std::string::npos);
	EXPECT_EQ(unpu_file_read(file, 0, device.data(), 1, nullptr, &here), kStale);
	EXPECT_EQ(unpu_file_write(file, 0, nullptr, 1, nullptr, nullptr), kNull);
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	take_message();
}

TEST_F(Files, PinnedMemoryTakesTransfersToo)
{
	const File file(kMiB);
	const Registered registered(file.fd());
	const PinnedBuffer host(kMiB);
	const Progress progress;

	EXPECT_EQ(unpu_file_read(registered, 0, host.data(), kMiB, progress, nullptr), 0u);
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	expect_done(progress, kMiB);
	const std::vector<uint8_t> wanted = pattern_from(0, kMiB);
	EXPECT_EQ(memcmp(host.data(), wanted.data(), kMiB), 0);
}
