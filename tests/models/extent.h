// SPDX-License-Identifier: MIT
/*
 * DOC: Extents of operands
 *
 * Whether the views of a program lie in their buffers. The device checks that addresses are memory of the client. It
 * does not know which tensor is there.
 */
#pragma once

#include <cstring>
#include <string>

#include "models/lower/launch_list.h"
#include "uapi/tensor.h"
#include "umd/aclnn/reach.h"

namespace models {

/* check_extent() - of the operand at an address of a descriptor. Return: "", or what is wrong */
inline std::string check_extent(const Program &program, const Launch &launch,
				const Relocation &address)
{
	unpu_tensor_operand operand;
	constexpr size_t HEAD = sizeof(operand) / sizeof(uint64_t);
	if (address.word + HEAD > launch.words.size() || address.buffer >= program.buffers.size())
		return "an address of a descriptor is nowhere";
	std::memcpy(&operand, &launch.words[address.word], sizeof(operand));
	if (address.word + HEAD + 2 * size_t{operand.ndim} > launch.words.size())
		return "an operand is cut off";
	const auto *dims = reinterpret_cast<const int64_t *>(&launch.words[address.word + HEAD]);
	const int64_t *strides = dims + operand.ndim;
	__int128 low = 0, high = 1; /* elements */
	for (unsigned d = 0; d < operand.ndim; d++) {
		if (dims[d] == 0)
			return "";
		const __int128 span = __int128(dims[d] - 1) * strides[d];
		(span < 0 ? low : high) += span;
	}
	const __int128 bits = umd::element_bits(operand.dtype);
	const __int128 first = __int128(address.offset) + low * bits / 8;
	const __int128 end = __int128(address.offset) + (high * bits + 7) / 8;
	if (first < 0 || end > program.buffers[address.buffer].bytes)
		return program.nodes[launch.node] + ": a view leaves its buffer";
	return "";
}

/* check_extents() - of all operands. */
inline std::string check_extents(const Program &program)
{
	for (const Launch &launch : program.launches)
		for (const Relocation &address : launch.addresses)
			if (std::string why = check_extent(program, launch, address); !why.empty())
				return why;
	return "";
}

} // namespace models
