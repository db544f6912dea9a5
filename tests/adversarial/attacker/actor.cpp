// SPDX-License-Identifier: MIT
/*
 * DOC: an attacking client
 */
#include "actor.h"

#include <unistd.h>

#include "sequences/sequences.h"

namespace attacker {

namespace {

constexpr uint64_t SETTLE_NS = 5 * base::NS_PER_MS;
constexpr size_t MOST_CHANNELS = 12;
constexpr size_t MOST_MEMORIES = 24;

} // namespace

Actor::Actor(const Settings &settings, Tally &tally)
	: settings_(settings), tally_(tally), mutator_(settings.seed)
{
}

Actor::~Actor()
{
	stop_ = true;
	if (writer_.joinable())
		writer_.join();
}

std::unique_ptr<Peer> Actor::add_peer()
{
	auto peer = Peer::attach(settings_.socket);
	if (peer)
		tally_.clients++;
	return peer;
}

bool Actor::attach()
{
	peer_ = add_peer();
	if (!peer_)
		return false;
	share(&peer_->shared().request, sizeof(unpu_message));
	share(peer_->shared().semaphores, 256 * sizeof(unpu_sem_host));
	/* A client that rings at random is cut off soon. */
	if (one_in(8))
		share(&peer_->shared().doorbells, sizeof(unpu_doorbells));
	if (one_in(2))
		writer_ = std::thread(
			[this, seed = mutator_.draw()] { write_into_what_is_shared(seed); });
	return true;
}

bool Actor::may_change(void *what, size_t bytes)
{
	if (!mutator_.has_hit())
		return false;
	mutator_.change(what, bytes);
	tally_.changed++;
	return true;
}

bool Actor::run()
{
	const std::vector<Sequence> &all = sequences();
	tally_.sequences++;
	all[below(all.size())](*this);
	return peer_->broken() == Status::OK;
}

void Actor::share(void *begin, uint64_t bytes)
{
	const unsigned count = region_count_;
	if (count == regions_.size())
		return;
	regions_[count] = {static_cast<uint64_t *>(begin), bytes / sizeof(uint64_t)};
	region_count_ = count + 1;
}

void Actor::write_into_what_is_shared(uint64_t seed)
{
	Mutator mutator(seed);
	while (!stop_) {
		const Region &region = regions_[mutator.below(region_count_)];
		uint64_t &word = region.words[mutator.below(region.count)];
		for (unsigned i = 0; i < 20; i++)
			base::store_relaxed(word, mutator.other(base::load_relaxed(word)));
		tally_.writes += 20;
		usleep(static_cast<useconds_t>(mutator.below(500)));
	}
}

Status Actor::ask(Peer &peer, unpu_message &message, uint64_t patience_ns)
{
	if (may_change(message.words, sizeof(message.words)) && one_in(16))
		message.type = static_cast<uint32_t>(mutator_.other(message.type));
	tally_.requests++;
	const Status status = peer.call(message, patience_ns);
	tally_.granted += status == Status::OK;
	tally_.unanswered += status == Status::TIMEOUT && peer.broken() == Status::OK;
	return status;
}

bool Actor::tell(base::FdMessage &message)
{
	(void)may_change(message.message.words, sizeof(message.message.words));
	tally_.messages++;
	return peer_->exchange(message) == hostile::Answer::REPLY;
}

uint64_t Actor::publish(Channel &channel, unpu_packet packet)
{
	/* Behind the sequence word: a packet that is not valid is not one. */
	(void)may_change(&packet.opcode, sizeof(packet) - offsetof(unpu_packet, opcode));
	tally_.packets++;
	return channel.publish(packet);
}

void Actor::settle(const Channel &channel, uint64_t value)
{
	(void)channel.reaches(value, SETTLE_NS);
}

Channel *Actor::open_channel()
{
	if (channels_.size() == MOST_CHANNELS)
		return &channels_[below(channels_.size())];
	Channel channel;
	const auto sem = static_cast<uint32_t>(UNPU_SEM_FIRST_FREE + channels_.size());
	if (channel.open(*peer_, sem) != Status::OK)
		return nullptr;
	channels_.push_back(std::move(channel));
	share(channels_.back().slots(), channels_.back().memory().bytes);
	return &channels_.back();
}

Channel *Actor::channel()
{
	if (channels_.empty() || one_in(16))
		return open_channel();
	return &channels_[below(channels_.size())];
}

Memory *Actor::create_memory(uint64_t bytes)
{
	if (memories_.size() == MOST_MEMORIES)
		return &memories_[below(memories_.size())];
	Memory memory;
	const uint32_t kind = one_in(4) ? UNPU_SEGMENT_PINNED : UNPU_SEGMENT_DEVICE;
	if (peer_->create(kind, bytes, memory) != Status::OK || peer_->place(memory) != Status::OK)
		return nullptr;
	memories_.push_back(std::move(memory));
	share(memories_.back().window.data(), memories_.back().bytes);
	return &memories_.back();
}

Memory *Actor::memory()
{
	if (memories_.empty() || one_in(16))
		return create_memory(uint64_t{4096} << below(10));
	return &memories_[below(memories_.size())];
}

uint32_t Actor::semaphore()
{
	return one_in(4) ? next_semaphore()
			 : static_cast<uint32_t>(FIRST_SEMAPHORE + below(SEMAPHORES));
}

uint64_t Actor::range(const Memory &memory, uint64_t &bytes, uint64_t most)
{
	bytes = (1 + below(std::min(most, memory.bytes) / 8)) * 8;
	return memory.va + below((memory.bytes - bytes) / 8 + 1) * 8;
}

unpu_descriptor &Actor::page(Channel &channel)
{
	auto *pages = reinterpret_cast<unpu_descriptor *>(channel.slots() + hostile::SLOTS);
	return pages[channel.ring().next() & (hostile::SLOTS - 1)];
}

} // namespace attacker
