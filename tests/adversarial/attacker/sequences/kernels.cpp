// SPDX-License-Identifier: MIT
/*
 * DOC: sequences of kernels
 */
#include <algorithm>
#include <csignal>
#include <fstream>
#include <iterator>

#include <unistd.h>

#include "drv/packet/packets.h"
#include "sequences.h"
#include "tests/adversarial/hostile/kernels/attack.h"
#include "uapi/kernel.h"

namespace attacker {

namespace {

using attack::Arguments;
using attack::Command;

/* The first load starts a process. */
constexpr uint64_t LOAD_NS = 20 * base::NS_PER_S;
constexpr uint64_t HEAD_BYTES = 1024;
constexpr uint64_t PART_VA = uint64_t{1} << 37;

const std::vector<char> &image_bytes()
{
	static const std::vector<char> bytes = [] {
		std::ifstream file(IMAGE, std::ios::binary);
		return std::vector<char>{std::istreambuf_iterator<char>(file), {}};
	}();
	return bytes;
}

/* Return: the number of the image; 0: it was not loaded. */
uint32_t load(Actor &actor, Peer &peer)
{
	const std::vector<char> &bytes = image_bytes();
	Memory copy;
	if (peer.create(UNPU_SEGMENT_DEVICE, bytes.size(), copy) != Status::OK ||
	    peer.place(copy) != Status::OK)
		return 0;
	memcpy(copy.window.data(), bytes.data(), bytes.size());
	(void)actor.may_change(copy.window.data(), actor.one_in(2) ? HEAD_BYTES : bytes.size());
	unpu_message message{};
	message.type = UNPU_MSG_KERNEL_LOAD;
	message.kernel.va = copy.va;
	message.kernel.bytes = bytes.size();
	const Status status = actor.ask(peer, message, LOAD_NS);
	(void)peer.drop(copy);
	if (status != Status::OK)
		return 0;
	actor.tally().images++;
	return message.kernel.image;
}

/* What a kernel does, with memory of the client. */
Arguments draw_arguments(Actor &actor, const Memory &memory)
{
	uint64_t bytes = 0;
	const uint64_t va = actor.range(memory, bytes, memory.bytes);
	switch (actor.below(8)) {
	case 0:
		return {Command::PRINT, memory.va, {1 + actor.below(1100)}};
	case 1:
		return {Command::SPIN, memory.va, {actor.below(20)}};
	case 2:
		return {Command::READ, memory.va, {va + actor.below(4) * memory.bytes}};
	case 3:
		return {Command::GROW, memory.va, {memory.va, memory.bytes, 2 * memory.bytes, 64}};
	case 4:
		return {Command::SIGNAL, memory.va, {static_cast<uint64_t>(getppid()), SIGKILL}};
	case 5:
		return {Command::STEAL, memory.va, {actor.below(10), attack::SECRET}};
	case 6:
		return {Command::HOG, memory.va, {actor.below(64) << 20}};
	default:
		return {Command::FILL, memory.va, {va, bytes / sizeof(uint64_t), actor.below(8)}};
	}
}

uint64_t launch(Actor &actor, Channel &channel, uint32_t image, Arguments given)
{
	unpu_kernel_launch head{};
	head.image = image;
	head.blocks = static_cast<uint32_t>(1 + actor.below(3));
	head.args_bytes = sizeof(given);
	head.timeout_ns = (1 + actor.below(300)) * base::NS_PER_MS;
	head.check = static_cast<uint32_t>(actor.below(UNPU_KERNEL_MAX_CHECK + 1));
	head.observer = actor.below(3);
	if (actor.one_in(8)) {
		head.flags = UNPU_KERNEL_LAUNCH_ARGS_IN_MEMORY;
		head.args_va = given.out;
	}
	(void)actor.may_change(&head, sizeof(head));
	(void)actor.may_change(&given, sizeof(given));
	auto *page = reinterpret_cast<char *>(&actor.page(channel));
	memcpy(page, &head, sizeof(head));
	memcpy(page + sizeof(head), &given, sizeof(given));
	unpu_packet packet = drv::packet(UNPU_OP_KERNEL, 1);
	packet.tensor.bytes = sizeof(head);
	if (!(head.flags & UNPU_KERNEL_LAUNCH_ARGS_IN_MEMORY))
		packet.tensor.bytes += sizeof(given);
	actor.tally().kernels++;
	return actor.publish(channel, packet);
}

void take_text(Actor &actor, const Memory &memory)
{
	unpu_message message{};
	message.type = UNPU_MSG_KERNEL_TEXT;
	message.text = {memory.va, memory.bytes, 1, static_cast<uint32_t>(actor.below(4)), 0};
	(void)actor.ask(message);
}

} // namespace

void run_kernels(Actor &actor)
{
	Channel *channel = actor.channel();
	Memory *memory = actor.memory();
	if (!channel || !memory)
		return;
	if (actor.image() == 0 || actor.one_in(8))
		actor.image() = load(actor, actor.peer());
	if (actor.image() == 0)
		return;
	uint64_t end = 0;
	for (uint64_t i = 0, count = 1 + actor.below(8); i < count; i++)
		end = launch(actor, *channel, actor.image(), draw_arguments(actor, *memory));
	if (actor.one_in(2))
		actor.settle(*channel, end);
	take_text(actor, *memory);
	if (!actor.one_in(8))
		return;
	unpu_message unload{};
	unload.type = UNPU_MSG_KERNEL_UNLOAD;
	unload.kernel.image = actor.image();
	(void)actor.ask(unload);
}

/* A kernel of the importer reaches for what lies around an imported part. The exporter may take it away meanwhile. */
void reach_around_a_part(Actor &actor)
{
	auto guest = actor.add_peer();
	Memory *memory = actor.create_memory(uint64_t{1} << 21);
	Channel channel;
	if (!guest || !memory || channel.open(*guest, UNPU_SEM_FIRST_FREE) != Status::OK)
		return;
	unpu_message share{};
	share.type = UNPU_MSG_EXPORT;
	share.share.kind = UNPU_EXPORT_MEMORY;
	share.share.segment = memory->segment;
	share.share.offset = actor.below(memory->bytes / 4096) * 4096;
	share.share.bytes = 4096;
	share.share.flags = UNPU_EXPORT_ANY_PROCESS | UNPU_EXPORT_SAME_PROCESS;
	if (actor.ask(share) != Status::OK)
		return;
	unpu_message take{};
	take.type = UNPU_MSG_IMPORT;
	take.share.key = share.share.key;
	const uint32_t image = load(actor, *guest);
	if (image == 0 || actor.ask(*guest, take) != Status::OK ||
	    guest->map_segment(PART_VA, 4096, take.share.segment, 0,
			       UNPU_ACCESS_READ | UNPU_ACCESS_WRITE) != Status::OK)
		return;
	uint64_t end =
		launch(actor, channel, image, {Command::STEAL, PART_VA, {5, attack::SECRET}});
	end = launch(actor, channel, image, {Command::READ, PART_VA, {PART_VA + 4096}});
	end = launch(actor, channel, image,
		     {Command::GROW, PART_VA, {PART_VA, 4096, 1 << 20, 4096}});
	unpu_message close{};
	close.type = UNPU_MSG_UNEXPORT;
	close.share.key = share.share.key;
	if (actor.one_in(2))
		(void)actor.ask(close);
	if (actor.one_in(2))
		actor.settle(channel, end);
}

} // namespace attacker
