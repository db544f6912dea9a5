// SPDX-License-Identifier: MIT
/*
 * DOC: Programs
 *
 * A model at fixed shapes, in the form that the device runs: a list of TENSOR descriptors, and for each address in
 * them the buffer to which it points. Whoever runs the program allocates memory for each space, and adds its
 * address to these words. They run in their order, but for the branches of choices that a run does not take.
 */
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/ir/ir_model.h"

namespace models {

/* enum class Space - the memory that has a buffer. WEIGHTS: the constants of the model. OWN: constants that are
 * computed from the shapes, Program::own */
enum class Space : uint8_t { INPUT, OUTPUT, WEIGHTS, OWN, ARENA };

/* struct Buffer - @index: the number of the input, output or constant. @offset: where it begins in ARENA or OWN */
struct Buffer {
	Space space = Space::ARENA;
	uint32_t index = 0;
	uint64_t bytes = 0;
	uint64_t offset = 0;
};

/* struct Relocation - word @word of a descriptor is the address of a buffer plus @offset bytes. */
struct Relocation {
	uint32_t word;
	uint32_t buffer;
	uint64_t offset;
	bool is_written;
};

/* struct Launch - one descriptor. @node: index into Program::nodes, for error messages */
struct Launch {
	uint32_t node;
	uint32_t kind;
	std::vector<uint64_t> words;
	std::vector<Relocation> addresses;
};

/*
 * struct Choice - the launches from @first up to @middle run if the 64-bit word in @buffer is not 0 once those before
 * @first have run, or else those from @middle up to @end.
 * @node: index into Program::nodes
 */
struct Choice {
	uint32_t node;
	uint32_t buffer;
	uint32_t first, middle, end;
};

/* struct Port - an input or output at these shapes. */
struct Port {
	std::string name;
	ir::Type type = ir::Type::NONE;
	ir::Dims dims;
	uint64_t bytes = 0;
};

struct Program {
	std::vector<Port> inputs, outputs;
	std::vector<std::string> nodes; /* "Conv /m/Conv_7 (opset 17)" */
	std::vector<Buffer> buffers;
	std::vector<Launch> launches;
	std::vector<Choice>
		choices; /* by @first; of those inside each other the outer one comes first */
	std::string own;
	uint64_t arena_bytes = 0;
};

} // namespace models
