// SPDX-License-Identifier: MIT
#ifndef UNPU_TESTS_HOSTILE_KERNELS_ATTACK_H
#define UNPU_TESTS_HOSTILE_KERNELS_ATTACK_H

#include <cstdint>

namespace attack {

/* What the kernel of attack_image.cpp does. It stores results as words from @out on. */
enum class Command : uint64_t {
	NOTHING,
	SIGNAL, /* process, signal: its socket sends the signal at the next message */
	GROW, /* address, bytes, more bytes, offset: out[0] 1 if it could map more, out[1] the word there */
	STEAL, /* ms, word: out[0] how often it has seen the word, out[1] messages that it got */
	HOG,   /* bytes: out[0] bytes that it has got */
	SPIN,  /* ms */
	PRINT, /* times: a KiB each */
	READ,  /* address: out[0] the word there */
	FILL,  /* address, words, value */
	KEEP, /* ms, bytes: maps each file of so many bytes that it sees; out[0] files that it has. When out[1] is set, it
		* writes to all of them: out[2] bytes written */
};

struct Arguments {
	Command command;
	uint64_t out;
	uint64_t words[4];
};

/* The exporter fills its memory with these words, and exports a page of it. */
constexpr uint64_t SECRET = 0x5ec2e7005ec2e700ull;
constexpr uint64_t WHOLE_BYTES = 16 << 20, PART_AT = 8 << 20, PART_BYTES = 4096;

} // namespace attack

#endif
