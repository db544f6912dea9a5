// SPDX-License-Identifier: MIT
/*
 * DOC: random lies
 *
 * Bytes of any kind into every line that a client can write, and messages of any kind into its socket,
 * with enough that is well formed between them that the firmware looks further than the first check.
 */
#include "hostile.h"

#include <cstring>
#include <random>

#include <unistd.h>

#include "drv/packet/packets.h"

namespace hostile {

namespace {

constexpr unsigned CHANNELS = 3;
constexpr uint64_t ANSWER_NS = base::NS_PER_MS / 4;

class Liar {
public:
	Liar(const Place &place, uint64_t seed, Tally &tally)
		: place_(place), random_(seed), tally_(tally)
	{
	}

	bool run(uint64_t end_ns);

private:
	bool attach();
	void once();
	void scribble(void *where, size_t bytes);
	void packet();
	void request();
	void message();
	uint64_t number();
	uint64_t below(uint64_t end) { return random_() % end; }
	Channel &channel() { return channels_[below(CHANNELS)]; }

	const Place &place_;
	std::mt19937_64 random_;
	Tally &tally_;
	std::unique_ptr<Peer> peer_;
	Channel channels_[CHANNELS];
	Memory memory_;
	bool open_ = false;
};

/* One that means something, more often than chance would have it. */
uint64_t Liar::number()
{
	switch (below(8)) {
	case 0:
		return below(4);
	case 1:
		return UNPU_SEM_FIRST_FREE + below(CHANNELS + 2);
	case 2:
		return memory_.va + below(2 * memory_.bytes + 2);
	case 3:
		return uint64_t{1} << below(64);
	case 4:
		return ~uint64_t{0} - below(4);
	case 5:
		return below(1 << 16);
	default:
		return random_();
	}
}

bool Liar::attach()
{
	for (Channel &channel : channels_)
		channel = Channel{};
	memory_ = Memory{};
	peer_.reset();
	peer_ = Peer::attach(place_.path);
	if (!peer_)
		return false;
	tally_.attaches++;
	open_ = true;
	for (unsigned i = 0; i < CHANNELS && open_; i++)
		open_ = channels_[i].open(*peer_, UNPU_SEM_FIRST_FREE + i) == Status::OK;
	open_ = open_ && peer_->create(UNPU_SEGMENT_DEVICE, 1 << 18, memory_) == Status::OK &&
		peer_->place(memory_) == Status::OK;
	return true;
}

void Liar::scribble(void *where, size_t bytes)
{
	tally_.writes++;
	auto *words = static_cast<uint64_t *>(where);
	uint64_t first = below(bytes / sizeof(uint64_t));
	uint64_t count = std::min(1 + below(64), bytes / sizeof(uint64_t) - first);
	for (uint64_t i = 0; i < count; i++)
		base::store_relaxed(words[first + i], number());
}

void Liar::packet()
{
	constexpr uint8_t OPCODES[] = {
#define OPCODE(name, number) number,
		UNPU_OPCODE_LIST(OPCODE)
#undef OPCODE
	};
	unpu_packet lie{};
	lie.opcode =
		below(16) ? OPCODES[below(std::size(OPCODES))] : static_cast<uint8_t>(random_());
	for (uint64_t &word : lie.words)
		word = below(4) ? number() : 0;
	if (below(3) == 0) {
		lie.signal_op = static_cast<uint8_t>(below(7));
		lie.signal_sem = static_cast<uint32_t>(number());
		lie.signal_value = number();
	}
	if (below(16) == 0)
		lie.flags = static_cast<uint8_t>(random_());
	/* A stream that never continues is of no more use. */
	if (lie.opcode == UNPU_OP_STOP && below(8))
		lie.opcode = UNPU_OP_NOP;
	tally_.packets++;
	Channel &to = channel();
	auto page = reinterpret_cast<unpu_descriptor *>(to.slots() + SLOTS) +
		    (to.ring().next() & (SLOTS - 1));
	if (below(2))
		scribble(page, sizeof(*page));
	(void)to.publish(lie);
}

void Liar::request()
{
	unpu_message lie{};
	lie.type = static_cast<uint32_t>(below(16) ? 1 + below(33) : random_());
	for (uint64_t &word : lie.words)
		word = below(3) ? 0 : number();
	if (below(32) == 0)
		lie.status = static_cast<uint32_t>(random_());
	tally_.requests++;
	if (below(2))
		peer_->post(lie);
	else
		(void)peer_->call(lie, ANSWER_NS);
}

void Liar::message()
{
	base::FdMessage lie;
	lie.message.type = static_cast<uint32_t>(below(8) ? 1 + below(6) : random_());
	if (below(2))
		lie.message.words[below(13)] = number();
	if (below(4) == 0)
		lie.add(base::Fd(dup(static_cast<int>(below(8)))));
	tally_.messages++;
	if (peer_->exchange(lie) == Answer::CLOSED)
		open_ = false;
}

void Liar::once()
{
	switch (below(16)) {
	case 0:
		scribble(&peer_->shared().request, sizeof(unpu_message));
		break;
	case 1:
		if (below(64) == 0)
			scribble(&peer_->shared().doorbells, sizeof(unpu_doorbells));
		break;
	case 2:
		scribble(peer_->shared().semaphores, 64 * sizeof(unpu_sem_host));
		break;
	case 3:
		scribble(channel().slots(), SLOTS * sizeof(unpu_packet));
		break;
	case 4:
		scribble(memory_.window.data(), memory_.bytes);
		break;
	case 5:
	case 6:
		request();
		break;
	case 7:
		peer_->ring(static_cast<uint32_t>(number()));
		break;
	case 8:
		if (below(64) == 0)
			message();
		break;
	default:
		packet();
		break;
	}
}

bool Liar::run(uint64_t end_ns)
{
	while (base::now_ns() < end_ns) {
		/* Room may be short for a moment after many deaths. */
		for (unsigned tries = 0; !attach(); tries++) {
			if (tries > 1000)
				return false;
			usleep(10000);
		}
		uint64_t lies = 200 + below(4000);
		while (open_ && lies-- > 0 && peer_->broken() == Status::OK)
			once();
		tally_.cut_off += peer_->broken() != Status::OK;
	}
	return true;
}

} // namespace

bool lie_at_random(const Place &place, uint64_t for_ns, uint64_t seed, Tally &tally)
{
	return Liar(place, seed, tally).run(base::deadline_after(for_ns));
}

} // namespace hostile
