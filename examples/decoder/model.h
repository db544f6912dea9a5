// SPDX-License-Identifier: MIT
/**
 * DOC: The decoder's model
 *
 * A small transformer: root-mean-square norms, rotary embeddings, attention with fewer heads of keys than of
 * queries and with a cache, and gated units. Its weights are generated.
 */
#pragma once

#include "decoder_tensors.h"

#include <memory>

namespace decoder {

constexpr int64_t HIDDEN = 256, LAYERS = 4, HEADS = 4, KEY_HEADS = 2, HEAD = 64;
constexpr int64_t GATED = 512, WORDS = 512, POSITIONS = 64;
constexpr int64_t QUERY = HEADS * HEAD, KEY = KEY_HEADS * HEAD;
constexpr double EPSILON = 1e-5;

/** struct Parameter - a tensor of generated numbers and its memory. */
struct Parameter {
	Parameter(uint32_t number, std::vector<int64_t> dims, float scale, float base = 0);

	Memory memory;
	Tensor tensor;
};

/** struct Layer - the weights and the cache of one layer. @number: of the layer */
struct Layer {
	explicit Layer(uint32_t number);

	Parameter attention_norm, query_key_value, attention_out;
	Parameter gate_norm, gate_up, down;
	Memory key_memory, value_memory;
	Tensor keys, values; /* [POSITIONS, KEY]: rows are written */
	TensorList cached_keys,
		cached_values; /* of [1, POSITIONS, KEY_HEADS, HEAD]: the same memory */
};

/** class Model - all weights, and the tables that depend on the position alone. */
class Model {
public:
	Model();

	Parameter embedding; /* [WORDS, HIDDEN] */
	std::vector<std::unique_ptr<Layer>> layers;
	Parameter norm, out;
	Memory cosine_memory, sine_memory, mask_memory;
	Tensor cosine, sine; /* [POSITIONS, HEAD] */
	Tensor mask;	     /* [POSITIONS, POSITIONS]: which positions each may not see */
};

} // namespace decoder
