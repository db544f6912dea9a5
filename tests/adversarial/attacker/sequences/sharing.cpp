// SPDX-License-Identifier: MIT
/*
 * DOC: sequences of two clients that share
 */
#include <unistd.h>

#include "drv/packet/packets.h"
#include "sequences.h"

namespace attacker {

namespace {

/* Return: whether the firmware has made the key. */
bool share(Actor &actor, unpu_message &message)
{
	message.type = UNPU_MSG_EXPORT;
	message.share.flags = UNPU_EXPORT_ANY_PROCESS | UNPU_EXPORT_SAME_PROCESS;
	return actor.ask(message) == Status::OK;
}

} // namespace

/* The exporter takes the memory away, or leaves, while the importer works with it. */
void share_memory(Actor &actor)
{
	auto guest = actor.add_peer();
	Memory *memory = actor.memory();
	if (!guest || !memory)
		return;
	unpu_message message{};
	message.share.segment = memory->segment;
	message.share.bytes = memory->bytes;
	message.share.kind = UNPU_EXPORT_MEMORY;
	if (!share(actor, message))
		return;
	const unpu_export_key key = message.share.key;
	unpu_message take{};
	take.type = UNPU_MSG_IMPORT;
	take.share.key = key;
	if (actor.ask(*guest, take) == Status::OK) {
		unpu_message map{};
		map.type = UNPU_MSG_MAP;
		map.map = {uint64_t{1} << 36,
			   take.share.bytes,
			   take.share.segment,
			   0,
			   UNPU_ACCESS_READ | UNPU_ACCESS_WRITE,
			   0};
		(void)actor.ask(*guest, map);
		Channel channel;
		if (channel.open(*guest, UNPU_SEM_FIRST_FREE) == Status::OK) {
			uint64_t end = 0;
			for (unsigned i = 0; i < 8; i++)
				end = actor.publish(
					channel,
					drv::fill_packet(1, map.map.va, take.share.bytes, 4, 4));
			if (actor.one_in(2))
				actor.settle(channel, end);
		}
	}
	unpu_message close{};
	close.type = UNPU_MSG_UNEXPORT;
	close.share.key = key;
	if (actor.one_in(2))
		(void)actor.ask(close);
}

/* Waits for the semaphores of a client that leaves, or that aborts the channel whose timeline they are. */
void share_semaphores(Actor &actor)
{
	auto guest = actor.add_peer();
	Channel *channel = actor.channel();
	if (!guest || !channel)
		return;
	const bool is_mirror = actor.one_in(2);
	const uint32_t sem = actor.one_in(3)
				     ? static_cast<uint32_t>(UNPU_SEM_FIRST_FREE + actor.below(4))
				     : actor.next_semaphore();
	unpu_message message{};
	message.share.kind =
		static_cast<uint32_t>(is_mirror ? UNPU_EXPORT_MIRROR : UNPU_EXPORT_NOTIFY);
	message.share.count = 1;
	message.share.semaphores[0] = sem;
	if (!share(actor, message))
		return;
	unpu_message take{};
	take.type = UNPU_MSG_IMPORT;
	take.share.key = message.share.key;
	take.share.count = 1;
	take.share.semaphores[0] = 100;
	Channel waiting;
	if (actor.ask(*guest, take) != Status::OK ||
	    waiting.open(*guest, UNPU_SEM_FIRST_FREE) != Status::OK)
		return;
	const uint64_t timeout_ns = actor.one_in(2) ? 0 : base::NS_PER_MS;
	for (unsigned i = 0; i < 4; i++)
		(void)actor.publish(waiting,
				    drv::wait_packet(1, 100, 2 + actor.below(100), timeout_ns));
	(void)actor.publish(*channel, drv::signal_packet(1, sem, UNPU_SIGNAL_ADD, 1));
	(void)actor.publish(waiting, drv::signal_packet(1, 100, UNPU_SIGNAL_ADD, 1));
	if (actor.one_in(2))
		abort_a_channel(actor);
	if (actor.one_in(2)) {
		unpu_message leave{};
		leave.type = UNPU_MSG_UNIMPORT;
		leave.share.semaphores[0] = 100;
		(void)actor.ask(*guest, leave);
	}
	usleep(static_cast<useconds_t>(actor.below(2000)));
}

} // namespace attacker
