// SPDX-License-Identifier: MIT
/*
 * DOC: a crowd at one firmware
 *
 *	UNPU_DEVICE=unix:PATH crowd work [CLIENTS [STREAMS [ROUNDS]]]
 *	UNPU_DEVICE=unix:PATH crowd idle [CLIENTS [STREAMS]]
 *	UNPU_DEVICE=unix:PATH crowd memory [CLIENTS]
 *
 * "work": so many processes with so many streams each do the same work at once, and every result is
 * checked. It prints how much longer the slowest took than the median, and fails when a result is
 * wrong or when a client was starved: when half of them have finished, each has to have done a third
 * of its rounds. That counts rounds and not time, which belongs to the machine.
 *
 * "idle": so many processes with an open device and nothing to do, then with so many streams each. It
 * prints what one more costs, in the firmware and in the client.
 *
 * "memory": each process has 1 MiB of the device at once.
 */
#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "acl/acl.h"

namespace {

constexpr unsigned kMostClients = 256;
constexpr unsigned kStages = 3;
constexpr size_t kBytes = 4096;

/* What all processes see. */
struct Board {
	std::atomic<unsigned> finished;
	std::atomic<unsigned> fewest_rounds; /* of any client, when half had finished */
	std::atomic<unsigned> rounds[kMostClients];
	std::atomic<uint64_t> end_us[kMostClients];
};

Board *board;
/* A byte from each client that has arrived, and in each stage one for each that may go on. */
int arrived[2];
int go[kStages][2];
unsigned clients = 64;
unsigned streams = 16;
unsigned rounds = 40;

uint64_t now_us()
{
	const auto now = std::chrono::steady_clock::now().time_since_epoch();

	return uint64_t(std::chrono::duration_cast<std::chrono::microseconds>(now).count());
}

void check(aclError code, const char *call)
{
	if (code == ACL_SUCCESS)
		return;
	const char *why = aclGetRecentErrMsg();

	fprintf(stderr, "client %d: %s: error %d: %s\n", getpid(), call, code, why ? why : "");
	_exit(1);
}

#define CHECK(...) check((__VA_ARGS__), #__VA_ARGS__)

/* This client is ready for a stage; returns when all may go. */
void arrive(unsigned stage)
{
	char byte = 0;

	if (write(arrived[1], &byte, 1) != 1 || read(go[stage][0], &byte, 1) != 1)
		_exit(1);
}

struct Line {
	aclrtStream stream = nullptr;
	void *x = nullptr;
	void *y = nullptr;
	void *host = nullptr;
};

void open_line(Line &line)
{
	CHECK(aclrtCreateStream(&line.stream));
	CHECK(aclrtMalloc(&line.x, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY));
	CHECK(aclrtMalloc(&line.y, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY));
	CHECK(aclrtMallocHost(&line.host, kBytes));
}

void submit(const Line &line, int value)
{
	CHECK(aclrtMemsetAsync(line.x, kBytes, value, kBytes, line.stream));
	CHECK(aclrtMemcpyAsync(line.y, kBytes, line.x, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE,
			       line.stream));
	CHECK(aclrtMemcpyAsync(line.host, kBytes, line.y, kBytes, ACL_MEMCPY_DEVICE_TO_HOST,
			       line.stream));
}

void check_result(const Line &line, int value)
{
	const auto *bytes = static_cast<const unsigned char *>(line.host);

	CHECK(aclrtSynchronizeStream(line.stream));
	for (size_t i = 0; i < kBytes; i++) {
		if (bytes[i] == value)
			continue;
		fprintf(stderr, "client %d: byte %zu is %d, not %d\n", getpid(), i, bytes[i],
			value);
		_exit(1);
	}
}

/* The client that is the middle one to finish looks at the others. */
void finish(unsigned client)
{
	board->end_us[client] = now_us();
	if (++board->finished != (clients + 1) / 2)
		return;
	unsigned fewest = rounds;

	for (unsigned i = 0; i < clients; i++)
		fewest = std::min(fewest, board->rounds[i].load());
	board->fewest_rounds = fewest;
}

void work(unsigned client)
{
	std::vector<Line> lines(streams);

	CHECK(aclInit(nullptr));
	CHECK(aclrtSetDevice(0));
	for (Line &line : lines)
		open_line(line);
	arrive(0);
	for (unsigned round = 0; round < rounds; round++) {
		const auto value = [&](size_t line) {
			return static_cast<int>((client + round + 7 * line) % 251);
		};

		for (size_t i = 0; i < lines.size(); i++)
			submit(lines[i], value(i));
		for (size_t i = 0; i < lines.size(); i++)
			check_result(lines[i], value(i));
		board->rounds[client]++;
	}
	finish(client);
	CHECK(aclrtResetDeviceForce(0));
	CHECK(aclFinalize());
}

void idle()
{
	std::vector<aclrtStream> all(streams);

	CHECK(aclInit(nullptr));
	arrive(0);
	CHECK(aclrtSetDevice(0));
	arrive(1);
	for (aclrtStream &stream : all)
		CHECK(aclrtCreateStream(&stream));
	arrive(2);
	CHECK(aclrtResetDeviceForce(0));
	CHECK(aclFinalize());
}

void hold_memory()
{
	constexpr size_t kHeld = size_t{1} << 20;
	void *memory = nullptr;

	CHECK(aclInit(nullptr));
	CHECK(aclrtSetDevice(0));
	CHECK(aclrtMalloc(&memory, kHeld, ACL_MEM_MALLOC_NORMAL_ONLY));
	arrive(0);
	CHECK(aclrtFree(memory));
	CHECK(aclrtResetDeviceForce(0));
	CHECK(aclFinalize());
}

/* Waits until all clients have arrived. */
void gather()
{
	constexpr int kLookMs = 1000;

	for (unsigned count = 0; count < clients;) {
		pollfd entry = {arrived[0], POLLIN, 0};
		int status = 0;
		char byte = 0;

		if (poll(&entry, 1, kLookMs) > 0 && read(arrived[0], &byte, 1) == 1) {
			count++;
			continue;
		}
		const pid_t ended = waitpid(-1, &status, WNOHANG);

		if (ended > 0) {
			fprintf(stderr, "client %d ended before it was ready\n", ended);
			exit(1);
		}
	}
}

void let_go(unsigned stage)
{
	const std::vector<char> bytes(clients);

	if (write(go[stage][1], bytes.data(), bytes.size()) != ssize_t(bytes.size()))
		exit(1);
}

bool all_end_well(const std::vector<pid_t> &pids)
{
	bool good = true;

	for (pid_t pid : pids) {
		int status = 0;

		good = waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
		       WEXITSTATUS(status) == 0 && good;
	}
	return good;
}

template <typename Body> std::vector<pid_t> start(const Body &body)
{
	std::vector<pid_t> pids;

	for (unsigned i = 0; i < clients; i++) {
		const pid_t pid = fork();

		if (pid == 0) {
			/* One that fails ends the crowd. */
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			body(i);
			_exit(0);
		}
		pids.push_back(pid);
	}
	return pids;
}

int run_work()
{
	const std::vector<pid_t> pids = start([](unsigned client) { work(client); });

	gather();
	const uint64_t begin_us = now_us();

	let_go(0);
	if (!all_end_well(pids))
		return 1;
	std::vector<double> seconds;

	for (unsigned i = 0; i < clients; i++)
		seconds.push_back(double(board->end_us[i] - begin_us) / 1e6);
	std::sort(seconds.begin(), seconds.end());
	const double median = seconds[seconds.size() / 2];
	const unsigned fewest = board->fewest_rounds;

	printf("%u clients with %u streams, %u rounds each: all results are right\n", clients,
	       streams, rounds);
	printf("time to finish: first %.3f s, median %.3f s, slowest %.3f s, which is %.2f times "
	       "the "
	       "median\n",
	       seconds.front(), median, seconds.back(), seconds.back() / median);
	printf("when half had finished the last one had done %u of %u rounds\n", fewest, rounds);
	if (fewest * 3 >= rounds)
		return 0;
	printf("a client was starved\n");
	return 1;
}

/* The process that listens at the path of UNPU_DEVICE. */
pid_t firmware_pid()
{
	const char *device = getenv("UNPU_DEVICE");
	sockaddr_un address = {};
	ucred peer = {};
	socklen_t bytes = sizeof(peer);

	if (!device || strncmp(device, "unix:", 5) != 0)
		return -1;
	address.sun_family = AF_UNIX;
	strncpy(address.sun_path, device + 5, sizeof(address.sun_path) - 1);
	const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	const bool connected =
		connect(fd, reinterpret_cast<sockaddr *>(&address), sizeof(address)) == 0 &&
		getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0;

	close(fd);
	return connected ? peer.pid : -1;
}

/*
 * Its share of the memory that was written, in KiB: what several processes have counts in parts. The
 * code of libraries is left out; a process's share of that shrinks as others come.
 */
double share_kib(pid_t pid)
{
	std::ifstream rollup("/proc/" + std::to_string(pid) + "/smaps_rollup");
	std::string line;
	double sum = 0;

	while (std::getline(rollup, line)) {
		for (const std::string_view kind : {"Pss_Anon:", "Pss_Shmem:"}) {
			if (line.starts_with(kind))
				sum += strtod(line.c_str() + kind.size(), nullptr);
		}
	}
	return sum;
}

double sum_kib(const std::vector<pid_t> &pids)
{
	double sum = 0;

	for (pid_t pid : pids)
		sum += share_kib(pid);
	return sum;
}

size_t open_files(pid_t pid)
{
	const std::string folder = "/proc/" + std::to_string(pid) + "/fd";
	size_t count = 0;

	for (int fd = 0; fd < 65536; fd++)
		count += access((folder + "/" + std::to_string(fd)).c_str(), F_OK) == 0;
	return count;
}

int run_idle()
{
	const pid_t firmware = firmware_pid();

	if (firmware < 0) {
		fprintf(stderr, "crowd idle: UNPU_DEVICE has to be unix:PATH\n");
		return 2;
	}
	const std::vector<pid_t> pids = start([](unsigned) { idle(); });
	double in_firmware[kStages];
	double in_clients[kStages];
	size_t files[kStages];

	for (unsigned stage = 0; stage < kStages; stage++) {
		gather();
		in_firmware[stage] = share_kib(firmware);
		in_clients[stage] = sum_kib(pids);
		files[stage] = open_files(firmware);
		let_go(stage);
	}
	const auto row = [&](const char *what, unsigned stage, double count) {
		printf("one idle %s: %.1f KiB in the firmware, %.1f KiB in the client, %.2f open "
		       "files "
		       "of the firmware\n",
		       what, (in_firmware[stage] - in_firmware[stage - 1]) / count,
		       (in_clients[stage] - in_clients[stage - 1]) / count,
		       double(files[stage] - files[stage - 1]) / count);
	};

	printf("%u clients, then %u streams each; the firmware alone has %.0f KiB\n", clients,
	       streams, in_firmware[0]);
	row("client", 1, clients);
	row("stream", 2, double(clients) * streams);
	return all_end_well(pids) ? 0 : 1;
}

int run_memory()
{
	const std::vector<pid_t> pids = start([](unsigned) { hold_memory(); });

	gather();
	let_go(0);
	return all_end_well(pids) ? 0 : 1;
}

unsigned number(const char *text, unsigned most)
{
	const unsigned long value = strtoul(text, nullptr, 10);

	if (value < 1 || value > most) {
		fprintf(stderr, "crowd: %s is not a number from 1 to %u\n", text, most);
		exit(2);
	}
	return static_cast<unsigned>(value);
}

} // namespace

int main(int argc, char **argv)
{
	const std::string action = argc > 1 ? argv[1] : "";

	if (argc > 2)
		clients = number(argv[2], kMostClients);
	if (argc > 3)
		streams = number(argv[3], 1024);
	if (argc > 4)
		rounds = number(argv[4], 1000000);
	void *shared = mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (shared == MAP_FAILED)
		return 1;
	board = new (shared) Board();
	if (pipe(arrived) != 0 || pipe(go[0]) != 0 || pipe(go[1]) != 0 || pipe(go[2]) != 0)
		return 1;
	if (action == "work")
		return run_work();
	if (action == "idle")
		return run_idle();
	if (action == "memory")
		return run_memory();
	fprintf(stderr, "crowd work|idle|memory [CLIENTS [STREAMS [ROUNDS]]]\n");
	return 2;
}
