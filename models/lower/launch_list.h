// SPDX-License-Identifier: MIT
/*
 * DOC: Programs
 *
 * A model at fixed shapes, as the device runs it: TENSOR descriptors one after the other, and where each of their
 * addresses points. Whoever runs it gives each space a place in memory, and adds the address of the place.
 */
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/ir/ir_model.h"

namespace models {

/* enum class Space - what a buffer is a part of.
 * WEIGHTS: the constants of the model, each at a place of its own
 * OWN: constants that follow from the shapes, Program::own */
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

/* struct Launch - @node: of Program::nodes, for what a failure says */
struct Launch {
	uint32_t node;
	uint32_t kind;
	std::vector<uint64_t> words;
	std::vector<Relocation> addresses;
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
	std::string own;
	uint64_t arena_bytes = 0;
};

} // namespace models
