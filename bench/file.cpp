// SPDX-License-Identifier: MIT
/**
 * DOC: file
 *
 * The cost of reading a file into device memory: from the page cache, beside read() and a copy;
 * from a disk, beside the best rate that the disk gives to io_uring.
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <liburing.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/program.h"
#include "process/client.h"
#include "unpu/file.h"

using namespace bench;

namespace {

constexpr size_t MIB = size_t{1} << 20;
constexpr unsigned DEPTH = 16;

/* Of the command line. */
std::string folder = "/tmp";
size_t mebibytes = 1024;

std::vector<Floor> floors()
{
	return {
		{"file.cached", "cached file by read() and copy, speed", Figure::RATIO, true, 1.3},
		{"file.direct", "O_DIRECT by the disk's own io_uring rate, speed", Figure::RATIO,
		 true, 0.9},
	};
}

void require(bool good, const char *what)
{
	if (good)
		return;
	std::perror(what);
	std::exit(1);
}

std::byte *ordinary_memory(size_t bytes)
{
	void *memory =
		mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	require(memory != MAP_FAILED, "mmap");
	madvise(memory, bytes, MADV_HUGEPAGE);
	memset(memory, 1, bytes);
	return static_cast<std::byte *>(memory);
}

/* Files: a file without a name, and both ways to it. */
class Subject {
public:
	explicit Subject(size_t size) : bytes(size), block_(ordinary_memory(MIB))
	{
		fd = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
		require(fd >= 0, folder.c_str());
		for (size_t at = 0; at < bytes; at += MIB) {
			memset(block_, static_cast<int>(at / MIB), MIB);
			require(write(fd, block_, MIB) == static_cast<ssize_t>(MIB), "write");
		}
		require(fdatasync(fd) == 0, "fdatasync");
		direct = open(("/proc/self/fd/" + std::to_string(fd)).c_str(),
			      O_RDONLY | O_DIRECT | O_CLOEXEC);
	}
	~Subject()
	{
		munmap(block_, MIB);
		close(fd);
		if (direct >= 0)
			close(direct);
	}
	Subject(const Subject &) = delete;
	Subject &operator=(const Subject &) = delete;

	/* All of it is in the page cache. */
	void warm() const
	{
		for (size_t at = 0; at < bytes; at += MIB)
			require(pread(fd, block_, MIB, static_cast<off_t>(at)) > 0, "pread");
	}
	void forget() const
	{
		require(posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) == 0, "posix_fadvise");
	}

	const size_t bytes;
	int fd = -1;
	int direct = -1;

private:
	std::byte *block_;
};

Measure measure_of(const char *key, const char *title, const char *base, size_t bytes,
		   const Summary &summary)
{
	Measure measure;
	measure.key = key;
	measure.title = title;
	measure.base = base;
	measure.against = Against::SPEED;
	measure.bytes = bytes;
	measure.summary = summary;
	return measure;
}

/* read() of a piece, a copy of it, and so on: the better of two sizes of pieces. */
Summary read_and_copy(const Subject &file, std::byte *host, void *device, const Plan &plan)
{
	Summary best;
	for (size_t piece : {MIB, 16 * MIB}) {
		Summary summary = measure(plan, [&] {
			for (size_t at = 0; at < file.bytes; at += piece) {
				size_t count = std::min(piece, file.bytes - at);
				require(pread(file.fd, host, count, static_cast<off_t>(at)) ==
						static_cast<ssize_t>(count),
					"pread");
				CHECK(aclrtMemcpy(static_cast<std::byte *>(device) + at, count,
						  host, count, ACL_MEMCPY_HOST_TO_DEVICE));
			}
		});
		if (best.median_ns == 0 || summary.median_ns < best.median_ns)
			best = summary;
	}
	return best;
}

/* The best rate of the disk: 16 reads of 1 MiB in flight, into the same memory. */
void read_by_uring(const Subject &file, std::byte *host)
{
	io_uring ring;
	require(io_uring_queue_init(DEPTH, &ring, 0) == 0, "io_uring");
	iovec range{host, DEPTH * MIB};
	require(io_uring_register_buffers(&ring, &range, 1) == 0, "io_uring buffers");
	size_t begun = 0;
	unsigned under_way = 0;
	auto begin = [&](size_t slot) {
		io_uring_sqe *sqe = io_uring_get_sqe(&ring);
		size_t count = std::min(MIB, file.bytes - begun);
		io_uring_prep_read_fixed(sqe, file.direct, host + slot * MIB,
					 static_cast<unsigned>(count), begun, 0);
		sqe->user_data = slot;
		begun += count;
		under_way++;
	};
	for (size_t slot = 0; slot < DEPTH && begun < file.bytes; slot++)
		begin(slot);
	while (under_way > 0) {
		io_uring_cqe *completion;
		io_uring_submit(&ring);
		require(io_uring_wait_cqe(&ring, &completion) == 0 && completion->res > 0, "read");
		size_t slot = completion->user_data;
		io_uring_cqe_seen(&ring, completion);
		under_way--;
		if (begun < file.bytes)
			begin(slot);
	}
	io_uring_queue_exit(&ring);
}

void read_file(unpu_file file, const Client &client, void *device, size_t bytes)
{
	CHECK(unpu_file_read(file, 0, device, bytes, nullptr, client.first));
	Client::sync(client.first);
}

class Bench {
public:
	explicit Bench(const Client &client)
		: client_(client), file_(mebibytes * MIB), host_(ordinary_memory(16 * MIB))
	{
		CHECK(aclrtMalloc(&device_, file_.bytes, ACL_MEM_MALLOC_HUGE_FIRST));
		CHECK(aclrtMemset(device_, file_.bytes, 1, file_.bytes));
		CHECK(aclrtMemsetAsync(device_, file_.bytes, 2, file_.bytes, client.first));
		Client::sync(client.first);
		CHECK(unpu_file_register(file_.fd, 0, &any_));
		if (file_.direct >= 0)
			CHECK(unpu_file_register(file_.fd, UNPU_FILE_DIRECT, &direct_));
	}
	~Bench()
	{
		CHECK(unpu_file_unregister(any_));
		if (direct_)
			CHECK(unpu_file_unregister(direct_));
		CHECK(aclrtFree(device_));
		munmap(host_, 16 * MIB);
	}
	Bench(const Bench &) = delete;
	Bench &operator=(const Bench &) = delete;

	void run(const Effort &effort, Round &round) const
	{
		const Plan plan{1, effort.scaled(4), 1, 0};
		const size_t bytes = file_.bytes;
		file_.warm();
		round.push_back(measure_of("file.read_copy", "read() and aclrtMemcpy, cached", "",
					   bytes, read_and_copy(file_, host_, device_, plan)));
		round.push_back(measure_of(
			"file.cached", "unpu_file_read, cached", "file.read_copy", bytes,
			measure(plan, [&] { read_file(any_, client_, device_, bytes); })));
		if (file_.direct < 0)
			return;
		/* By turns: a disk that others share changes from second to second. */
		std::vector<double> disk;
		std::vector<double> direct;
		file_.forget();
		for (unsigned i = 0; i < plan.batches; i++) {
			disk.push_back(measure({0, 1, 1, 0}, [&] {
					       read_by_uring(file_, host_);
				       }).median_ns);
			direct.push_back(measure({0, 1, 1, 0}, [&] {
						 read_file(direct_, client_, device_, bytes);
					 }).median_ns);
		}
		round.push_back(measure_of("disk.uring", "io_uring, O_DIRECT, into memory", "",
					   bytes, {quantile(disk, 0.5), quantile(disk, 0.99)}));
		round.push_back(measure_of("file.direct", "unpu_file_read, O_DIRECT", "disk.uring",
					   bytes, {quantile(direct, 0.5), quantile(direct, 0.99)}));
	}

private:
	const Client &client_;
	const Subject file_;
	std::byte *const host_;
	void *device_ = nullptr;
	unpu_file any_ = nullptr;
	unpu_file direct_ = nullptr;
};

std::vector<Round> run_rounds(const Options &options)
{
	std::vector<Round> rounds;
	Client client;
	client.open();
	{
		const Bench bench(client);
		for (unsigned i = 0; i < options.rounds; i++) {
			progress(options, i, "file");
			bench.run(options.effort, rounds.emplace_back());
		}
	}
	progress_end();
	client.close();
	return rounds;
}

} // namespace

int main(int argc, char **argv)
{
	Program program;
	program.name = "file";
	program.about = "Measures transfers between files and device memory.";
	program.floors = floors();
	program.rounds = run_rounds;
	program.extend = [](CLI::App &app) {
		app.add_option("--folder", folder, "Where the file is made; /tmp if not given");
		app.add_option("--mib", mebibytes, "Its size; 1024 if not given");
	};
	return run_program(program, argc, argv);
}
