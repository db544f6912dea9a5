// SPDX-License-Identifier: MIT
/**
 * DOC: One step of the decoder
 */
#include "step.h"

#include <cmath>

#include <aclnnop/aclnn_add.h>
#include <aclnnop/aclnn_add_rms_norm.h>
#include <aclnnop/aclnn_argmax.h>
#include <aclnnop/aclnn_fused_infer_attention_score_v2.h>
#include <aclnnop/aclnn_gather_v2.h>
#include <aclnnop/aclnn_index_copy.h>
#include <aclnnop/aclnn_matmul.h>
#include <aclnnop/aclnn_rms_norm.h>
#include <aclnnop/aclnn_rotary_position_embedding.h>
#include <aclnnop/aclnn_swi_glu.h>

namespace decoder {

static size_t bytes_of(const std::vector<int64_t> &dims, aclDataType type)
{
	size_t bytes = aclDataTypeSize(type);
	for (const int64_t dim : dims)
		bytes *= static_cast<size_t>(dim);
	return bytes;
}

Step::Buffer::Buffer(std::vector<int64_t> dims, aclDataType type)
	: memory(bytes_of(dims, type)), tensor(memory, type, dims)
{
}

Step::Step(Model &model)
	: model_(model), query_heads_(query_key_value_.memory, ACL_FLOAT16, {1, 1, HEADS, HEAD}),
	  key_heads_(query_key_value_.memory, ACL_FLOAT16, {1, 1, KEY_HEADS, HEAD}, QUERY),
	  value_row_(query_key_value_.memory, ACL_FLOAT16, {1, KEY}, QUERY + KEY),
	  turned_query_(query_.memory, ACL_FLOAT16, {1, 1, HEADS, HEAD}),
	  turned_key_(key_.memory, ACL_FLOAT16, {1, 1, KEY_HEADS, HEAD}),
	  cosine_row_(cosine_.memory, ACL_FLOAT16, {1, 1, 1, HEAD}),
	  sine_row_(sine_.memory, ACL_FLOAT16, {1, 1, 1, HEAD}),
	  mask_row_(mask_.memory, ACL_BOOL, {1, 1, 1, POSITIONS}),
	  attention_heads_(attention_.memory, ACL_FLOAT16, {1, 1, HEADS, HEAD})
{
}

void Step::restart(int64_t word)
{
	const int64_t first = 0;
	word_.memory.write(&word, sizeof(word));
	position_.memory.write(&first, sizeof(first));
}

/* From the normal form of the hidden numbers to attention_. */
void Step::attend(Layer &layer, aclrtStream stream)
{
	char layout[] = "BSND";
	RUN(Matmul, stream, normal_, layer.query_key_value.tensor.get(), query_key_value_, 0);
	RUN(RotaryPositionEmbedding, stream, query_heads_.get(), cosine_row_.get(), sine_row_.get(),
	    0, turned_query_.get());
	RUN(RotaryPositionEmbedding, stream, key_heads_.get(), cosine_row_.get(), sine_row_.get(),
	    0, turned_key_.get());
	RUN(InplaceIndexCopy, stream, layer.keys.get(), 0, position_, key_);
	RUN(InplaceIndexCopy, stream, layer.values.get(), 0, position_, value_row_.get());
	RUN(FusedInferAttentionScoreV2, stream, turned_query_.get(), layer.cached_keys.get(),
	    layer.cached_values.get(), nullptr, mask_row_.get(), nullptr, nullptr, nullptr, nullptr,
	    nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
	    nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, HEADS,
	    1 / std::sqrt(double{HEAD}), 65535, 65535, layout, KEY_HEADS, 0, 0, 0, 0, false, 0, 0,
	    attention_heads_.get(), nullptr);
}

void Step::run(aclrtStream stream)
{
	RUN(GatherV2, stream, model_.embedding.tensor.get(), 0, word_, hidden_);
	RUN(GatherV2, stream, model_.cosine.get(), 0, position_, cosine_);
	RUN(GatherV2, stream, model_.sine.get(), 0, position_, sine_);
	RUN(GatherV2, stream, model_.mask.get(), 0, position_, mask_);
	for (auto &owned : model_.layers) {
		Layer &layer = *owned;
		RUN(RmsNorm, stream, hidden_, layer.attention_norm.tensor.get(), EPSILON, normal_,
		    deviation_);
		attend(layer, stream);
		RUN(Matmul, stream, attention_, layer.attention_out.tensor.get(), projected_, 0);
		RUN(AddRmsNorm, stream, projected_, hidden_, layer.gate_norm.tensor.get(), EPSILON,
		    normal_, deviation_, hidden_);
		RUN(Matmul, stream, normal_, layer.gate_up.tensor.get(), gates_, 0);
		RUN(SwiGlu, stream, gates_, 1, gated_);
		RUN(Matmul, stream, gated_, layer.down.tensor.get(), projected_, 0);
		RUN(InplaceAdd, stream, hidden_, projected_, one_.get());
	}
	RUN(RmsNorm, stream, hidden_, model_.norm.tensor.get(), EPSILON, normal_, deviation_);
	RUN(Matmul, stream, normal_, model_.out.tensor.get(), logits_, 0);
	RUN(ArgMax, stream, logits_, 1, false, word_);
	RUN(InplaceIndexCopy, stream, words_, 0, position_, word_);
	RUN(InplaceIndexCopy, stream, all_logits_, 0, position_, logits_);
	RUN(InplaceAdds, stream, position_, one_.get(), one_.get());
}

std::vector<int64_t> Step::words(int64_t steps) const
{
	std::vector<int64_t> words(static_cast<size_t>(steps));
	words_.memory.read(words.data(), words.size() * sizeof(words[0]));
	return words;
}

std::vector<float> Step::logits(int64_t steps) const
{
	std::vector<aclFloat16> halves(static_cast<size_t>(steps * WORDS));
	all_logits_.memory.read(halves.data(), halves.size() * sizeof(halves[0]));
	std::vector<float> logits(halves.size());
	for (size_t i = 0; i < halves.size(); i++)
		logits[i] = aclFloat16ToFloat(halves[i]);
	return logits;
}

} // namespace decoder
