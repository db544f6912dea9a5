// SPDX-License-Identifier: MIT
/**
 * DOC: the handles that a fuzzed program has
 */
#pragma once

#include "acl/acl.h"
#include "input.h"

namespace fuzz {

constexpr unsigned SLOTS = 4;

/* A stale handle stays in its slot until another one takes it. */
template <class Handle> struct Slots {
	Handle values[SLOTS] = {};
	bool live[SLOTS] = {};

	Handle &at(Input &input) { return values[input.take<uint8_t>() % SLOTS]; }

	/* Some bytes stand for an invented handle. */
	Handle any(Input &input)
	{
		auto byte = input.take<uint8_t>();
		if (byte == 255)
			return reinterpret_cast<Handle>(uintptr_t{0x123456789});
		return byte == 254 ? nullptr : values[byte % SLOTS];
	}

	template <class Make> void make(Input &input, Make &&call)
	{
		unsigned slot = input.take<uint8_t>() % SLOTS;
		Handle made{};
		if (!live[slot] && call(&made) == ACL_SUCCESS) {
			values[slot] = made;
			live[slot] = true;
		}
	}

	template <class Destroy> void destroy(Input &input, Destroy &&call)
	{
		auto handle = any(input);
		if (call(handle) != ACL_SUCCESS)
			return;
		for (unsigned i = 0; i < SLOTS; i++)
			live[i] = live[i] && values[i] != handle;
	}

	template <class Destroy> void clear(Destroy &&call)
	{
		for (unsigned i = 0; i < SLOTS; i++) {
			if (live[i])
				(void)call(values[i]);
			live[i] = false;
			values[i] = {};
		}
	}
};

template <class Enum> Enum raw(Input &input)
{
	int value = input.take<int8_t>();
	Enum out;
	static_assert(sizeof(out) == sizeof(value));
	memcpy(&out, &value, sizeof(out));
	return out;
}

} // namespace fuzz
