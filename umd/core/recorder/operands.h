// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "san/trace/record.h"
#include "uapi/operator.h"
#include "uapi/packet.h"

namespace umd::recorder {

/** enum class Role - the role of an operand in its command, for reports. */
enum class Role : uint8_t { SOURCE, DESTINATION, INPUT, OUTPUT, COUNT };

/** struct Step - a dimension, in the layout of a trace record. It is not initialised, because most commands
 * use few of them. */
struct Step {
	uint64_t count;
	int64_t stride;
};

/** struct Operand - an operand, in the layout of a trace record. Only the role differs: in the trace it is
 * the number of a text. */
struct Operand {
	uint64_t address;
	uint64_t run;
	san::Access access;
	uint8_t ndim;
	uint16_t flags;
	Role role;
	Step dims[san::MAX_DIMENSIONS];
};

/** struct CopyShape - a copy of @height rows of @width bytes in each of @depth slices. */
struct CopyShape {
	uint64_t dst;
	uint64_t dst_pitch;
	uint64_t dst_slice;
	uint64_t src;
	uint64_t src_pitch;
	uint64_t src_slice;
	uint64_t width;
	uint64_t height;
	uint64_t depth;
};

/** class Operands - the operands of one command. Reads come before writes. */
class Operands {
public:
	/* The most operands of a command. A list of copies has the most: a source and a destination for each
	 * copy. */
	static constexpr size_t MOST = 40;

	Operands() = default;
	Operands(const Operands &) = delete;
	Operands &operator=(const Operands &) = delete;

	size_t count() const { return count_; }
	const Operand &operator[](size_t index) const { return operands_[index]; }
	/** flags() - the CommandFlag bits of the command. */
	uint16_t flags() const { return flags_; }

	/** add() - adds @bytes bytes at @address. */
	Operand &add(uint64_t address, uint64_t bytes, san::Access access, Role role)
	{
		Operand &operand = operands_[count_ < MOST - 1 ? count_++ : MOST - 1];
		operand.address = address;
		operand.run = bytes;
		operand.access = access;
		operand.ndim = 0;
		operand.flags = 0;
		operand.role = role;
		return operand;
	}

	/** last() - the operand that was added last. */
	Operand &last() { return operands_[count_ - 1]; }

	/** add_copy(), add_box(), add_fill() - add the operands of these commands. */
	void add_copy(uint64_t dst, uint64_t src, uint64_t bytes);
	void add_box(const CopyShape &box);
	void add_fill(uint64_t dst, uint64_t bytes);

	/** add_packet() - adds the accesses of the device for @packet. @page: the operator, list or
	 * descriptor of the packet, with @bytes bytes. Return: false for a packet that is no command of the
	 * program. */
	bool add_packet(const unpu_packet &packet, const void *page, size_t bytes);

	/** stage() - marks an operand as one that the call itself reads, because it is not in device
	 * memory. */
	void stage(size_t operand)
	{
		operands_[operand].flags |= san::OPERAND_STAGED;
		flags_ |= san::COMMAND_STAGED;
	}

private:
	bool add_operator(const void *page, bool reduces);
	bool add_tensor(const void *words, size_t bytes);
	void add_random(const unpu_operator &op);

	size_t count_ = 0;
	uint16_t flags_ = 0;
	Operand operands_[MOST];
};

} // namespace umd::recorder
