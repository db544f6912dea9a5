// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace umd::recorder {

/**
 * struct FrameRule - how to get from a return address to the caller's frame: where the frame of the
 * function ends (its CFA), and where the function saved the frame pointer. The return address to the
 * caller is the word before the CFA. On AArch64 the end of its frame record stands for the CFA.
 */
struct FrameRule {
	enum : uint8_t { IS_OWN = 1, HAS_CALLER = 2, FROM_FRAME_POINTER = 4 };

	/* offset from the stack pointer or from the frame pointer, in bytes */
	int32_t cfa = 0;
	/* offset from the CFA to the saved frame pointer; 0: it is not saved */
	int16_t frame_pointer = 0;
	uint8_t flags = 0;
	uint8_t reserved = 0;
};

/** struct Module - an ELF file that is mapped in the process. */
struct Module {
	std::string path;
	uint64_t base = 0;  /* difference between addresses in the process and in the file */
	uint64_t begin = 0; /* its lowest and its highest mapped address */
	uint64_t end = 0;
	const uint8_t *frames = nullptr; /* its .eh_frame_hdr section */
};

/** find_module() - the ELF file that has the code at @address. Return: false if there is none. */
bool find_module(uint64_t address, Module &module);

/** find_rule() - reads the rule for a return address from the unwind tables of @module. If there is no rule,
 * the result does not have HAS_CALLER, and a walk ends there. Context: any thread; takes microseconds. */
FrameRule find_rule(const Module &module, uint64_t return_address);

} // namespace umd::recorder
