// SPDX-License-Identifier: MIT
/*
 * DOC: crafted lies
 *
 * Each case does one thing that our driver never does, and names its required end: a refusal, a
 * packet that fails, a client that is cut off, a connection that ends, or no effect at all.
 */
#include "hostile.h"

#include <array>
#include <atomic>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/no_destructor.h"
#include "drv/packet/packets.h"

namespace hostile {

namespace {

constexpr uint32_t TIMELINE = UNPU_SEM_FIRST_FREE;

Status ask(Peer &peer, uint32_t type, const std::array<uint64_t, 14> &words = {})
{
	unpu_message message{};
	message.type = type;
	memcpy(message.words, words.data(), sizeof(message.words));
	return peer.call(message);
}

/* Whether it is served as any other client. */
bool serves(Peer &peer)
{
	return ask(peer, UNPU_MSG_MEMORY_INFO) == Status::OK;
}

/* Whether the firmware ends the connection. Ignores the messages before that. */
bool closes(const base::Fd &socket, int patience_ms = 20000)
{
	char bytes[256];
	pollfd entry{socket.get(), POLLIN | POLLRDHUP, 0};
	while (poll(&entry, 1, patience_ms) == 1) {
		if (recv(socket.get(), bytes, sizeof(bytes), MSG_DONTWAIT) <= 0)
			return true;
	}
	return false;
}

End doorbells_from_the_future(Peer &peer, const Place &)
{
	unpu_doorbells &bells = peer.shared().doorbells;
	base::store_release(bells.entries[0], uint64_t{5} << 32);
	peer.kick();
	uint64_t end_ns = base::deadline_after(PATIENCE_NS);
	while (peer.broken() == Status::OK && base::now_ns() < end_ns)
		usleep(100);
	CHECK(peer.broken() == Status::RING_BROKEN);
	CHECK(ask(peer, UNPU_MSG_MEMORY_INFO) == Status::TIMEOUT);
	return nullptr;
}

End doorbells_that_run_backwards(Peer &peer, const Place &)
{
	unpu_doorbells &bells = peer.shared().doorbells;
	for (unsigned i = 0; i < 40; i++)
		CHECK(serves(peer));
	uint64_t place = bells.tail;
	for (uint64_t i = 0; i < 16; i++)
		base::store_release(bells.entries[(place + i) % UNPU_DOORBELL_ENTRIES],
				    (place - i) << 32);
	base::store_release(bells.tail, uint64_t{3});
	peer.kick();
	usleep(1000);
	CHECK(peer.broken() == Status::OK);
	base::store_release(bells.tail, place);
	CHECK(serves(peer));
	return nullptr;
}

End doorbells_for_nobody(Peer &peer, const Place &)
{
	for (uint32_t channel : {0u, 7u, 4095u, 4096u, 0x7fffffffu, 0xfffffffeu})
		peer.ring(channel);
	CHECK(serves(peer));
	return nullptr;
}

/* The ring does not advance until the right sequence number comes, and takes no later one for it. */
End validity_words_out_of_turn(Peer &peer, const Place &)
{
	Channel channel;
	CHECK(channel.open(peer, TIMELINE) == Status::OK);
	unpu_packet packet = drv::nop_packet(1);
	for (uint32_t valid : {2u, 65u, 0u, 0xffffffffu, 0x80000001u}) {
		packet.valid = valid;
		memcpy(channel.slots(), &packet, sizeof(packet));
		packet.valid = 2;
		memcpy(channel.slots() + 1, &packet, sizeof(packet));
		peer.ring(channel.index());
		CHECK(serves(peer));
		CHECK(peer.value(TIMELINE) == 0);
	}
	memset(static_cast<void *>(channel.slots()), 0, 2 * sizeof(packet));
	CHECK(channel.run(drv::nop_packet(1)) == Status::OK);
	return nullptr;
}

/* The firmware fetches a packet once: it executes the packet as it was at one moment, or refuses it. */
End packets_that_change(Peer &peer, const Place &)
{
	Channel channel;
	Memory memory;
	CHECK(channel.open(peer, TIMELINE) == Status::OK);
	CHECK(peer.create(UNPU_SEGMENT_DEVICE, 1 << 16, memory) == Status::OK);
	CHECK(peer.place(memory) == Status::OK);
	std::atomic<bool> stop{false};
	std::thread liar([&] {
		uint64_t word = 0;
		while (!stop) {
			for (uint32_t slot = 0; slot < SLOTS; slot++) {
				auto *words = reinterpret_cast<uint64_t *>(channel.slots() + slot);
				word = word * 6364136223846793005u + 1442695040888963407u;
				base::store_relaxed(words[2 + word % 4], word >> 20);
			}
		}
	});
	bool served = true;
	for (unsigned i = 0; i < 500 && served; i++)
		served = channel.run(drv::fill_packet(1, memory.va, 4096, 1, 1)) != Status::TIMEOUT;
	stop = true;
	liar.join();
	CHECK(served);
	CHECK(serves(peer));
	return nullptr;
}

End packets_of_nonsense(Peer &peer, const Place &)
{
	struct Case {
		Status end;
		void (*spoil)(unpu_packet &packet);
	};
	constexpr Case CASES[] = {
		{Status::BAD_OPCODE, [](unpu_packet &p) { p.opcode = 200; }},
		{Status::BAD_PACKET, [](unpu_packet &p) { p.flags = 0x80; }},
		{Status::BAD_PACKET, [](unpu_packet &p) { p.reserved1[1] = 1; }},
		{Status::BAD_PACKET, [](unpu_packet &p) { p.signal_op = 99; }},
		{Status::BAD_PACKET,
		 [](unpu_packet &p) {
			 p.signal_op = UNPU_SIGNAL_SET;
			 p.signal_sem = UNPU_SEM_MAILBOX;
		 }},
		{Status::BAD_PACKET,
		 [](unpu_packet &p) {
			 p.signal_op = UNPU_SIGNAL_SET;
			 p.signal_sem = 0xffffffff;
		 }},
		{Status::MMU_FAULT, [](unpu_packet &p) { p = drv::copy_packet(1, 0, 8, 8); }},
		{Status::MMU_FAULT,
		 [](unpu_packet &p) { p = drv::copy_packet(1, ~uint64_t{7}, 8, ~uint64_t{0}); }},
		{Status::BAD_SEMAPHORE,
		 [](unpu_packet &p) { p = drv::wait_packet(1, 0x7fffffff, 1, 0); }},
		{Status::BAD_GRAPH, [](unpu_packet &p) { p = drv::graph_packet(1, 77); }},
		{Status::INVALID_HANDLE, [](unpu_packet &p) { p = drv::host_done_packet(1, 77); }},
		{Status::MMU_FAULT,
		 [](unpu_packet &p) { p = drv::graph_update_packet(1, 1, 8, ~uint64_t{0}); }},
	};
	Channel channel;
	CHECK(channel.open(peer, TIMELINE) == Status::OK);
	for (const Case &each : CASES) {
		unpu_packet packet = drv::nop_packet(1);
		each.spoil(packet);
		Status end = channel.run(packet);
		/* The firmware reports a graph that does not exist before it reads the block. */
		CHECK(end == each.end || end == Status::BAD_GRAPH);
	}
	CHECK(channel.run(drv::nop_packet(1)) == Status::OK);
	return nullptr;
}

End handles_of_others(Peer &peer, const Place &place)
{
	auto other = Peer::attach(place.path);
	Memory theirs;
	Channel channel;
	CHECK(other && other->create(UNPU_SEGMENT_DEVICE, 4096, theirs) == Status::OK);
	CHECK(channel.open(*other, TIMELINE) == Status::OK);
	uint64_t id = theirs.segment;
	CHECK(ask(peer, UNPU_MSG_SEGMENT_DESTROY, {id}) == Status::INVALID_HANDLE);
	CHECK(ask(peer, UNPU_MSG_MAP, {1 << 20, 4096, id, 0, 3}) == Status::INVALID_HANDLE);
	CHECK(ask(peer, UNPU_MSG_CHANNEL_DESTROY, {0, 0, 0, channel.index()}) ==
	      Status::INVALID_HANDLE);
	CHECK(ask(peer, UNPU_MSG_CHANNEL_ABORT, {channel.index()}) == Status::INVALID_HANDLE);
	CHECK(ask(peer, UNPU_MSG_GRAPH_UNLOAD, {0, 0, 1}) == Status::INVALID_HANDLE);
	unpu_message guess{};
	guess.type = UNPU_MSG_IMPORT;
	guess.share.key = {1, 2, 1, UNPU_EXPORT_MEMORY, 1, 0};
	CHECK(peer.call(guess) != Status::OK);
	base::FdMessage message;
	message.message.type = UNPU_SOCKET_TAKE_SEGMENT;
	message.message.segment.segment = id;
	CHECK(peer.exchange(message) == Answer::REPLY);
	CHECK(static_cast<Status>(message.message.status) == Status::INVALID_HANDLE);
	CHECK(message.count == 0);
	CHECK(channel.run(drv::nop_packet(1)) == Status::OK);
	return nullptr;
}

End requests_of_nonsense(Peer &peer, const Place &)
{
	constexpr uint64_t HUGE = ~uint64_t{0};
	for (uint32_t type = 0; type < 64; type++) {
		for (uint64_t word : {uint64_t{0}, HUGE, HUGE / 2, uint64_t{1} << 46}) {
			std::array<uint64_t, 14> words;
			words.fill(word);
			CHECK(ask(peer, type, words) != Status::TIMEOUT);
		}
	}
	/* Only the sequence tells one request from the next: another one is a request, whichever way. */
	peer.skip_requests(1000);
	CHECK(serves(peer));
	CHECK(peer.broken() == Status::OK);
	return nullptr;
}

End requests_that_change(Peer &peer, const Place &)
{
	std::atomic<bool> stop{false};
	std::thread liar([&] {
		auto *words = reinterpret_cast<uint32_t *>(&peer.shared().request);
		for (uint32_t i = 1; !stop; i++)
			base::store_relaxed(words[1 + i % 31], i * 2654435761u);
	});
	bool answered = true;
	for (unsigned i = 0; i < 300 && answered; i++)
		answered = ask(peer, UNPU_MSG_SEGMENT_CREATE, {0, 4096, 1}) != Status::TIMEOUT;
	stop = true;
	liar.join();
	CHECK(answered);
	CHECK(serves(peer));
	return nullptr;
}

/* graph() - what loading an image says. */
Status load(Peer &peer, Memory &memory, const void *image, size_t bytes, uint64_t said)
{
	memcpy(memory.window.data(), image, bytes);
	return ask(peer, UNPU_MSG_GRAPH_LOAD, {memory.va, said});
}

End graphs_with_cycles_and_wild_counts(Peer &peer, const Place &)
{
	struct Image {
		unpu_graph_header header{};
		unpu_packet nodes[2] = {drv::nop_packet(1), drv::nop_packet(1)};
		unpu_graph_line lines[2] = {{0, 1, 0, 0, 1, 0}, {1, 1, 1, 0, 0, 0}};
		unpu_graph_region regions[1] = {{0, 2}};
		uint32_t words[2] = {1, 0};
	};
	Memory memory;
	CHECK(peer.create(UNPU_SEGMENT_DEVICE, 1 << 16, memory) == Status::OK);
	CHECK(peer.place(memory) == Status::OK);
	const auto make = [] {
		Image image;
		image.header.magic = UNPU_GRAPH_MAGIC;
		image.header.abi = UNPU_ABI;
		image.header.bytes = sizeof(image);
		image.header.nnodes = 2;
		image.header.nlines = 2;
		image.header.nregions = 1;
		image.header.nwords = 2;
		return image;
	};
	using Spoil = void (*)(Image &);
	constexpr Spoil SPOILS[] = {
		[](Image &i) { i.header.magic++; },
		[](Image &i) { i.header.nnodes = 0xffffffff; },
		[](Image &i) { i.header.nlines = 0x80000000; },
		[](Image &i) { i.header.nregions = 0; },
		[](Image &i) { i.header.nregions = 0xffff; },
		[](Image &i) { i.header.nwords = 0xffffffff; },
		[](Image &i) { i.header.descriptor_bytes = ~uint64_t{0}; },
		[](Image &i) { i.header.bytes = ~uint64_t{0}; },
		[](Image &i) { i.header.reserved = 1; },
		/* The second line leads back to the first. */
		[](Image &i) {
			i.lines[0].joins = 1;
			i.lines[1].first_edge = 1;
			i.lines[1].edges = 1;
		},
		[](Image &i) { i.words[0] = 0; },
		[](Image &i) { i.words[0] = 0xffffffff; },
		[](Image &i) { i.lines[0].edges = 0xffffffff; },
		[](Image &i) { i.lines[0].first_edge = 0xffffffff; },
		[](Image &i) { i.lines[1].count = 0xffffffff; },
		[](Image &i) { i.lines[1].first = 0; },
		[](Image &i) { i.lines[1].joins = 7; },
		[](Image &i) { i.regions[0].count = 0xffffffff; },
		[](Image &i) { i.nodes[1].opcode = 250; },
	};
	Image good = make();
	CHECK(load(peer, memory, &good, sizeof(good), sizeof(good)) == Status::OK);
	for (Spoil spoil : SPOILS) {
		Image image = make();
		spoil(image);
		Status status = load(peer, memory, &image, sizeof(image), sizeof(image));
		CHECK(status == Status::BAD_GRAPH || status == Status::GRAPH_TOO_LARGE ||
		      status == Status::BAD_OPCODE);
	}
	for (uint64_t said :
	     {uint64_t{0}, uint64_t{63}, sizeof(good) - 1, uint64_t{1} << 20, ~uint64_t{0}})
		CHECK(load(peer, memory, &good, sizeof(good), said) != Status::OK);
	CHECK(serves(peer));
	return nullptr;
}

/* Pages that the firmware uses can't be taken away, and its own lines can't be written. */
End segments_that_shrink(Peer &peer, const Place &)
{
	Channel channel;
	CHECK(channel.open(peer, TIMELINE) == Status::OK);
	for (int fd : {peer.descriptor(0).get(), peer.descriptor(1).get(), peer.descriptor(2).get(),
		       channel.memory().fd.get()}) {
		CHECK(ftruncate(fd, 0) != 0);
		CHECK(ftruncate(fd, off_t{1} << 40) != 0);
		CHECK(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE) != 0);
	}
	for (unsigned i : {0u, 1u}) {
		int fd = peer.descriptor(i).get();
		std::string again = "/proc/self/fd/" + std::to_string(fd);
		base::Fd reopened(open(again.c_str(), O_RDWR | O_CLOEXEC));
		for (int each : {fd, reopened.get()}) {
			void *window =
				mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, each, 0);
			CHECK(window == MAP_FAILED);
			CHECK(each < 0 || pwrite(each, "x", 1, 0) != 1);
		}
		CHECK(fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096) != 0);
	}
	/* Holes in its own memory read as zeros. With the tail of its doorbells it would not be heard any more. */
	const uint64_t place = peer.shared().doorbells.tail;
	CHECK(fallocate(channel.memory().fd.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
			4096) == 0);
	CHECK(fallocate(peer.descriptor(2).get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
			4096) == 0);
	CHECK(peer.shared().doorbells.tail == 0);
	base::store_release(peer.shared().doorbells.tail, place);
	CHECK(channel.run(drv::nop_packet(1)) == Status::OK);
	CHECK(serves(peer));
	return nullptr;
}

/* A full counter takes no kick: the client alone is not heard, and until it empties the counter again. */
End kicks_that_are_taken_back(Peer &peer, const Place &)
{
	constexpr uint64_t FULL = ~uint64_t{0} - 1;
	uint64_t count = FULL;
	CHECK(write(peer.descriptor(3).get(), &count, sizeof(count)) == sizeof(count));
	peer.kick();
	CHECK(read(peer.descriptor(3).get(), &count, sizeof(count)) == sizeof(count));
	CHECK(count == FULL);
	CHECK(serves(peer));
	CHECK(read(peer.descriptor(3).get(), &count, sizeof(count)) == sizeof(count));
	CHECK(serves(peer));
	return nullptr;
}

End semaphores_with_a_crowd_of_waiters(Peer &peer, const Place &)
{
	for (uint32_t sem : {0u, 1u, 2u, 3u, peer.semaphores() - 1})
		base::store_relaxed(peer.shared().semaphores[sem].sleepers, UINT64_MAX >> 44);
	Channel channel;
	CHECK(channel.open(peer, TIMELINE) == Status::OK);
	CHECK(channel.run(drv::nop_packet(1)) == Status::OK);
	return nullptr;
}

End messages_that_are_cut_short(Peer &, const Place &place)
{
	unpu_socket_message message{};
	message.magic = UNPU_SOCKET_MAGIC;
	message.abi = UNPU_ABI;
	message.type = UNPU_SOCKET_PROBE;
	for (size_t bytes : {size_t{1}, size_t{8}, size_t{64}, size_t{127}}) {
		base::Fd socket = connect_to(place.path);
		CHECK(send(socket.get(), &message, bytes, 0) == static_cast<ssize_t>(bytes));
		CHECK(closes(socket));
	}
	std::vector<char> longer(4096);
	memcpy(longer.data(), &message, sizeof(message));
	base::Fd socket = connect_to(place.path);
	CHECK(send(socket.get(), longer.data(), longer.size(), 0) > 0);
	CHECK(closes(socket));
	message.magic++;
	socket = connect_to(place.path);
	CHECK(send(socket.get(), &message, sizeof(message), 0) == sizeof(message));
	CHECK(closes(socket));
	return nullptr;
}

End sockets_that_do_not_read(Peer &, const Place &place)
{
	base::Fd socket = connect_to(place.path);
	unpu_socket_message message{};
	message.magic = UNPU_SOCKET_MAGIC;
	message.abi = UNPU_ABI;
	message.type = UNPU_SOCKET_PROBE;
	uint64_t end_ns = base::deadline_after(PATIENCE_NS);
	while (base::now_ns() < end_ns) {
		ssize_t sent =
			send(socket.get(), &message, sizeof(message), MSG_NOSIGNAL | MSG_DONTWAIT);
		if (sent < 0 && errno == EPIPE)
			return nullptr;
		if (sent < 0)
			usleep(100);
	}
	return "the connection stays open";
}

End descriptors_of_the_wrong_kind(Peer &peer, const Place &place)
{
	for (uint32_t type : {UNPU_SOCKET_PROBE, UNPU_SOCKET_ATTACH, UNPU_SOCKET_TAKE_SEGMENT,
			      UNPU_SOCKET_CONNECT, UNPU_SOCKET_SNAPSHOT}) {
		for (const char *path : {"/dev/null", "/", "/proc/self/mem"}) {
			base::FdMessage message;
			message.message.type = type;
			message.add(base::Fd(open(path, O_RDONLY | O_CLOEXEC)));
			CHECK(peer.exchange(message) == Answer::REPLY);
			CHECK(message.message.status != 0 && message.count == 0);
		}
	}
	/* A socket to be a client's is what a parent alone may bring. */
	base::FdMessage message;
	message.message.type = UNPU_SOCKET_CONNECT;
	message.add(connect_to(place.path));
	CHECK(peer.exchange(message) == Answer::REPLY && message.message.status != 0);
	CHECK(serves(peer));
	return nullptr;
}

End a_second_attach(Peer &peer, const Place &)
{
	base::FdMessage message;
	message.message.type = UNPU_SOCKET_ATTACH;
	CHECK(peer.exchange(message) == Answer::REPLY && message.message.status != 0);
	CHECK(message.count == 0);
	CHECK(serves(peer));
	return nullptr;
}

/* Host calls that the client posts itself, and answers to calls that were never made. */
End calls_that_nobody_made(Peer &peer, const Place &)
{
	Channel asks, answers;
	CHECK(asks.open(peer, TIMELINE) == Status::OK);
	CHECK(answers.open(peer, TIMELINE + 1) == Status::OK);
	for (uint64_t token : {uint64_t{0}, uint64_t{1}, uint64_t{8192}, ~uint64_t{0}})
		CHECK(answers.run(drv::host_done_packet(1, token)) == Status::INVALID_HANDLE);
	/* A call that is a report of the device's is none of a client's. */
	CHECK(asks.run(drv::host_call_packet(1, UNPU_CALL_FAULT)) == Status::BAD_PACKET);
	for (uint64_t call : {uint64_t{0}, uint64_t{7}, ~uint64_t{0} - 1}) {
		uint64_t posted = peer.value(UNPU_SEM_CALLS);
		uint64_t wanted = asks.publish(drv::host_call_packet(1, call));
		while (peer.value(UNPU_SEM_CALLS) == posted)
			usleep(100);
		const unpu_call_entry &entry =
			peer.completion().calls[posted % UNPU_CALL_QUEUE_ENTRIES];
		CHECK(base::load_acquire(entry.sequence) == posted + 1 && entry.call == call);
		CHECK(answers.run(drv::host_done_packet(1, entry.token + 1)) ==
		      Status::INVALID_HANDLE);
		CHECK(answers.run(drv::host_done_packet(1, entry.token)) == Status::OK);
		CHECK(answers.run(drv::host_done_packet(1, entry.token)) == Status::INVALID_HANDLE);
		CHECK(asks.reaches(wanted));
	}
	return nullptr;
}

/* It may ask what there is, and has to become a client in time. */
End connections_that_never_attach(Peer &, const Place &place)
{
	base::Fd silent = connect_to(place.path);
	base::Fd asks = connect_to(place.path);
	CHECK(silent.valid() && asks.valid());
	base::FdMessage message;
	message.message.type = UNPU_SOCKET_PROBE;
	CHECK(send_message(asks, message, base::NO_DEADLINE) == Status::OK);
	CHECK(closes(asks));
	CHECK(closes(silent));
	return nullptr;
}

/* A user's clients are counted, and one that goes leaves its place. */
End more_clients_than_a_user_may_have(Peer &, const Place &place)
{
	std::vector<std::unique_ptr<Peer>> all;
	while (all.size() <= USER_CLIENTS) {
		auto next = Peer::attach(place.path);
		if (!next)
			break;
		all.push_back(std::move(next));
	}
	/* The other client and the one of this case are there as well. */
	CHECK(all.size() == USER_CLIENTS - 2);
	Peer refused;
	CHECK(Peer::ask(refused, place.path) == Status::QUOTA);
	CHECK(serves(*all.back()));
	all.pop_back();
	uint64_t end_ns = base::deadline_after(PATIENCE_NS);
	std::unique_ptr<Peer> again;
	while (!again && base::now_ns() < end_ns)
		again = Peer::attach(place.path);
	CHECK(again && serves(*again));
	return nullptr;
}

Status reserve(Peer &peer, uint64_t number)
{
	constexpr uint64_t PIECE = 2u << 20;
	unpu_message message{};
	message.type = UNPU_MSG_RESERVE;
	message.map.va = (uint64_t{1} << 45) + 2 * number * PIECE;
	message.map.bytes = PIECE;
	return peer.call(message);
}

/* One client can't take all that its user may have. */
End reservations_without_end(Peer &peer, const Place &place)
{
	constexpr uint64_t MOST = 100000;
	uint64_t count = 0;
	Status status = Status::OK;
	while (count < MOST && (status = reserve(peer, count)) == Status::OK)
		count++;
	CHECK(status == Status::QUOTA && count > 0);
	const auto other = Peer::attach(place.path);
	CHECK(other && reserve(*other, 0) == Status::OK);
	CHECK(serves(peer));
	return nullptr;
}

} // namespace

const std::vector<Case> &cases()
{
#define CASE(name) \
	{ \
#name, name \
	}
	static base::NoDestructor<std::vector<Case>> all(std::vector<Case>{
		CASE(doorbells_from_the_future),
		CASE(doorbells_that_run_backwards),
		CASE(doorbells_for_nobody),
		CASE(validity_words_out_of_turn),
		CASE(packets_that_change),
		CASE(packets_of_nonsense),
		CASE(handles_of_others),
		CASE(requests_of_nonsense),
		CASE(requests_that_change),
		CASE(graphs_with_cycles_and_wild_counts),
		CASE(segments_that_shrink),
		CASE(kicks_that_are_taken_back),
		CASE(semaphores_with_a_crowd_of_waiters),
		CASE(messages_that_are_cut_short),
		CASE(sockets_that_do_not_read),
		CASE(descriptors_of_the_wrong_kind),
		CASE(descriptors_that_close_slowly),
		CASE(sockets_inside_sockets),
		CASE(snapshots_without_a_pause),
		CASE(a_second_attach),
		CASE(calls_that_nobody_made),
		CASE(holes_that_no_page_is_left_for),
		CASE(connections_that_never_attach),
		CASE(more_clients_than_a_user_may_have),
		CASE(reservations_without_end),
	});
#undef CASE
	return *all;
}

} // namespace hostile
