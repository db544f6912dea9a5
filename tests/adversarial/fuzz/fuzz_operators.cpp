// SPDX-License-Identifier: MIT
/**
 * DOC: tensor operators, fuzzed
 *
 * An input is a row of TENSOR packets with their descriptors, as a client would leave them in its ring, and the
 * numbers that are in memory. A packet of a descriptor that the decoder refuses must fail and change nothing. Any
 * other one may change elements of the operands that the descriptor says are written, and no other byte.
 *
 *	INPUT	{ flags:1, nwords:1, nnumbers:1, word:8[nwords], number:4[nnumbers]
 *		  [, { variant:2, bytes:2 }] }...
 *
 * Bit 1 of the flags says that the packet is sent even if the decoder refuses the descriptor: that takes
 * requests, which are slow. Bit 0 says that the packet has a kind and a length of its own: missing words are
 * then zero. The numbers are written to the memory from @NUMBERS on.
 */
#include "fuzz.h"

#include "firmware_sim/operators/view.h"
#include "firmware_sim/tensor/kinds.h"
#include "firmware_sim/tensor/tensor_op.h"
#include "good_operators.h"

using namespace fuzz;
using base::Status;

namespace {

constexpr unsigned PACKETS = 4;
constexpr uint64_t VA = uint64_t{1} << 32;
constexpr uint64_t BYTES = 16 << 10;
constexpr uint64_t NUMBERS = 4 << 10; /* where an input's numbers begin */
/* About 50 us. Views with stride 0 may ask for any number of elements, so more is not run. */
constexpr uint64_t COST_MOST = 512 << 10;
constexpr uint64_t STEPS_MOST = 4096;
/* Each packet must retire, so the check of the client can wait. */
constexpr uint64_t RUNS_PER_CHECK = 16;

/* class Elements - which bytes of the memory belong to elements of results. It reads the descriptor by itself: the
 * decoder of the firmware is what is tested. */
class Elements {
public:
	void clear() { written_.assign(BYTES, false); }
	bool has(uint64_t byte) const { return written_[byte]; }

	/* add_results() - @words: a descriptor that the decoder has taken. */
	void add_results(const std::vector<uint64_t> &words)
	{
		unpu_tensor_op head;
		memcpy(&head, words.data(), sizeof(head));
		size_t at = sizeof(head) / 8;
		for (const uint8_t count : head.words)
			at += count;
		for (unsigned i = 0; i < head.noperands; i++) {
			unpu_tensor_operand operand;
			memcpy(&operand, &words[at], sizeof(operand));
			at += sizeof(operand) / 8;
			if (operand.access & UNPU_ACCESS_WRITE)
				add(operand, &words[at], &words[at + operand.ndim]);
			at += 2u * operand.ndim;
		}
	}

private:
	/* Results have types of whole bytes. The sums wrap as addresses do. */
	void add(const unpu_tensor_operand &operand, const uint64_t *dims, const uint64_t *strides)
	{
		const uint64_t bytes = fw::tensor::element_bits(operand.dtype) / 8;
		uint64_t at[UNPU_TENSOR_MAX_DIMS] = {};
		for (unsigned d = 0; d < operand.ndim; d++)
			if (dims[d] == 0)
				return;
		for (;;) {
			uint64_t element = 0;
			for (unsigned d = 0; d < operand.ndim; d++)
				element += at[d] * strides[d];
			const uint64_t first = operand.address - VA + element * bytes;
			for (uint64_t byte = first; byte < first + bytes; byte++)
				written_.at(byte) = true;
			unsigned d = operand.ndim;
			while (d > 0 && ++at[d - 1] == dims[d - 1])
				at[--d] = 0;
			if (d == 0)
				return;
		}
	}

	std::vector<bool> written_;
};

class Operators final : public World {
public:
	void run(Input input)
	{
		(void)client();
		for (unsigned i = 0; i < PACKETS && input.left() > 0; i++)
			run_packet(input);
		if (++runs_ % RUNS_PER_CHECK == 0)
			check();
	}

private:
	void set_up() override
	{
		memory_ = client_->memory(BYTES);
		expect(memory_.va == VA, "the memory is not where the seeds have it");
		before_.resize(BYTES);
	}

	/* fill() - floats, and the numbers of the input. */
	void fill()
	{
		for (uint64_t at = 0; at < BYTES; at += sizeof(float)) {
			const float value = static_cast<float>(at % 61) / 8 - 3;
			memcpy(&before_[at], &value, sizeof(value));
		}
		const auto *numbers = reinterpret_cast<const char *>(numbers_.data());
		std::copy_n(numbers, numbers_.size() * sizeof(uint32_t), &before_[NUMBERS]);
		memcpy(memory_.as<char>(), before_.data(), BYTES);
	}

	void run_packet(Input &input)
	{
		const auto flags = input.take<uint8_t>();
		words_.resize(input.take<uint8_t>());
		numbers_.resize(input.take<uint8_t>());
		input.take(words_.data(), words_.size() * 8);
		input.take(numbers_.data(), numbers_.size() * sizeof(uint32_t));
		uint32_t kind = words_.empty() ? 0 : static_cast<uint32_t>(words_[0]);
		uint64_t bytes = words_.size() * 8;
		if (flags & 1) {
			kind = input.take<uint16_t>();
			bytes = input.take<uint16_t>();
			words_.resize(std::min<uint64_t>(bytes, UNPU_TENSOR_MAX_BYTES) / 8);
		}
		const bool is_good = bytes == words_.size() * 8 &&
				     op_.decode(words_) == Status::OK && op_.kind() == kind;
		if (is_good ? op_.cost_bytes() > COST_MOST : !(flags & 2))
			return;
		fill();
		channel_->ring().fill_pages(words_.data(), words_.size() * 8);
		run_packet(drv::tensor_packet(1, kind, bytes), is_good);
	}

	void run_packet(const unpu_packet &packet, bool is_good)
	{
		const uint64_t wanted = channel_->publish(packet);
		settle(wanted, STEPS_MOST);
		if (client_->broken() != Status::OK)
			return;
		expect(channel_->retired() == wanted, "a packet did not retire");
		const Status status = client_->status(channel_->timeline());
		elements_.clear();
		if (status == Status::OK || status == Status::BAD_INDEX) {
			expect(is_good, "a descriptor was run that the decoder refuses");
			elements_.add_results(words_);
		}
		compare();
		if (status != Status::OK)
			(void)channel_->control(UNPU_CHANNEL_CLEAR_STATUS);
	}

	void compare() const
	{
		const char *now = memory_.as<const char>();
		if (memcmp(now, before_.data(), BYTES) == 0)
			return;
		for (uint64_t byte = 0; byte < BYTES; byte++)
			expect(now[byte] == before_[byte] || elements_.has(byte),
			       "a byte changed that belongs to no result");
	}

	uint64_t runs_ = 0;
	wire::Memory memory_;
	std::vector<char> before_;
	std::vector<uint64_t> words_;
	std::vector<uint32_t> numbers_;
	fw::TensorOp op_;
	Elements elements_;
};

} // namespace

std::vector<Seed> fuzz::seeds()
{
	std::vector<Seed> all;
	for (const tensor_words::Good &good : tensor_words::good_operators()) {
		const std::vector<uint64_t> words = tensor_words::words_of(good, VA);
		Seed seed{good.name, {}};
		seed.add(static_cast<uint8_t>(all.size() % 2 ? 2 : 0));
		seed.add(static_cast<uint8_t>(words.size()));
		seed.add(uint8_t{0});
		for (const uint64_t word : words)
			seed.add(word);
		all.push_back(std::move(seed));
	}
	return all;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	static auto *world = new Operators;
	world->run(Input(data, bytes));
	return 0;
}
