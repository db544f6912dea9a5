// SPDX-License-Identifier: MIT
/*
 * DOC: one field changed
 *
 * The attacker's sequences are valid. The mutator changes one field of some of the messages, packets
 * and images that they send.
 */
#ifndef UNPU_TESTS_ATTACKER_MUTATOR_H
#define UNPU_TESTS_ATTACKER_MUTATOR_H

#include <cstdint>
#include <cstring>
#include <random>

namespace attacker {

class Mutator {
public:
	explicit Mutator(uint64_t seed) : random_(seed) {}

	uint64_t draw() { return random_(); }
	uint64_t below(uint64_t end) { return random_() % end; }
	bool one_in(uint64_t n) { return below(n) == 0; }

	/* has_hit() - whether change() shall change the next thing that is sent. */
	bool has_hit() { return one_in(ODDS); }

	/* change() - one field of @bytes gets another value. */
	void change(void *what, size_t bytes)
	{
		constexpr size_t WIDTHS[] = {1, 2, 4, 8};
		const size_t width = std::min(WIDTHS[below(4)], bytes);
		const size_t at = below(bytes / width) * width;
		uint64_t value = 0;
		memcpy(&value, static_cast<char *>(what) + at, width);
		value = other(value);
		memcpy(static_cast<char *>(what) + at, &value, width);
	}

	/* other() - a value that is near @value, at a limit, or of another kind. */
	uint64_t other(uint64_t value)
	{
		switch (below(9)) {
		case 0:
			return value + 1;
		case 1:
			return value - 1;
		case 2:
			return value ^ uint64_t { 1 } << below(64);
		case 3:
			return 0;
		case 4:
			return ~uint64_t{0} - below(3);
		case 5:
			return uint64_t{1} << below(64);
		case 6:
			return below(64);
		case 7:
			return value * 2;
		default:
			return draw();
		}
	}

private:
	static constexpr uint64_t ODDS = 12;

	std::mt19937_64 random_;
};

} // namespace attacker

#endif
