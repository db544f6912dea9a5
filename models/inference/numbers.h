// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "models/ir/ir_model.h"

namespace models {

/* The most elements of a value that the compiler computes itself. Values that describe shapes have a few elements,
 * masks have more. */
inline constexpr int64_t MOST_NUMBERS = 1 << 18;

/* The most elements of all such values together, so that the compilation of a hostile model ends. The device
 * computes the rest. */
inline constexpr int64_t MOST_COMPUTED = 1 << 24;

/* struct Numbers - the elements of a tensor in the form in which the compiler computes: integers or reals. */
struct Numbers {
	ir::Type type = ir::Type::NONE;
	ir::Dims dims;
	std::vector<int64_t> integers;
	std::vector<double> reals;

	bool is_real() const { return ir::is_floating(type); }
	size_t size() const { return is_real() ? reals.size() : integers.size(); }
	void resize(size_t n)
	{
		if (is_real())
			reals.resize(n);
		else
			integers.resize(n);
	}

	/* real() - element @i, whatever the type. */
	double real(size_t i) const
	{
		return is_real() ? reals[i] : static_cast<double>(integers[i]);
	}
};

/* can_compute() - whether Numbers can have the type. */
bool can_compute(ir::Type type);

/* decode() - Context: can_compute(), and at most MOST_NUMBERS elements */
Numbers decode(const ir::Constant &constant);

/* encode() - converts the elements to bytes. Reals are rounded to the type, integers wrap around. */
std::string encode(const Numbers &numbers);

} // namespace models
