// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace umd {

/*
 * struct Descriptor - a TENSOR descriptor that a rule has made.
 * @words: the descriptor
 * @addresses: where @words has the address of each tensor
 * @missing_data: the first operand with elements but without memory, a literal; else NULL
 * @is_empty: there are no elements to compute, so there is no descriptor
 */
struct Descriptor {
	/* The word @word of the descriptor has the address of argument @argument plus @offset. @form: form_of() the
	 * tensor */
	struct Address {
		uint8_t argument;
		uint16_t word;
		uint64_t offset;
		uint64_t form;
	};

	std::vector<uint64_t> words;
	std::vector<Address> addresses;
	const char *missing_data = nullptr;
	bool is_empty = false;
};

} // namespace umd
