// SPDX-License-Identifier: MIT
/*
 * DOC: transfers that do not end well
 *
 * A host that fails, an abort, a reset, a firmware that dies, and a sandbox without io_uring.
 */
#include "copy/file_copies.h"
#include "firmware_process.h"
#include "support/child_process.h"

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <thread>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

using namespace conformance;

using Files = DeviceTest;
using FilesAlone = testing::Test;

static constexpr int32_t kPatienceMs = 60000;

/* A limit on the size of files is a disk that is full, as far as a write can tell. */
TEST_F(FilesAlone, AFailedWriteReportsTheBytesWritten)
{
	if (!alone())
		return;
	open_device();
	signal(SIGXFSZ, SIG_IGN);
	const int full = open("/dev/full", O_RDWR | O_CLOEXEC);
	unpu_file file = nullptr;
	EXPECT_EQ(unpu_file_register(full, 0, &file), kBadFile) << "a character device is no file";
	close(full);
	{
		/* A memory file that must not grow. */
		const int fd = memfd_create("full", MFD_CLOEXEC | MFD_ALLOW_SEALING);
		ASSERT_EQ(ftruncate(fd, kMiB), 0);
		ASSERT_EQ(fcntl(fd, F_ADD_SEALS, F_SEAL_GROW), 0);
		const Registered sealed(fd);
		const DeviceBuffer device(3 * kMiB);
		const Progress progress;
		EXPECT_EQ(
			unpu_file_write(sealed, 0, device.data(), device.size(), progress, nullptr),
			0u);
		EXPECT_FAILS(ACL_ERROR_INVALID_FILE, "unpu_file_write",
			     aclrtSynchronizeStream(nullptr));
		EXPECT_EQ(progress->status, kBadFile);
		EXPECT_EQ(progress->error, static_cast<uint32_t>(EPERM));
		EXPECT_EQ(progress->bytes, kMiB);
		close(fd);
	}
	close_device();
}

/* An abort at any moment leaves the stream and the device usable and the progress correct. */
TEST_F(Files, ATransferThatIsAborted)
{
	const size_t bytes = 32 * kMiB;
	const File file(1);
	ASSERT_EQ(ftruncate(file.fd(), static_cast<off_t>(bytes)), 0);
	const Registered registered(file.fd(), UNPU_FILE_BUFFERED);
	const DeviceBuffer device(bytes);
	const Progress progress;
	const Stream stream;

	for (unsigned round = 0; round < 8; round++) {
		for (unsigned i = 0; i < 4; i++)
			EXPECT_EQ(unpu_file_read(registered, 0, device.data(), bytes, progress,
						 stream),
				  0u);
		for (unsigned i = 0; i < round * 100; i++)
			(void)query(stream);
		EXPECT_OK(aclrtStreamAbort(stream));
		(void)aclrtSynchronizeStream(stream);
		take_message();
		unpu_file_progress seen = progress.look();
		/* An abort waits for running operations, but not for long. */
		for (; seen.status == kNotReady; seen = progress.look())
			std::this_thread::yield();
		if (seen.status == kDone) {
			EXPECT_TRUE(seen.bytes == bytes || seen.total == 0);
		} else {
			EXPECT_EQ(seen.status, kStopped);
			EXPECT_LT(seen.bytes, bytes);
		}
		*static_cast<unpu_file_progress *>(progress) = {};
		expect_device_works();
	}
}

TEST_F(Files, AFileOfADeviceThatWasReset)
{
	const File file(kPage);
	unpu_file handle = nullptr;

	EXPECT_EQ(unpu_file_register(file.fd(), 0, &handle), 0u);
	EXPECT_OK(aclrtResetDevice(0));
	EXPECT_OK(aclrtSetDevice(0));
	{
		const DeviceBuffer device(kPage);
		EXPECT_EQ(unpu_file_read(handle, 0, device.data(), 1, nullptr, nullptr), kInvalid);
		EXPECT_NE(take_message().find("reset"), std::string::npos);
	}
	EXPECT_EQ(unpu_file_unregister(handle), 0u);
}

TEST_F(FilesAlone, AFirmwareThatDiesInTheMiddle)
{
	if (!alone())
		return;
	Firmware firmware({"--devices", "1"});
	ASSERT_TRUE(firmware.ready());
	setenv("UNPU_DEVICE", firmware.device_string().c_str(), 1);
	open_device();
	const File file(1);
	ASSERT_EQ(ftruncate(file.fd(), 64 * kMiB), 0);
	unpu_file handle = nullptr;
	void *memory = nullptr;
	ASSERT_OK(aclrtMalloc(&memory, 64 * kMiB, ACL_MEM_MALLOC_NORMAL_ONLY));
	ASSERT_EQ(unpu_file_register(file.fd(), 0, &handle), 0u);
	for (unsigned i = 0; i < 16; i++)
		EXPECT_EQ(unpu_file_read(handle, 0, memory, 64 * kMiB, nullptr, nullptr), 0u);
	EXPECT_EQ(firmware.end(SIGKILL), -SIGKILL);
	EXPECT_FAILS(ACL_ERROR_RT_LOST_HEARTBEAT, "", aclrtSynchronizeStream(nullptr));
	unpu_file second = nullptr;
	EXPECT_NE(unpu_file_register(file.fd(), 0, &second), 0u);
	EXPECT_EQ(unpu_file_unregister(handle), 0u);
	(void)aclrtFree(memory);
	take_message();
	close_device();
}

namespace {

/* For this process and those that it starts. An emulator of one program has neither io_uring nor filters. */
void forbid_io_uring()
{
	if (syscall(SYS_io_uring_setup, 0, nullptr) < 0 && errno == ENOSYS)
		return;
	sock_filter code[] = {
		{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
		{BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_io_uring_setup},
		{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | EPERM},
		{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
	};
	const sock_fprog program = {4, code};
	ASSERT_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	ASSERT_EQ(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
}

/* Another client: a process that was forked before the library was used. It works on request. */
class Neighbour {
public:
	Neighbour()
	{
		int ends[2];

		EXPECT_EQ(pipe(ends), 0);
		process_ = fork();
		if (process_ == 0) {
			char word = 0;

			close(ends[1]);
			(void)TEMP_FAILURE_RETRY(read(ends[0], &word, 1));
			open_device();
			read_ranges(UNPU_FILE_BUFFERED, false, true);
			close_device();
			_exit(testing::Test::HasFailure());
		}
		close(ends[0]);
		start_ = ends[1];
	}
	~Neighbour()
	{
		int status = -1;

		close(start_);
		EXPECT_EQ(TEMP_FAILURE_RETRY(waitpid(process_, &status, 0)), process_);
		EXPECT_EQ(status, 0) << "another client noticed";
	}
	Neighbour(const Neighbour &) = delete;
	Neighbour &operator=(const Neighbour &) = delete;

private:
	pid_t process_;
	int start_;
};

void expect_reads()
{
	const File file(kPage);
	const Registered registered(file.fd());
	const DeviceBuffer device(kPage);

	EXPECT_EQ(unpu_file_read(registered, 0, device.data(), kPage, nullptr, nullptr), 0u);
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_TRUE(device.load<uint8_t>() == pattern_from(0, kPage));
}

/* Files never answer; their client loses the context, and others notice nothing. */
void lose_files(bool write, unsigned count)
{
	const std::string rule = std::string("jam:op=file_") + (write ? "write" : "read") +
				 ":nth=1:count=" + std::to_string(count);
	Firmware firmware({"--memory", "1G", "--watchdog-ms", "300", "--faults", rule});

	ASSERT_TRUE(firmware.ready());
	setenv("UNPU_DEVICE", firmware.device_string().c_str(), 1);
	{
		std::optional<Neighbour> neighbour(std::in_place);
		open_device();
		const File file(kPage);
		unpu_file handle = nullptr;
		void *memory = nullptr;

		ASSERT_OK(aclrtMalloc(&memory, 2 * kPage, ACL_MEM_MALLOC_NORMAL_ONLY));
		ASSERT_EQ(unpu_file_register(file.fd(), 0, &handle), 0u);
		/* All begin at once: the watchdog must not end the first one's context before the last is there. */
		void *gate = static_cast<char *>(memory) + kPage;
		ASSERT_OK(aclrtMemset(gate, kPage, 0, kPage));
		for (unsigned i = 0; i < count; i++) {
			aclrtStream stream = nullptr;

			ASSERT_OK(aclrtCreateStream(&stream));
			EXPECT_OK(aclrtValueWait(gate, 1, ACL_STREAM_WAIT_VALUE_GEQ, stream));
			if (write) {
				EXPECT_EQ(
					unpu_file_write(handle, 0, memory, kPage, nullptr, stream),
					0u);
			} else {
				EXPECT_EQ(unpu_file_read(handle, 0, memory, kPage, nullptr, stream),
					  0u);
			}
		}
		EXPECT_OK(aclrtValueWrite(gate, 1, 0, nullptr));
		/* Its turn comes while they stand. */
		neighbour.reset();
		/* The limit is far beyond the watchdog's: a test of one that does nothing ends too. */
		ASSERT_TRUE(fails(ACL_ERROR_RT_LOST_HEARTBEAT, "unpu_file",
				  [] { return aclrtSynchronizeDeviceWithTimeout(kPatienceMs); }));
		EXPECT_FAILS(ACL_ERROR_RT_LOST_HEARTBEAT, "watchdog", aclrtSynchronizeDevice());
		EXPECT_EQ(unpu_file_unregister(handle), 0u);
		EXPECT_OK(aclrtResetDeviceForce(0));
		EXPECT_OK(aclrtSetDevice(0));
		expect_reads();
	}
	close_device();
	EXPECT_EQ(firmware.end(SIGTERM), 0) << "it does not wait for files";
}

} // namespace

TEST_F(FilesAlone, AFileThatNeverAnswers)
{
	if (alone())
		lose_files(false, 1);
}

TEST_F(FilesAlone, AFileThatNeverTakesAnything)
{
	if (alone())
		lose_files(true, 1);
}

/* More operations than the kernel is given at once. */
TEST_F(FilesAlone, ManyFilesThatNeverAnswer)
{
	if (alone())
		lose_files(false, 20);
}

/* The thread for files is stuck then, and another one takes its place. */
TEST_F(FilesAlone, AFileThatNeverAnswersWithoutIoUring)
{
	if (!alone())
		return;
	forbid_io_uring();
	lose_files(false, 1);
}

TEST_F(FilesAlone, FilesThatNeverTakeAnythingWithoutIoUring)
{
	if (!alone())
		return;
	forbid_io_uring();
	lose_files(true, 3);
}

/* A client waits for its own files: the other one ends while the first one's file still hangs. */
TEST_F(FilesAlone, AFileThatNeverAnswersKeepsNoOtherClientWaiting)
{
	if (!alone())
		return;
	forbid_io_uring();
	Firmware firmware({"--memory", "1G", "--watchdog-ms", "20000", "--faults",
			   "jam:op=file_read:nth=1:count=1"});

	ASSERT_TRUE(firmware.ready());
	setenv("UNPU_DEVICE", firmware.device_string().c_str(), 1);
	{
		std::optional<Neighbour> neighbour(std::in_place);
		open_device();
		const File file(kPage);
		const Registered registered(file.fd());
		const DeviceBuffer device(kPage);
		const Stream stream;

		EXPECT_EQ(unpu_file_read(registered, 0, device.data(), kPage, nullptr, stream), 0u);
		neighbour.reset();
		EXPECT_EQ(query(stream), ACL_STREAM_STATUS_NOT_READY);
		EXPECT_OK(aclrtStreamAbort(stream));
		(void)aclrtSynchronizeStream(stream);
		take_message();
	}
	close_device();
	EXPECT_EQ(firmware.end(SIGTERM), 0);
}

/* "A file never answers", on whatever device this run has. */
TEST_F(FilesAlone, AFileThatNeverAnswersIsAFault)
{
	if (!alone("memory=1G,watchdog_ms=300,faults=jam:op=file_read:nth=1"))
		return;
	open_device();
	{
		const File file(kPage);
		unpu_file handle = nullptr;
		void *memory = nullptr;

		ASSERT_OK(aclrtMalloc(&memory, kPage, ACL_MEM_MALLOC_NORMAL_ONLY));
		ASSERT_EQ(unpu_file_register(file.fd(), 0, &handle), 0u);
		EXPECT_EQ(unpu_file_read(handle, 0, memory, kPage, nullptr, nullptr), 0u);
		ASSERT_TRUE(fails(ACL_ERROR_RT_LOST_HEARTBEAT, "watchdog",
				  [] { return aclrtSynchronizeDeviceWithTimeout(kPatienceMs); }));
		EXPECT_EQ(unpu_file_unregister(handle), 0u);
	}
	EXPECT_OK(aclrtResetDeviceForce(0));
	EXPECT_OK(aclrtSetDevice(0));
	close_device();
}

/* A sandbox without io_uring: the same, one operation at a time. */
TEST_F(FilesAlone, WithoutIoUring)
{
	if (!alone())
		return;
	forbid_io_uring();
	std::unique_ptr<Firmware> firmware;
	const char *device = getenv("UNPU_DEVICE");
	/* A firmware that was there before has no filter; one that is started here inherits it. */
	if (device && strncmp(device, "unix:", 5) == 0) {
		firmware = std::make_unique<Firmware>(std::vector<std::string>{"--memory", "1G"});
		setenv("UNPU_DEVICE", firmware->device_string().c_str(), 1);
	}
	open_device();
	{
		const File file(kPage);
		const Registered registered(file.fd());
		unpu_file_info info{};
		info.size = sizeof(info);
		EXPECT_EQ(unpu_file_get_info(registered, &info), 0u);
		EXPECT_EQ(info.uring, 0u);
	}
	read_ranges(0, false, false);
	write_ranges(0, false);
	close_device();
}
