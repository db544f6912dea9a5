// SPDX-License-Identifier: MIT
/**
 * DOC: Ring
 *
 * Both sides of the packet ring (uapi/ring.h has the layout). The producer never reads a cache line of
 * the ring that the consumer writes: the caller passes the channel's timeline, from which the producer
 * computes its credit. The consumer never writes into the ring.
 *
 *	pair	producer			consumer
 *	R1/A1	packet bytes, then valid	valid, then packet bytes
 *	R2/A2	timeline, then the slot again	done with the slot, then timeline
 */
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>

#include "ordering.h"
#include "uapi/ring.h"

namespace base {

static_assert(std::endian::native == std::endian::little, "the wire is little-endian");

constexpr unsigned PACKET_WORDS = sizeof(unpu_packet) / sizeof(uint64_t);

/** packet_sequence() - the valid word of packet @index. */
constexpr uint32_t packet_sequence(uint64_t index)
{
	return static_cast<uint32_t>(index + 1);
}

/** class RingProducer - the host's half. Context: one thread at a time. */
class RingProducer {
public:
	RingProducer() = default;

	RingProducer(void *segment, uint32_t slots)
		: slots_(static_cast<unpu_packet *>(segment)),
		  pages_(reinterpret_cast<unpu_descriptor *>(slots_ + slots)), mask_(slots - 1)
	{
	}

	/** next() - the index the next publish() will use. */
	uint64_t next() const { return next_; }

	/** has_room() - whether @packets slots from next() on are free when packets below @retired have
	 * retired. */
	bool has_room(uint64_t retired, uint32_t packets = 1) const
	{
		return next_ - retired + (packets - 1) <= mask_;
	}

	/** descriptor() - the descriptor page of slot next(); fill it before publish(). */
	unpu_descriptor &descriptor() { return pages_[next_ & mask_]; }

	/** fill_pages() - stores @bytes bytes in the descriptor pages of slot next() and of the slots behind
	 * it. Context: before publish(); the slots are free. */
	void fill_pages(const void *from, size_t bytes)
	{
		for (uint64_t slot = next_; bytes > 0; slot++) {
			const size_t part = std::min<size_t>(bytes, UNPU_TENSOR_PAGE_BYTES);
			memcpy(&pages_[slot & mask_].op, from, part);
			from = static_cast<const char *>(from) + part;
			bytes -= part;
		}
	}

	/** publish() - writes @packet into its slot, the valid word last (R1).
	 * @place: bits to add to the cookie */
	void publish(const unpu_packet &packet, uint64_t place = 0)
	{
		constexpr unsigned COOKIE = offsetof(unpu_packet, cookie) / sizeof(uint64_t);
		uint64_t *slot = reinterpret_cast<uint64_t *>(&slots_[next_ & mask_]);
		/* Load by words: a wider load would miss store-to-load forwarding of the caller's stores. */
#pragma GCC unroll 8
		for (unsigned i = 1; i < PACKET_WORDS; i++)
			store_relaxed(slot[i], word(packet, i) | (i == COOKIE ? place : 0));
		uint64_t first = word(packet, 0) & ~0xffffffffull;
		store_release(slot[0], first | packet_sequence(next_));
		next_++;
	}

private:
	static uint64_t word(const unpu_packet &packet, unsigned index)
	{
		uint64_t value;
		memcpy(&value, reinterpret_cast<const uint64_t *>(&packet) + index, sizeof(value));
		return value;
	}

	unpu_packet *slots_ = nullptr;
	unpu_descriptor *pages_ = nullptr;
	uint64_t next_ = 0;
	uint32_t mask_ = 0;
};

/** class RingConsumer - the firmware's half. Context: one thread at a time. */
class RingConsumer {
public:
	RingConsumer() = default;

	RingConsumer(const void *segment, uint32_t slots)
		: slots_(static_cast<const unpu_packet *>(segment)),
		  pages_(reinterpret_cast<const unpu_descriptor *>(slots_ + slots)),
		  mask_(slots - 1)
	{
	}

	/** next() - the index the next fetch() will return. */
	uint64_t next() const { return next_; }

	/** ready() - whether packet next() has been published; a hint until fetch() (A1). */
	bool ready() const
	{
		return static_cast<uint32_t>(load_acquire(*line())) == packet_sequence(next_);
	}

	/** slots() - size of the ring. */
	uint32_t slots() const { return mask_ + 1; }

	/** fetch() - copies packet next() into private memory; false when there is none (A1). */
	bool fetch(unpu_packet &packet)
	{
		const uint64_t *slot = line();
		uint64_t words[PACKET_WORDS];
		words[0] = load_acquire(slot[0]);
		if (static_cast<uint32_t>(words[0]) != packet_sequence(next_))
			return false;
		for (unsigned i = 1; i < PACKET_WORDS; i++)
			words[i] = load_relaxed(slot[i]);
		memcpy(&packet, words, sizeof(packet));
		next_++;
		return true;
	}

	/** skip_to() - makes packet @index the next one; skipped packets are not read. */
	void skip_to(uint64_t index) { next_ = index; }

	/** fetch_page() - copies the descriptor page of the packet that fetch() returned last. */
	void fetch_page(unpu_descriptor &page) const
	{
		const auto *from = reinterpret_cast<const uint64_t *>(&pages_[(next_ - 1) & mask_]);
		uint64_t words[sizeof(unpu_descriptor) / sizeof(uint64_t)];
		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			words[i] = load_relaxed(from[i]);
		memcpy(&page, words, sizeof(page));
	}

	/** fetch_operator() - copies the descriptor of the packet that fetch() returned last.
	 * Return: false when a reserved word of the page is not zero. */
	bool fetch_operator(unpu_operator &op) const
	{
		unpu_descriptor page;
		fetch_page(page);
		op = page.op;
		uint64_t rest = 0;
		for (uint64_t word : page.reserved)
			rest |= word;
		return rest == 0;
	}

	/** fetch_words() - copies @bytes bytes, a multiple of 8, from the descriptor pages of the packet that
	 * fetch() returned last and of the slots behind it. */
	void fetch_words(uint64_t *to, size_t bytes) const
	{
		constexpr size_t PAGE_WORDS = UNPU_TENSOR_PAGE_BYTES / sizeof(uint64_t);
		for (size_t i = 0; i < bytes / sizeof(uint64_t); i++) {
			const auto *page = reinterpret_cast<const uint64_t *>(
				&pages_[(next_ - 1 + i / PAGE_WORDS) & mask_]);
			to[i] = load_relaxed(page[i % PAGE_WORDS]);
		}
	}

private:
	const uint64_t *line() const
	{
		return reinterpret_cast<const uint64_t *>(&slots_[next_ & mask_]);
	}

	const unpu_packet *slots_ = nullptr;
	const unpu_descriptor *pages_ = nullptr;
	uint64_t next_ = 0;
	uint32_t mask_ = 0;
};

} // namespace base
