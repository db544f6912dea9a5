// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"
#include "firmware_sim/memory/mmu.h"
#include "firmware_sim/operators/view.h"

namespace fw {

/**
 * class TensorOp - a decoded and checked tensor operator: a private copy of everything that a descriptor
 * says. Its views point to memory only after place(). An object that is decoded again keeps its storage.
 */
class TensorOp {
public:
	TensorOp() = default;
	TensorOp(const TensorOp &other) { *this = other; }
	TensorOp &operator=(const TensorOp &other);

	/** decode() - checks a descriptor as a whole and takes it over.
	 * @words: a private copy of the descriptor
	 * Return: BAD_OPERATOR. Context: any thread. */
	base::Status decode(std::span<const uint64_t> words);

	/** place() - translates the operands. Return: MMU_FAULT or ACCESS_FAULT, with the address. */
	Translation place(Mmu &mmu);

	/** hold() - keeps the operands' memory mapped. Context: directly after place(). */
	void hold(const Mmu &mmu, std::vector<Hold> &held) const;

	/** struct BadIndex - receives the device address of an element with a bad index, and the index. */
	struct BadIndex {
		uint64_t &address;
		uint64_t &index;
	};

	/** run() - computes units @first .. @first + @count - 1.
	 * Return: BAD_INDEX, NO_MEMORY, OVERFLOW. Context: any thread, after place(). */
	base::Status run(uint64_t first, uint64_t count, const BadIndex &bad) const;

	uint64_t units() const { return units_; }
	uint64_t cost_bytes() const { return cost_bytes_; }
	uint32_t kind() const { return call_.kind; }

	/** can_be_cut() - whether its units may run in any order: no result overlaps another operand, except
	 * for an operand that is the same view. */
	bool can_be_cut() const { return can_be_cut_ && checks_ == 0; }

	/** always_succeeds() - whether run() can't fail. */
	bool always_succeeds() const { return always_succeeds_ && checks_ == 0; }

	/** check_overflow() - makes run() check the results after the last unit. The units then run in order.
	 * @flags: flags of the packet: UNPU_PACKET_OVERFLOW_FAILS, UNPU_PACKET_SATURATE */
	void check_overflow(uint8_t flags);

	/** for_each_written() - calls @visit(data, bytes) for the memory of each result. */
	template <class Visit> void for_each_written(Visit visit) const
	{
		for (size_t i = 0; i < reaches_.size(); i++)
			if (reaches_[i].access & UNPU_ACCESS_WRITE && reaches_[i].bytes != 0)
				visit(views_[i].data - reaches_[i].before, reaches_[i].bytes);
	}

	/** for_each_reach() - calls @visit(address, bytes) for the device memory of each operand. */
	template <class Visit> void for_each_reach(Visit visit) const
	{
		for (const Reach &reach : reaches_)
			visit(reach.first, reach.bytes);
	}

	/** bytes() - how much memory the object uses. */
	uint64_t bytes() const
	{
		return sizeof(*this) + views_.capacity() * sizeof(views_[0]) +
		       words_.capacity() * sizeof(words_[0]) +
		       reaches_.capacity() * sizeof(reaches_[0]);
	}

private:
	/* The range that an operand accesses; bytes is 0 if the operand has no elements. */
	struct Reach {
		uint64_t first; /* device address */
		uint64_t bytes;
		int64_t before; /* distance from @first to element [0, 0, ...], in bytes */
		uint8_t access;
	};

	class Decoder;
	bool find_overflow() const;
	bool overlaps(size_t result, size_t other) const;
	bool is_same_view(size_t one, size_t other) const;
	void note_overlaps();

	tensor::Call call_;
	const tensor::Kernel *kernel_ = nullptr;
	std::vector<tensor::View> views_;
	std::vector<uint64_t> words_;
	std::vector<Reach> reaches_;
	uint64_t units_ = 0;
	uint64_t cost_bytes_ = 0;
	size_t scratch_bytes_ = 0;
	bool can_be_cut_ = false;
	bool always_succeeds_ = false;
	uint8_t checks_ = 0;
};

} // namespace fw
