// SPDX-License-Identifier: MIT
/**
 * DOC: inputs of the fuzz targets
 *
 * An input is read from its front; what is missing is zero, so that every input means something.
 */
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace fuzz {

/* class Input - bytes that are used up. */
class Input {
public:
	Input(const uint8_t *data, size_t bytes) : at_(data), left_(bytes) {}

	size_t left() const { return left_; }

	template <class T> T take()
	{
		T value{};
		take(&value, sizeof(value));
		return value;
	}

	void take(void *to, size_t bytes)
	{
		size_t some = std::min(bytes, left_);
		if (some == 0)
			return;
		memcpy(to, at_, some);
		at_ += some;
		left_ -= some;
	}

private:
	const uint8_t *at_;
	size_t left_;
};

/* using Seed - an input to start from, and its name. */
struct Seed {
	std::string name;
	std::vector<std::byte> bytes;

	template <class T> void add(const T &value)
	{
		const auto *from = reinterpret_cast<const std::byte *>(&value);
		bytes.insert(bytes.end(), from, from + sizeof(value));
	}
};

/* seeds() - of this target; each is one way through the code. */
std::vector<Seed> seeds();

/* expect() - ends the program, which is a finding, unless @good. */
inline void expect(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "fuzz: %s\n", what);
	abort();
}

} // namespace fuzz
