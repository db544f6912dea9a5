// SPDX-License-Identifier: MIT
/*
 * DOC: attacks of kernels
 */
#include "attacks.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <functional>
#include <vector>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "image.h"
#include "kernel_peer.h"

namespace attack {

namespace {

/* In a process of its own, which ends with this one. @work returns what is wrong, or nullptr. */
pid_t start(const std::function<const char *()> &work)
{
	const pid_t child = fork();
	if (child != 0)
		return child;
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	const char *wrong = work();
	if (wrong)
		printf("process %d: %s\n", getpid(), wrong);
	fflush(stdout);
	_exit(wrong ? 1 : 0);
}

/* Return: whether all of them were right. */
bool join(const std::vector<pid_t> &children)
{
	bool is_good = true;
	for (const pid_t child : children) {
		int status = 0;
		is_good = waitpid(child, &status, 0) == child && status == 0 && is_good;
	}
	return is_good;
}

std::string crowd(unsigned count, const std::function<const char *()> &work)
{
	std::vector<pid_t> children;
	for (unsigned i = 0; i < count; i++)
		children.push_back(start(work));
	return join(children) ? "" : "a client was not served as it has to be";
}

std::string attack_signals(const Ground &ground)
{
	const pid_t victim = start([]() -> const char * {
		pause();
		return nullptr;
	});
	KernelPeer peer;
	std::string wrong;
	if (const char *why = peer.open(ground.socket))
		wrong = why;
	for (const pid_t target : {victim, ground.firmware}) {
		if (!wrong.empty())
			break;
		(void)peer.run(Command::SIGNAL, {static_cast<uint64_t>(target), SIGKILL});
		/* The firmware tells the worker of the memory: its socket becomes readable. */
		hostile::Memory memory;
		if (peer.peer().create(UNPU_SEGMENT_DEVICE, 4096, memory) != Status::OK ||
		    peer.peer().place(memory) != Status::OK ||
		    peer.run(Command::NOTHING) != Status::OK)
			wrong = "the firmware does not go on";
	}
	int status = 0;
	if (waitpid(victim, &status, WNOHANG) != 0)
		return "a process of the user was killed";
	kill(victim, SIGKILL);
	(void)waitpid(victim, &status, 0);
	return wrong;
}

Status import(hostile::Peer &peer, const unpu_export_key &key, uint64_t &segment)
{
	unpu_message message{};
	message.type = UNPU_MSG_IMPORT;
	message.share.key = key;
	TRY(peer.call(message));
	segment = message.share.segment;
	return Status::OK;
}

/* The importer: its kernel tries to reach the rest of the exporter's memory in four ways. */
const char *reach_rest(const std::string &socket, const unpu_export_key &key, double seconds)
{
	constexpr uint64_t VA = uint64_t{1} << 40, APART = 64 << 10;
	constexpr unsigned TIMES = 200;
	KernelPeer peer;
	if (const char *why = peer.open(socket))
		return why;
	uint64_t segment = 0;
	const uint64_t stolen =
		peer.launch(Command::STEAL, {static_cast<uint64_t>(seconds * 1000), SECRET});
	if (import(peer.peer(), key, segment) != Status::OK)
		return "the part is not imported";
	for (unsigned i = 0; i < TIMES; i++) {
		if (peer.peer().map_segment(VA + i * APART, PART_BYTES, segment, 0,
					    UNPU_ACCESS_READ | UNPU_ACCESS_WRITE) != Status::OK)
			return "the part is not mapped";
	}
	if (!peer.channel().reaches(stolen))
		return "the kernel that steals does not end";
	if (peer.out()[0] != 0)
		return "a kernel has got the exporter's descriptor";
	if (peer.out()[1] != 0)
		return "a kernel has received messages of the firmware";
	(void)peer.channel().clear();
	const uint64_t more = WHOLE_BYTES - PART_AT;
	if (peer.run(Command::GROW, {VA, PART_BYTES, more, 1 << 20}) == Status::OK &&
	    peer.out()[0] != 0)
		return "a kernel has mapped more than was exported";
	if (peer.run(Command::READ, {VA}) != Status::KERNEL_FAULT_VECTOR)
		return "a kernel reads a part of a segment";
	if (peer.sentence().find("a part of an allocation of another process") == std::string::npos)
		return "no sentence says why a kernel can't read a part";
	return nullptr;
}

std::string attack_part(const Ground &ground)
{
	const auto peer = hostile::Peer::attach(ground.socket);
	hostile::Memory memory;
	if (!peer || peer->create(UNPU_SEGMENT_DEVICE, WHOLE_BYTES, memory) != Status::OK ||
	    peer->place(memory) != Status::OK)
		return "the exporter has no memory";
	auto *words = memory.as<uint64_t>();
	std::fill(words, words + WHOLE_BYTES / sizeof(*words), SECRET);
	unpu_message message{};
	message.type = UNPU_MSG_EXPORT;
	message.share.kind = UNPU_EXPORT_MEMORY;
	message.share.segment = memory.segment;
	message.share.offset = PART_AT;
	message.share.bytes = PART_BYTES;
	message.share.flags = UNPU_EXPORT_ANY_PROCESS;
	if (peer->call(message) != Status::OK)
		return "the part is not exported";
	const unpu_export_key key = message.share.key;
	std::string wrong =
		crowd(1, [&] { return reach_rest(ground.socket, key, ground.seconds); });
	for (uint64_t i = 0; i < WHOLE_BYTES / sizeof(*words); i++) {
		const uint64_t at = i * sizeof(*words);
		if (words[i] != SECRET && (at < PART_AT || at >= PART_AT + PART_BYTES))
			return "the exporter's memory was changed beside the part";
	}
	return wrong;
}

std::string attack_memory(const Ground &ground)
{
	constexpr uint64_t WANTED = uint64_t{3} << 30, QUOTA = 256 << 20;
	KernelPeer peer;
	if (const char *why = peer.open(ground.socket))
		return why;
	const Status status = peer.run(Command::HOG, {WANTED});
	if (peer.out()[0] > QUOTA)
		return "a kernel has got more memory than its client's quota";
	if (status != Status::KERNEL_FAULT_VECTOR)
		return "a kernel without memory goes on";
	if (peer.sentence().find("memory") == std::string::npos)
		return "no sentence says that the kernel has no memory left: " + peer.sentence();
	return peer.run(Command::NOTHING) == Status::OK ? "" : "the next kernel does not run";
}

/* A client that has all of its quota destroys a part that is too small to end the process of its worker, and makes it
 * again. */
std::string refill(hostile::Peer &peer)
{
	constexpr uint64_t BYTES = 16 << 20;
	unpu_message made{};
	const auto make = [&] {
		made = {};
		made.type = UNPU_MSG_SEGMENT_CREATE;
		made.segment.bytes = BYTES;
		made.segment.kind = UNPU_SEGMENT_DEVICE;
		Status status;
		while ((status = peer.call(made)) == Status::IN_USE)
			made.segment.segment = 0;
		return status;
	};
	uint64_t one = 0;
	while (make() == Status::OK)
		one = made.segment.segment;
	unpu_message gone{};
	gone.type = UNPU_MSG_SEGMENT_DESTROY;
	gone.segment.segment = one;
	if (one == 0 || peer.call(gone) != Status::OK)
		return "a client can't have its quota";
	return make() == Status::OK ? ""
				    : "a client does not get memory again that it has destroyed";
}

/* Memory that the client destroys, while its kernel keeps it: the pages come back when the kernel writes. */
std::string attack_destroyed(const Ground &ground)
{
	constexpr uint64_t VA = uint64_t{1} << 41, BYTES = 48 << 20, QUOTA = 256 << 20;
	constexpr unsigned FILES = 8, TRIES = 20000;
	KernelPeer peer;
	if (const char *why = peer.open(ground.socket))
		return why;
	auto &out =
		*reinterpret_cast<std::array<uint64_t, 3> *>(const_cast<uint64_t *>(peer.out()));
	const uint64_t end = peer.launch(Command::KEEP, {60000, BYTES});
	uint64_t kept = 0;
	Status status = Status::OK;
	for (unsigned tries = 0; kept < FILES && status == Status::OK && tries < TRIES;) {
		unpu_message message{};
		message.type = UNPU_MSG_SEGMENT_CREATE;
		message.segment.bytes = BYTES;
		message.segment.kind = UNPU_SEGMENT_DEVICE;
		status = peer.peer().call(message);
		if (status != Status::OK)
			break;
		const uint64_t segment = message.segment.segment;
		for (; base::load_relaxed(out[0]) == kept && status == Status::OK && tries < TRIES;
		     tries++) {
			status = peer.peer().map_segment(VA, BYTES, segment, 0,
							 UNPU_ACCESS_READ | UNPU_ACCESS_WRITE);
			if (status == Status::OK)
				status = peer.peer().unmap(VA, BYTES);
		}
		kept = base::load_relaxed(out[0]);
		message = {};
		message.type = UNPU_MSG_SEGMENT_DESTROY;
		message.segment.segment = segment;
		status = peer.peer().call(message);
	}
	base::store_relaxed(out[1], uint64_t{1});
	if (!peer.channel().reaches(end))
		return "the kernel that keeps memory does not end";
	if (base::load_relaxed(out[2]) > QUOTA)
		return "a kernel has more memory than its client's quota, which its client has "
		       "destroyed";
	if (status != Status::OK && status != Status::QUOTA)
		return "memory is refused in another way";
	(void)peer.channel().clear();
	/* A process that may keep memory ends when no kernel runs; then the client has its quota again. */
	hostile::Memory memory;
	for (unsigned i = 0; i < TRIES; i++) {
		if (peer.peer().create(UNPU_SEGMENT_DEVICE, BYTES, memory) == Status::OK)
			return peer.run(Command::NOTHING) == Status::OK
				       ? refill(peer.peer())
				       : "the next kernel does not run";
		usleep(1000);
	}
	return "a client does not get its quota again";
}

/* Each image has a small file, and a table of 6 MiB, which the firmware keeps. */
std::string attack_tables(const Ground &ground)
{
	constexpr unsigned IMAGES = 60; /* their tables are more than the quota */
	KernelPeer peer;
	if (const char *why = peer.open(ground.socket))
		return why;
	unsigned loaded = 0;
	Status status = Status::OK;
	while (status == Status::OK && loaded < IMAGES) {
		status = peer.load(CROWDED_IMAGE);
		loaded += status == Status::OK;
	}
	if (loaded == IMAGES)
		return "a client has got more tables of kernels than its quota of memory";
	if (loaded == 0 || status != Status::QUOTA)
		return "an image with many kernels is refused in another way";
	if (peer.load_sentence().find("--quota-memory") == std::string::npos)
		return "no sentence says which quota it is: " + peer.load_sentence();
	if (peer.unload() != Status::OK || peer.load(CROWDED_IMAGE) != Status::OK)
		return "the table of an image that is gone still counts";
	return {};
}

/* Launches that wait for others, each with as many arguments as there may be: together more than the quota. */
std::string attack_arguments(const Ground &ground)
{
	constexpr unsigned CHANNELS = 3000;
	constexpr uint64_t MS = 60000;
	KernelPeer peer;
	if (const char *why = peer.open(ground.socket))
		return why;
	hostile::Memory memory;
	if (peer.peer().create(UNPU_SEGMENT_DEVICE, UNPU_KERNEL_WIRE_MAX_ARGS, memory) !=
		    Status::OK ||
	    peer.peer().place(memory) != Status::OK)
		return "it has no memory";
	*memory.as<Arguments>() = {Command::SPIN, peer.out_va(), {MS}};
	std::vector<hostile::Channel> channels(CHANNELS);
	for (unsigned i = 0; i < CHANNELS; i++) {
		const Status opened = channels[i].open(peer.peer(), UNPU_SEM_FIRST_FREE + 1 + i);
		/* The launches before have taken what is left. */
		if (opened == Status::QUOTA)
			return {};
		if (opened != Status::OK)
			return "it gets no channel";
		(void)peer.launch_from_memory(channels[i], memory.va);
	}
	return "launches that wait have more arguments than their client's quota of memory";
}

/* A graph with a kernel in each of its lines, which wait for the first one; then the client stops all of them. */
std::string attack_stops(const Ground &ground)
{
	constexpr uint32_t LINES = 30000;
	constexpr uint64_t MS = 60000;
	KernelPeer peer;
	if (const char *why = peer.open(ground.socket))
		return why;
	wire::Image image;
	image.tensors = peer.descriptor(Command::SPIN, {MS});
	unpu_packet kernel = drv::packet(UNPU_OP_KERNEL, 1);
	kernel.tensor.bytes = static_cast<uint32_t>(image.tensors.size() * sizeof(uint64_t));
	for (uint32_t i = 0; i < LINES; i++)
		image.line({kernel});
	const std::vector<std::byte> bytes = image.bytes();
	hostile::Memory memory;
	if (peer.peer().create(UNPU_SEGMENT_DEVICE, bytes.size(), memory) != Status::OK ||
	    peer.peer().place(memory) != Status::OK)
		return "it has no memory";
	memcpy(memory.window.data(), bytes.data(), bytes.size());
	unpu_message message{};
	message.type = UNPU_MSG_GRAPH_LOAD;
	message.graph.va = memory.va;
	message.graph.bytes = bytes.size();
	if (peer.peer().call(message) != Status::OK)
		return "its graph is not loaded";
	hostile::Channel channel;
	if (channel.open(peer.peer(), UNPU_SEM_FIRST_FREE + 1) != Status::OK)
		return "it gets no channel";
	(void)channel.publish(drv::graph_packet(1, message.graph.graph));
	usleep(1000000);
	message = {};
	message.type = UNPU_MSG_CHANNEL_ABORT;
	message.abort = {channel.index(), 0, channel.ring().next()};
	return peer.peer().call(message) == Status::OK ? "" : "the graph is not stopped";
}

/* Until the time has passed. */
template <class Work> const char *repeat(const Ground &ground, Work work)
{
	const uint64_t end_ns =
		base::deadline_after(static_cast<uint64_t>(ground.seconds * base::NS_PER_S));
	const char *wrong = nullptr;
	while (!wrong && base::now_ns() < end_ns)
		wrong = work();
	return wrong;
}

/* Images of 16 MiB that are none but for their first bytes. */
std::string attack_loads(const Ground &ground)
{
	constexpr unsigned CLIENTS = 8;
	constexpr uint64_t BYTES = 16 << 20;
	return crowd(CLIENTS, [&]() -> const char * {
		KernelPeer peer;
		if (const char *why = peer.open(ground.socket))
			return why;
		hostile::Memory memory;
		if (peer.peer().create(UNPU_SEGMENT_PINNED, BYTES, memory) != Status::OK ||
		    peer.peer().place(memory) != Status::OK)
			return "it has no memory";
		memcpy(memory.window.data(), "\177ELF", 4);
		return repeat(ground, [&] {
			return peer.load(memory.va, BYTES) == Status::BAD_KERNEL
				       ? nullptr
				       : "what is no image is not refused";
		});
	});
}

std::string attack_prints(const Ground &ground)
{
	constexpr unsigned CLIENTS = 4;
	constexpr uint64_t KIB = 1024;
	return crowd(CLIENTS, [&]() -> const char * {
		KernelPeer peer;
		if (const char *why = peer.open(ground.socket))
			return why;
		return repeat(ground, [&] {
			return peer.run(Command::PRINT, {KIB}) == Status::OK
				       ? nullptr
				       : "a kernel that prints fails";
		});
	});
}

std::string attack_processors(const Ground &ground)
{
	constexpr unsigned CLIENTS = 8;
	constexpr uint64_t MS = 50;
	return crowd(CLIENTS, [&]() -> const char * {
		KernelPeer peer;
		if (const char *why = peer.open(ground.socket))
			return why;
		return repeat(ground, [&] {
			return peer.run(Command::SPIN, {MS}) == Status::OK
				       ? nullptr
				       : "a kernel that spins fails";
		});
	});
}

constexpr Attack ATTACKS[] = {
	{"signals", attack_signals}, {"part", attack_part},
	{"memory", attack_memory},   {"tables", attack_tables},
	{"loads", attack_loads},     {"arguments", attack_arguments},
	{"prints", attack_prints},   {"processors", attack_processors},
	{"stops", attack_stops},     {"destroyed", attack_destroyed},
};

} // namespace

std::span<const Attack> attacks()
{
	return ATTACKS;
}

} // namespace attack
