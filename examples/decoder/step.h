// SPDX-License-Identifier: MIT
/**
 * DOC: One step of the decoder
 *
 * A step turns one word into the next one. All that changes from step to step, the word, the position and the
 * caches, is in device memory and changes in place. So the host never waits for a step, and a captured step can
 * run again as it is.
 */
#pragma once

#include "model.h"

namespace decoder {

class Step {
public:
	explicit Step(Model &model);

	/** restart() - the next step is the first one, with @word. */
	void restart(int64_t word);
	/** run() - appends a step to @stream, eagerly or into a capture. */
	void run(aclrtStream stream);
	/** operators() - of one step. */
	static constexpr unsigned operators() { return 4 + LAYERS * 12 + 6; }

	/** words(), logits() - results of the first @steps steps. Context: they have ended. */
	std::vector<int64_t> words(int64_t steps) const;
	std::vector<float> logits(int64_t steps) const;

private:
	void attend(Layer &layer, aclrtStream stream);

	/* struct Buffer - memory of a tensor between two operators. */
	struct Buffer {
		Buffer(std::vector<int64_t> dims, aclDataType type = ACL_FLOAT16);
		operator aclTensor *() { return tensor.get(); }

		Memory memory;
		Tensor tensor;
	};

	Model &model_;
	Buffer word_{{1}, ACL_INT64}, position_{{1}, ACL_INT64};
	Buffer hidden_{{1, HIDDEN}}, normal_{{1, HIDDEN}}, deviation_{{1}, ACL_FLOAT};
	Buffer cosine_{{1, HEAD}}, sine_{{1, HEAD}}, mask_{{1, POSITIONS}, ACL_BOOL};
	Buffer query_key_value_{{1, QUERY + 2 * KEY}}, query_{{1, QUERY}}, key_{{1, KEY}};
	Buffer attention_{{1, QUERY}}, projected_{{1, HIDDEN}}, gates_{{1, 2 * GATED}};
	Buffer gated_{{1, GATED}}, logits_{{1, WORDS}};
	Buffer words_{{POSITIONS}, ACL_INT64}, all_logits_{{POSITIONS, WORDS}};

	/* Views of the buffers. */
	Tensor query_heads_, key_heads_, value_row_, turned_query_, turned_key_;
	Tensor cosine_row_, sine_row_, mask_row_, attention_heads_;
	Scalar one_{int64_t{1}};
};

} // namespace decoder
