// SPDX-License-Identifier: MIT
/**
 * DOC: messages of a firmware's socket, fuzzed
 *
 * A firmware serves in threads of this process. An input is what one connection says:
 *
 *	INPUT	{ type:1, flags:1, count:1, { place:1, value:8 }... }...
 *
 * Bit 0 of the flags breaks the magic, bit 1 the version of the wire, bits 2 to 4 are the number of descriptors, bits
 * 5 and 6 what they are, bit 7 cuts the message. Each message is answered, or ends the connection; afterwards another
 * one is answered as ever.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <memory>
#include <thread>

#include <spdlog/sinks/null_sink.h>
#include <spdlog/spdlog.h>

#include "base/clock.h"
#include "base/os/calls/transfers.h"
#include "base/os/calls/waits.h"
#include "base/os/socket.h"
#include "firmware_sim/daemon/server.h"
#include "input.h"

using namespace fuzz;
using base::Fd;
using base::FdMessage;
using base::Status;

namespace {

constexpr unsigned MESSAGES = 6;
constexpr uint64_t ANSWER_NS = 20 * base::NS_PER_S;
constexpr uint64_t INPUTS_PER_CHECK = 64;

struct Ends {
	Fd own, other;
};

Ends make_ends()
{
	int fds[2];
	expect(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) == 0,
	       "there is no pair of sockets");
	return {Fd(fds[0]), Fd(fds[1])};
}

/* Return: whether a message has come; else the connection has ended. */
bool hear(const Fd &socket, FdMessage &reply)
{
	pollfd one{socket.get(), POLLIN, 0};
	expect(base::calls::poll(&one, 1, base::deadline_after(ANSWER_NS)) > 0,
	       "a message was not answered");
	base::MessageBuffer buffer;
	const ssize_t bytes = base::calls::recvmsg(socket.get(), buffer.header(), MSG_CMSG_CLOEXEC,
						   base::calls::NOW);
	auto opened = buffer.open(bytes);
	(void)buffer.take_surplus();
	if (bytes <= 0)
		return false;
	expect(opened.ok(), "an answer is malformed");
	reply = opened.take();
	return true;
}

class Firmware {
public:
	Firmware()
	{
		spdlog::set_default_logger(std::make_shared<spdlog::logger>(
			"fuzz", std::make_shared<spdlog::sinks::null_sink_mt>()));
		Ends ends = make_ends();
		parent_ = std::move(ends.own);
		fwd::Options options;
		options.control_fd = ends.other.release();
		options.wishes.memory_bytes = 64 << 20;
		options.wishes.engines = 1;
		options.attach_ms = 1000;
		thread_ = std::thread([options] {
			(void)fwd::Server(options, std::make_shared<fwd::Log>(STDERR_FILENO)).run();
		});
		thread_.detach();
	}

	/* A new connection. */
	Fd connect()
	{
		Ends ends = make_ends();
		FdMessage message;
		message.message.type = UNPU_SOCKET_CONNECT;
		(void)message.add(std::move(ends.other));
		expect(base::send_message(parent_, message, base::deadline_after(ANSWER_NS)) ==
			       Status::OK,
		       "the firmware does not listen");
		expect(hear(parent_, message), "the firmware has ended");
		return std::move(ends.own);
	}

	void check()
	{
		const Fd socket = connect();
		FdMessage message;
		message.message.type = UNPU_SOCKET_PROBE;
		(void)base::send_message(socket, message, base::deadline_after(ANSWER_NS));
		expect(hear(socket, message) && message.message.status == 0,
		       "a good message was refused");
	}

private:
	Fd parent_;
	std::thread thread_;
};

Fd make_descriptor(unsigned kind)
{
	switch (kind) {
	case 0:
		return Fd(memfd_create("fuzz", MFD_CLOEXEC));
	case 1:
		return Fd(eventfd(0, EFD_CLOEXEC));
	case 2:
		return Fd(open("/dev/null", O_RDWR | O_CLOEXEC));
	default:
		return make_ends().own;
	}
}

/* Sends a message. Return: whether an answer is to come. */
bool say(const Fd &socket, Input &input)
{
	unpu_socket_message message{};
	message.type = input.take<uint8_t>();
	const auto flags = input.take<uint8_t>();
	message.magic = flags & 1 ? 1 : UNPU_SOCKET_MAGIC;
	message.abi = flags & 2 ? 1 : UNPU_ABI;
	auto *bytes = reinterpret_cast<uint8_t *>(&message);
	for (auto count = input.take<uint8_t>() % 8; count > 0; count--) {
		const size_t place = input.take<uint8_t>() % (sizeof(message) - 12) + 12;
		const auto value = input.take<uint64_t>();
		memcpy(bytes + place, &value, std::min(sizeof(value), sizeof(message) - place));
	}
	std::vector<Fd> descriptors;
	for (unsigned i = 0; i < (flags >> 2 & 7u); i++)
		descriptors.push_back(make_descriptor(flags >> 5 & 3));
	iovec part{&message, flags & 0x80 ? sizeof(message) / 2 : sizeof(message)};
	msghdr header{};
	header.msg_iov = &part;
	header.msg_iovlen = 1;
	alignas(cmsghdr) char control[CMSG_SPACE(8 * sizeof(int))]{};
	if (!descriptors.empty()) {
		header.msg_control = control;
		header.msg_controllen = CMSG_SPACE(descriptors.size() * sizeof(int));
		cmsghdr *rights = CMSG_FIRSTHDR(&header);
		rights->cmsg_level = SOL_SOCKET;
		rights->cmsg_type = SCM_RIGHTS;
		rights->cmsg_len = CMSG_LEN(descriptors.size() * sizeof(int));
		for (size_t i = 0; i < descriptors.size(); i++) {
			const int fd = descriptors[i].get();
			memcpy(CMSG_DATA(rights) + i * sizeof(fd), &fd, sizeof(fd));
		}
	}
	return base::calls::sendmsg(socket.get(), header, base::deadline_after(ANSWER_NS)) > 0;
}

} // namespace

std::vector<Seed> fuzz::seeds()
{
	std::vector<Seed> all;
	for (uint8_t type = 1; type <= 6; type++) {
		for (const uint8_t flags : {0, 4, 0x24}) {
			all.push_back(
				{"message-" + std::to_string(type) + "-" + std::to_string(flags),
				 {}});
			for (const uint8_t each : {type, uint8_t{2}}) {
				all.back().add(each);
				all.back().add(flags);
				all.back().add(uint8_t{0});
			}
		}
	}
	return all;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	static auto &firmware = *new Firmware;
	static uint64_t inputs = 0;
	Input input(data, bytes);
	{
		const Fd socket = firmware.connect();
		FdMessage reply;
		for (unsigned i = 0; i < MESSAGES && input.left() > 0; i++) {
			if (!say(socket, input) || !hear(socket, reply))
				break;
		}
	}
	if (++inputs % INPUTS_PER_CHECK == 0)
		firmware.check();
	return 0;
}
