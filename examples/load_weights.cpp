// SPDX-License-Identifier: MIT
/**
 * DOC: Weights from a file
 *
 * A file goes into device memory without a stop in the program's: load_weights [FILE] [MIB] loads FILE,
 * or a file of MIB mebibytes that it makes, shows on standard error how far it is, and prints a
 * checksum. That is taken from the device: pieces come back through pinned memory and are summed.
 */
#include <acl/acl.h>
#include <unpu/file.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define CHECK(call) check(static_cast<int>(call), #call)

static const size_t mebibyte = size_t{1} << 20;

static void check(int status, const char *call)
{
	if (status == 0)
		return;
	const char *why = aclGetRecentErrMsg();
	std::fprintf(stderr, "%s: error %d: %s\n", call, status, why ? why : "no sentence");
	std::exit(1);
}

static void require(bool good, const char *what)
{
	if (good)
		return;
	std::perror(what);
	std::exit(1);
}

static uint64_t now_ns()
{
	timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return static_cast<uint64_t>(now.tv_sec) * 1000000000 + static_cast<uint64_t>(now.tv_nsec);
}

/* FNV-1a, eight bytes at a time. */
static uint64_t sum(uint64_t before, const void *data, size_t bytes)
{
	const auto *at = static_cast<const char *>(data);
	for (size_t i = 0; i < bytes; i += sizeof(uint64_t)) {
		uint64_t word = 0;
		std::memcpy(&word, at + i, bytes - i < sizeof(word) ? bytes - i : sizeof(word));
		before = (before ^ word) * 0x100000001b3u;
	}
	return before;
}

/* A file without a name, in which no two words are the same. @checksum: of what was written. */
static int make_weights(size_t bytes, uint64_t &checksum)
{
	int fd = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	require(fd >= 0, "/tmp");
	auto *block = static_cast<uint64_t *>(std::malloc(mebibyte));
	uint64_t word = 1;
	for (size_t at = 0; at < bytes; at += mebibyte) {
		for (size_t i = 0; i < mebibyte / sizeof(word); i++)
			block[i] = word = word * 6364136223846793005u + 1442695040888963407u;
		require(write(fd, block, mebibyte) == static_cast<ssize_t>(mebibyte), "write");
		checksum = sum(checksum, block, mebibyte);
	}
	std::free(block);
	return fd;
}

static void draw_bar(uint64_t bytes, uint64_t total)
{
	if (!isatty(STDERR_FILENO))
		return;
	int filled = static_cast<int>(50 * bytes / total);
	std::fprintf(stderr, "\r[%.*s%*s] %" PRIu64 " of %" PRIu64 " MiB", filled,
		     "##################################################", 50 - filled, "",
		     bytes / mebibyte, total / mebibyte);
}

/* Shows how far the transfer is until its stream is done. */
static void watch(const unpu_file_progress *progress, uint64_t total, aclrtStream stream)
{
	aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
	for (;;) {
		CHECK(aclrtStreamQuery(stream, &status));
		unpu_file_progress seen = {};
		CHECK(unpu_file_get_progress(progress, &seen));
		draw_bar(seen.bytes, total);
		if (status == ACL_STREAM_STATUS_COMPLETE)
			break;
		/* A stepped device moves only while a thread waits for it. */
		if (aclrtSynchronizeStreamWithTimeout(stream, 50) == ACL_SUCCESS)
			continue;
		(void)aclGetRecentErrMsg();
	}
	draw_bar(progress->bytes, total);
	if (isatty(STDERR_FILENO))
		std::fprintf(stderr, "\n");
}

static uint64_t sum_device(const char *weights, size_t bytes)
{
	const size_t piece = 2 * mebibyte; /* a user may lock 8 MiB by default */
	uint64_t checksum = 0;
	void *staging = nullptr;
	CHECK(aclrtMallocHost(&staging, piece));
	for (size_t at = 0; at < bytes; at += piece) {
		size_t count = bytes - at < piece ? bytes - at : piece;
		CHECK(aclrtMemcpy(staging, piece, weights + at, count, ACL_MEMCPY_DEVICE_TO_HOST));
		checksum = sum(checksum, staging, count);
	}
	CHECK(aclrtFreeHost(staging));
	return checksum;
}

int main(int argc, char **argv)
{
	uint64_t expected = 0;
	const char *path = argc > 1 && *argv[1] ? argv[1] : nullptr;
	size_t wanted = argc > 2 ? std::strtoull(argv[2], nullptr, 10) * mebibyte : 24 * mebibyte;
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : make_weights(wanted, expected);
	struct stat file = {};
	require(fd >= 0 && fstat(fd, &file) == 0, path ? path : "weights");
	auto bytes = static_cast<size_t>(file.st_size);

	aclrtStream stream = nullptr;
	void *weights = nullptr;
	void *memory = nullptr;
	unpu_file handle = nullptr;
	CHECK(aclInit(nullptr));
	CHECK(aclrtSetDevice(0));
	CHECK(aclrtCreateStream(&stream));
	CHECK(aclrtMalloc(&weights, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
	CHECK(aclrtMallocHost(&memory, sizeof(unpu_file_progress)));
	auto *progress = static_cast<unpu_file_progress *>(memory);

	uint64_t began = now_ns();
	CHECK(unpu_file_register(fd, 0, &handle));
	CHECK(unpu_file_read(handle, 0, weights, bytes, progress, stream));
	watch(progress, bytes, stream);
	CHECK(aclrtSynchronizeStream(stream));
	double seconds = static_cast<double>(now_ns() - began) / 1e9;
	CHECK(unpu_file_unregister(handle));

	uint64_t checksum = sum_device(static_cast<const char *>(weights), bytes);
	std::printf("loaded %" PRIu64 " of %zu bytes\n", progress->bytes, bytes);
	std::printf("checksum %016" PRIx64 "\n", checksum);
	if (!path)
		std::printf("%s\n", checksum == expected ? "as written" : "not as written");
	std::fprintf(stderr, "%.2f s, %.2f GB/s\n", seconds,
		     static_cast<double>(bytes) / seconds / 1e9);

	CHECK(aclrtFreeHost(memory));
	CHECK(aclrtFree(weights));
	CHECK(aclrtDestroyStream(stream));
	CHECK(aclrtResetDevice(0));
	CHECK(aclFinalize());
	close(fd);
	return path || checksum == expected ? 0 : 1;
}
