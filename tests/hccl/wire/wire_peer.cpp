// SPDX-License-Identifier: MIT
/**
 * DOC: A process with a wire
 *
 * Does what the lines of its standard input say, and answers each with a line. network.py starts several of them.
 */
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "base/os/shm.h"
#include "listener.h"
#include "umd/core/process/error.h"
#include "umd/hccl/meeting/meeting_listener.h"

using umd::Frame;
using umd::Wire;

namespace {

constexpr uint32_t PING = 1;
constexpr uint32_t PONG = 2;
constexpr uint32_t DATA = 3;
constexpr uint64_t BUFFER = 64 << 20;

/* Answers pings, counts data, and takes the time of its own pings. All of it happens in the wire's thread, as it does
 * when packets of a device wait for a frame. */
class Echo : public Listener {
public:
	explicit Echo(Wire &wire) : wire_(wire) {}

	void *place(const Frame &frame) override
	{
		return frame.bytes <= BUFFER ? buffer_.data() : nullptr;
	}

	void arrived(const Frame &frame) override
	{
		if (frame.kind == PING) {
			Frame answer = frame;
			answer.kind = PONG;
			wire_.send(link, answer, buffer_.data());
			return;
		}
		if (frame.kind == PONG) {
			times_.push_back(base::now_ns() - started_);
			if (frame.number > 0) {
				ping(frame.bytes, frame.number - 1);
				return;
			}
		}
		Listener::arrived(frame);
	}

	void ping(uint64_t bytes, uint64_t left)
	{
		started_ = base::now_ns();
		wire_.send(link, Frame{comm_of(1), PING, 0, 0, 0, left, bytes}, source_.data());
	}

	/* Return: the times, the shortest first. */
	std::vector<uint64_t> times()
	{
		std::sort(times_.begin(), times_.end());
		return std::exchange(times_, {});
	}

	const std::vector<uint8_t> &source() const { return source_; }

	uint32_t link = 0;

private:
	Wire &wire_;
	std::vector<uint8_t> buffer_ = std::vector<uint8_t>(BUFFER);
	std::vector<uint8_t> source_ = std::vector<uint8_t>(BUFFER);
	std::vector<uint64_t> times_;
	uint64_t started_ = 0;
};

/* Return: how often the wire's thread has gone to sleep; -1: there is none. */
int64_t sleeps()
{
	for (const auto &entry : std::filesystem::directory_iterator("/proc/self/task")) {
		std::ifstream file(entry.path() / "status");
		std::string key;
		std::string name;
		file >> key >> name;
		if (name != "unpu-hccl-wire")
			continue;
		for (std::string value; file >> key;) {
			if (key == "voluntary_ctxt_switches:") {
				file >> value;
				return atoll(value.c_str());
			}
		}
	}
	return -1;
}

/* The wire reads TCP_INFO to see that data are not acknowledged. qemu-user gives only the first word of it.
 * Return: whether the kernel gives what the wire reads. */
bool tells_of_connections()
{
	const base::Fd fd(socket(AF_INET, SOCK_STREAM, 0));
	tcp_info info{};
	socklen_t size = sizeof(info);
	return getsockopt(fd.get(), IPPROTO_TCP, TCP_INFO, &info, &size) == 0 &&
	       size >= offsetof(tcp_info, tcpi_pmtu);
}

std::vector<uint8_t> bytes_of(const std::string &hex)
{
	std::vector<uint8_t> bytes;
	for (size_t i = 0; i + 1 < hex.size(); i += 2)
		bytes.push_back(
			static_cast<uint8_t>(strtoul(hex.substr(i, 2).c_str(), nullptr, 16)));
	return bytes;
}

void do_line(Wire &wire, Echo &user, const std::string &line)
{
	std::istringstream words(line);
	std::string word;
	words >> word;
	if (word == "connect") {
		std::string hex;
		words >> hex;
		printf("%d\n", wire.connect(comm_of(1), bytes_of(hex), user.link));
	} else if (word == "ping") {
		uint64_t bytes = 0;
		uint64_t count = 0;
		words >> bytes >> count;
		user.forget();
		user.ping(bytes, count - 1);
		const bool is_done = user.wait_for(1);
		const std::vector<uint64_t> times = user.times();
		if (is_done)
			printf("%" PRIu64 " %" PRIu64 "\n", times[times.size() / 2],
			       times[times.size() * 99 / 100]);
		else
			printf("no answer\n");
	} else if (word == "send") {
		uint64_t bytes = 0;
		uint64_t count = 0;
		words >> bytes >> count;
		for (uint64_t i = 0; i < count; i++)
			wire.send(user.link, Frame{comm_of(1), DATA, 0, 0, 0, i, bytes},
				  user.source().data());
		printf("queued\n");
	} else if (word == "came") {
		uint64_t count = 0;
		words >> count;
		printf("%d\n", user.wait_for(count));
	} else if (word == "sleeps") {
		printf("%" PRId64 "\n", sleeps());
	} else if (word == "tells") {
		printf("%d\n", tells_of_connections());
	} else if (word == "lost") {
		if (user.wait_lost(1))
			printf("%" PRIu64 " %s\n", user.lost_ns(), user.losses()[0].second.c_str());
		else
			printf("no loss\n");
	} else if (word == "losses") {
		printf("%zu\n", user.losses().size());
	} else if (word == "detach") {
		const uint64_t before = base::now_ns();
		wire.detach(comm_of(1));
		printf("%" PRIu64 "\n", base::now_ns() - before);
	} else if (word == "close") {
		const uint64_t before = base::now_ns();
		wire.close();
		printf("%" PRIu64 "\n", base::now_ns() - before);
	} else {
		printf("what is %s?\n", word.c_str());
	}
}

} // namespace

int main()
{
	setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
	Wire wire;
	Echo user(wire);
	std::vector<uint8_t> address;
	umd::TcpPlace place{};
	umd::MeetingListener::Hold door;
	if (umd::MeetingListener::get().open(nullptr, place, door) != HCCL_SUCCESS ||
	    wire.open(place, address) != HCCL_SUCCESS) {
		printf("no wire: %s\n", umd::take_error());
		return 1;
	}
	wire.attach(comm_of(1), &user);
	for (uint8_t byte : address)
		printf("%02x", byte);
	printf("\n");
	for (std::string line; std::getline(std::cin, line);)
		do_line(wire, user, line);
	wire.close();
	return 0;
}
