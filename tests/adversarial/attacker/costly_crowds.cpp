// SPDX-License-Identifier: MIT
/*
 * DOC: costly requests of several clients
 *
 * The wait that matters is not that of the good client's tasks, so the program prints it too.
 */
#include <atomic>
#include <cstdio>
#include <cstring>
#include <thread>

#include <sys/epoll.h>
#include <unistd.h>

#include "costly.h"
#include "drv/packet/packets.h"
#include "firmware.h"
#include "image.h"

namespace attacker {

namespace {

using base::Status;
using hostile::Memory;
using hostile::Peer;
using wire::Image;

/* A client that loads a graph again and again. */
class Loader {
public:
	/* Return: whether the client has loaded its graph once. */
	bool start(const std::string &socket, uint32_t nodes)
	{
		return attach(socket, nodes) && load();
	}
	~Loader()
	{
		stop_ = true;
		if (thread_.joinable())
			thread_.join();
	}

	bool load()
	{
		uint32_t graph = 0;
		if (load_placed(*peer_, memory_, bytes_, graph) != Status::OK)
			return false;
		unpu_message message{};
		message.type = UNPU_MSG_GRAPH_UNLOAD;
		message.graph.graph = graph;
		return peer_->call(message) == Status::OK;
	}
	void repeat()
	{
		thread_ = std::thread([this] {
			while (!stop_ && load())
				loads_++;
			has_ended_ = true;
		});
	}
	unsigned loads() const { return loads_; }
	bool has_ended() const { return has_ended_; }

private:
	bool attach(const std::string &socket, uint32_t nodes)
	{
		peer_ = Peer::attach(socket);
		Image image;
		image.line(std::vector<unpu_packet>(nodes, drv::nop_packet(1)));
		const std::vector<std::byte> bytes = image.bytes();
		if (!peer_ ||
		    peer_->create(UNPU_SEGMENT_DEVICE, bytes.size(), memory_) != Status::OK ||
		    peer_->place(memory_) != Status::OK)
			return false;
		memcpy(memory_.window.data(), bytes.data(), bytes.size());
		bytes_ = bytes.size();
		return true;
	}

	std::unique_ptr<Peer> peer_;
	Memory memory_;
	uint64_t bytes_ = 0;
	std::atomic<unsigned> loads_{0};
	std::atomic<bool> stop_{false};
	std::atomic<bool> has_ended_{false};
	std::thread thread_;
};

constexpr unsigned LEAVERS = 5;
constexpr uint32_t LINES = 100000, EXPORTS = 60000, WAITERS = 8000;
std::vector<std::unique_ptr<Peer>> leavers;
std::vector<hostile::Channel> rings;
std::vector<std::unique_ptr<Loader>> loaders;

Image waits()
{
	Image image;
	image.nodes.push_back(drv::nop_packet(1));
	image.lines.push_back({0, 1, 0, 0, LINES - 1, 0});
	for (uint32_t i = 1; i < LINES; i++) {
		constexpr uint32_t SEM = 100;
		constexpr uint64_t NEVER = uint64_t{1} << 40;
		image.nodes.push_back(drv::wait_packet(1, SEM + i / WAITERS, NEVER, 0));
		image.lines.push_back({i, 1, 1, 0, 0, 0});
		image.words.push_back(i);
	}
	return image;
}

/* Return: whether the client has a graph whose lines all wait, and a segment with many exports. */
bool fill(Peer &peer, hostile::Channel &channel)
{
	Memory memory;
	const std::vector<std::byte> image = waits().bytes();
	if (channel.open(peer, UNPU_SEM_FIRST_FREE) != Status::OK ||
	    peer.create(UNPU_SEGMENT_DEVICE, image.size(), memory) != Status::OK ||
	    peer.place(memory) != Status::OK)
		return false;
	memcpy(memory.window.data(), image.data(), image.size());
	unpu_message message{};
	message.type = UNPU_MSG_GRAPH_LOAD;
	message.graph.va = memory.va;
	message.graph.bytes = image.size();
	if (peer.call(message) != Status::OK)
		return false;
	(void)channel.publish(drv::graph_packet(1, message.graph.graph));
	for (uint32_t i = 0; i < EXPORTS; i++) {
		message = {};
		message.type = UNPU_MSG_EXPORT;
		message.share.kind = UNPU_EXPORT_MEMORY;
		message.share.flags = UNPU_EXPORT_FLAGS_MASK;
		message.share.segment = memory.segment;
		message.share.bytes = 4096;
		if (peer.call(message) != Status::OK)
			return false;
	}
	return true;
}

} // namespace

bool prepare_crowd(Attack &attack)
{
	rings.clear();
	leavers.clear();
	rings.resize(LEAVERS);
	for (unsigned i = 0; i < LEAVERS; i++) {
		leavers.push_back(Peer::attach(attack.socket));
		if (!leavers.back() || !fill(*leavers.back(), rings[i]))
			return false;
	}
	return true;
}

/* They all leave at the same time. */
const char *crowd_leaves(Attack &)
{
	rings.clear();
	leavers.clear();
	return nullptr;
}

bool prepare_loaders(Attack &attack)
{
	constexpr uint32_t LARGE = IS_SANITIZED ? 40000 : 400000, SMALL = 4000;
	loaders.clear();
	for (uint32_t nodes : {LARGE, LARGE, SMALL}) {
		loaders.push_back(std::make_unique<Loader>());
		if (!loaders.back()->start(attack.socket, nodes))
			return false;
	}
	return true;
}

/* A small load waits for a slice of each large one, and not for the whole. */
const char *load_beside_loads(Attack &)
{
	constexpr unsigned MOST_ROUNDS = 200;
	const auto mine = std::move(loaders);
	Loader &first = *mine[0], &second = *mine[1], &small = *mine[2];
	first.repeat();
	second.repeat();
	while (first.loads() == 0 || second.loads() == 0) {
		CHECK(!first.has_ended() && !second.has_ended());
		usleep(1000);
	}
	/* A busy machine may let a large load end in the meantime, but not each time. */
	for (unsigned round = 1; round <= MOST_ROUNDS; round++) {
		const unsigned before = first.loads() + second.loads();
		const uint64_t began_ns = base::now_ns();
		CHECK(small.load());
		if (first.loads() + second.loads() != before)
			continue;
		printf("a small load beside large ones: %.1f ms, in round %u\n",
		       static_cast<double>(base::now_ns() - began_ns) / 1e6, round);
		return nullptr;
	}
	return "a small load waits for large ones";
}

/* Many waiters on the client's end of the socket: each message of the firmware wakes all of them. */
const char *wake_many_waiters(Attack &attack)
{
	constexpr unsigned SETS = 300, COPIES = 300;
	std::vector<base::Fd> sets, copies;
	for (unsigned i = 0; i < COPIES; i++)
		copies.push_back(attack.peer->socket().duplicate());
	for (unsigned i = 0; i < SETS; i++) {
		sets.emplace_back(epoll_create1(EPOLL_CLOEXEC));
		epoll_event event{EPOLLIN, {}};
		for (const base::Fd &copy : copies)
			(void)epoll_ctl(sets.back().get(), EPOLL_CTL_ADD, copy.get(), &event);
	}
	std::atomic<bool> stop{false};
	std::thread asks([&] {
		base::FdMessage message;
		do {
			message = {};
			message.message.type = UNPU_SOCKET_PROBE;
		} while (!stop && attack.peer->exchange(message) == hostile::Answer::REPLY);
	});
	constexpr unsigned ATTACHMENTS = 20;
	uint64_t worst_ns = 0;
	bool all = true;
	for (unsigned i = 0; i < ATTACHMENTS; i++) {
		const uint64_t began_ns = base::now_ns();
		all = Peer::attach(attack.socket) && all;
		worst_ns = std::max(worst_ns, base::now_ns() - began_ns);
	}
	stop = true;
	asks.join();
	printf("an attachment beside %u waiters: %.1f ms at worst\n", SETS * COPIES,
	       static_cast<double>(worst_ns) / 1e6);
	CHECK(all);
	return nullptr;
}

} // namespace attacker
