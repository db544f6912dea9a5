// SPDX-License-Identifier: MIT
/**
 * DOC: A firmware that lies
 *
 * Something that listens where a firmware should, and answers what a test wants it to.
 */
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>
#include <poll.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/os/socket.h"
#include "base/sync/ordering.h"
#include "drv/device.h"
#include "folder.h"
#include "uapi/graph.h"

namespace lying {

using base::Status;

/* What an honest firmware would have made, and a few things that it would not. */
struct Segments {
	base::SealedFile bar, completion, client;
	base::Mapping bar_map, completion_map, client_map;
	std::atomic<bool> more{false}; /* there are others to be taken */

	Segments()
	{
		bar = base::create_sealed("bar", sizeof(unpu_bar), UNPU_PAGE_4K).take();
		completion =
			base::create_sealed("completion", sizeof(unpu_completion), UNPU_PAGE_4K)
				.take();
		client = base::create_sealed("client", sizeof(unpu_client), UNPU_PAGE_4K).take();
		bar_map = base::map_shared(bar.fd, bar.bytes, true, UNPU_PAGE_4K).take();
		completion_map =
			base::map_shared(completion.fd, completion.bytes, true, UNPU_PAGE_4K)
				.take();
		client_map = base::map_shared(client.fd, client.bytes, true, UNPU_PAGE_4K).take();
		auto &line = *bar_map.as<unpu_bar>();
		line.magic = UNPU_BAR_MAGIC;
		line.packet_bytes = sizeof(unpu_packet);
		line.operator_bytes = sizeof(unpu_operator);
		line.semaphore_bytes = sizeof(unpu_sem_device);
		line.message_bytes = sizeof(unpu_message);
		line.graph_line_bytes = sizeof(unpu_graph_line);
		line.max_channels = UNPU_MAX_CHANNELS;
		line.max_semaphores = UNPU_MAX_SEMAPHORES;
		line.memory_bytes = uint64_t{64} << 20;
		line.abi = UNPU_ABI;
	}

	unpu_completion &lines() const { return *completion_map.as<unpu_completion>(); }
	const unpu_client &asked() const { return *client_map.as<const unpu_client>(); }
};

inline base::Fd unsealed(uint64_t bytes)
{
	base::Fd fd(memfd_create("unsealed", MFD_CLOEXEC | MFD_ALLOW_SEALING));
	EXPECT_EQ(ftruncate(fd.get(), static_cast<off_t>(bytes)), 0);
	return fd;
}

/* class Liar - listens, and answers each message as the test says. */
class Liar {
public:
	/* Fills the reply. Return: false to hang up instead. */
	using Answer = std::function<bool(Segments &, base::FdMessage &)>;

	explicit Liar(Answer answer, uint64_t answered = 0)
		: answer_(std::move(answer)), number_(answered)
	{
		segments.lines().semaphores[UNPU_SEM_MAILBOX].value = answered;
		sockaddr_un address{};
		address.sun_family = AF_UNIX;
		folder_.file("socket").copy(address.sun_path, sizeof(address.sun_path) - 1);
		listener_ = base::Fd(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
		EXPECT_EQ(bind(listener_.get(), reinterpret_cast<sockaddr *>(&address),
			       sizeof(address)),
			  0);
		EXPECT_EQ(listen(listener_.get(), 8), 0);
		thread_ = std::thread([this] { serve(); });
	}

	~Liar()
	{
		stop_ = true;
		thread_.join();
	}

	hal::Options options() const
	{
		hal::Options options;
		options.backend = hal::Backend::SOCKET;
		options.path = folder_.file("socket");
		options.patience_ms = 200;
		return options;
	}

	Segments segments;
	std::atomic<bool> beats{false}; /* its heartbeat */

	using Reply = std::function<void(const unpu_message &request, unpu_message &reply)>;
	/* What the mailbox answers; called once for each request. */
	void reply_with(Reply reply)
	{
		std::lock_guard lock(mutex_);
		reply_ = std::move(reply);
	}

private:
	void serve();
	void look_at_mailbox();

	Answer answer_;
	const Folder folder_;
	base::Fd listener_;
	std::thread thread_;
	std::atomic<bool> stop_{false};
	uint64_t number_;	/* of the last request */
	uint32_t sequence_ = 0; /* in the request that was read last */
	std::mutex mutex_;
	Reply reply_;
};

inline void Liar::look_at_mailbox()
{
	const unpu_message &request = segments.asked().request;
	uint32_t sequence = base::load_acquire(request.sequence);
	if (sequence == sequence_)
		return;
	const base::NoteOrder order;
	Reply make_reply;
	{
		std::lock_guard lock(mutex_);
		make_reply = reply_;
	}
	if (!make_reply)
		return;
	number_ += static_cast<uint32_t>(sequence - static_cast<uint32_t>(number_));
	sequence_ = sequence;
	unpu_completion &lines = segments.lines();
	unpu_message reply{};
	reply.sequence = sequence;
	reply.type = request.type;
	make_reply(request, reply);
	memcpy(&lines.reply, &reply, sizeof(reply));
	uint64_t &value = lines.semaphores[UNPU_SEM_MAILBOX].value;
	base::store_release(value, number_);
	base::futex_wake_all(reinterpret_cast<uint32_t &>(value), true);
}

inline void Liar::serve()
{
	std::vector<base::Fd> open;
	while (!stop_) {
		look_at_mailbox();
		if (beats)
			base::fetch_add(segments.bar_map.as<unpu_bar>()->heartbeat, uint64_t{1});
		pollfd listening{listener_.get(), POLLIN, 0};
		if (poll(&listening, 1, 0) == 1)
			open.emplace_back(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
		for (base::Fd &each : open) {
			pollfd entry{each.get(), POLLIN, 0};
			base::MessageBuffer buffer;
			if (!each.valid() || poll(&entry, 1, 0) != 1)
				continue;
			auto request = buffer.open(
				recvmsg(each.get(), &buffer.header(), MSG_CMSG_CLOEXEC));
			base::FdMessage reply;
			if (request)
				reply.message = request->message;
			if (!request || !answer_(segments, reply) ||
			    send_message(each, reply, base::NO_DEADLINE) != Status::OK)
				each = base::Fd();
		}
		sched_yield();
	}
}

/* honest() - an answer as it should be. */
inline bool honest(Segments &segments, base::FdMessage &reply)
{
	if (reply.message.type == UNPU_SOCKET_ATTACH) {
		base::Fd kick(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
		reply.add(segments.bar.fd.duplicate());
		reply.add(segments.completion.fd.duplicate());
		reply.add(segments.client.fd.duplicate());
		reply.add(std::move(kick));
	}
	if (reply.message.type == UNPU_SOCKET_TAKE_SEGMENT && segments.more) {
		constexpr uint64_t BYTES = uint64_t{256} << 20;
		reply.message.segment.bytes = BYTES;
		reply.message.segment.pages = UNPU_PAGE_4K;
		reply.add(
			base::create_sealed("segment", BYTES, UNPU_PAGE_4K).take().fd.duplicate());
	}
	if (reply.message.type == UNPU_SOCKET_PROBE) {
		reply.message.probe.devices = 1;
		reply.message.probe.memory_bytes = uint64_t{64} << 20;
	}
	return true;
}

/* opening() - what a client says of a firmware that answers so. */
inline Status opening(const Liar::Answer &answer, const std::function<void(Segments &)> &spoil = {})
{
	Liar liar(answer);
	std::string why;
	if (spoil)
		spoil(liar.segments);
	auto device = hal::open_device(liar.options(), 0, why);
	EXPECT_TRUE(device.ok() || !why.empty());
	return device.status();
}

/* attach_with() - an honest answer, but for one descriptor. */
inline Liar::Answer attach_with(unsigned index, const std::function<base::Fd()> &make)
{
	return [=](Segments &segments, base::FdMessage &reply) {
		honest(segments, reply);
		reply.descriptors[index] = make();
		return true;
	};
}

} // namespace lying
