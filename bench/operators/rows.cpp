// SPDX-License-Identifier: MIT
/**
 * DOC: Softmax, rotary positions and attention
 *
 * Beside oneDNN's softmax, and plain loops.
 */
#include <aclnnop/aclnn_fused_infer_attention_score_v2.h>
#include <aclnnop/aclnn_rotary_position_embedding.h>
#include <aclnnop/aclnn_softmax.h>

#include <cmath>
#include <memory>

#include "library.h"
#include "loops.h"
#include "operators.h"
#include "tensors.h"
#include "workers.h"

namespace bench {

namespace {

void measure_softmax(const Effort &effort, Round &round, int64_t rows, int64_t length)
{
	const Operand x(ACL_FLOAT, {rows, length}), y(ACL_FLOAT, {rows, length});
	const auto size = static_cast<size_t>(length);
	float *from = x.host<float>(), *to = y.host<float>();
	const std::string shape = std::to_string(rows) + " x " + std::to_string(length);
	const auto primitives = std::make_shared<Primitives>([=](int64_t count) {
		const dnnl::memory::desc desc({count, length}, dnnl::memory::data_type::f32,
					      dnnl::memory::format_tag::ab);
		const dnnl::softmax_forward::desc of(dnnl::prop_kind::forward_inference, desc, 1);
		return Primitive{dnnl::softmax_forward({of, onednn_engine()}),
				 {{DNNL_ARG_SRC, desc}, {DNNL_ARG_DST, desc}}};
	});
	compare(effort, round, "row.softmax." + std::to_string(length), "softmax of " + shape,
		2 * x.bytes(), [&] { CALL(Softmax, x, 1, y); },
		{{"onednn", "oneDNN",
		  [=] {
			  share(static_cast<size_t>(rows), 1, [&](size_t row, size_t n) {
				  primitives->run(static_cast<int64_t>(n),
						  {from + row * size, to + row * size});
			  });
		  }},
		 {"loop", "a loop", [=] {
			  share(static_cast<size_t>(rows), 1, [&](size_t row, size_t n) {
				  softmax(from + row * size, to + row * size, n, size);
			  });
		  }}});
}

void measure_rotary(const Effort &effort, Round &round)
{
	constexpr int64_t POSITIONS = 2048, HEADS = 32, SIZE = 128;
	const Operand x(ACL_FLOAT, {1, POSITIONS, HEADS, SIZE});
	const Operand y(ACL_FLOAT, {1, POSITIONS, HEADS, SIZE});
	const Operand cosine(ACL_FLOAT, {1, POSITIONS, 1, SIZE});
	const Operand sine(ACL_FLOAT, {1, POSITIONS, 1, SIZE});
	const float *from = x.host<float>(), *c = cosine.host<float>(), *s = sine.host<float>();
	float *to = y.host<float>();
	compare(effort, round, "row.rotary", "rotary positions, 2048 x 32 x 128", 2 * x.bytes(),
		[&] { CALL(RotaryPositionEmbedding, x, cosine, sine, 0, y); },
		{{"loop", "a loop", [=] {
			  share(POSITIONS, 1, [&](size_t at, size_t n) {
				  const size_t first = at * HEADS * SIZE;
				  rotate_halves(from + first, c + at * SIZE, s + at * SIZE,
						to + first, n, HEADS, SIZE);
			  });
		  }}});
}

aclTensorList *list_of(const Operand &operand, const std::vector<int64_t> &dims)
{
	const aclTensor *tensor = operand.made_of(dims);
	aclTensorList *list = aclCreateTensorList(&tensor, 1);
	check(list ? 0 : -1, "aclCreateTensorList");
	return list;
}

/* 16 heads of 64 numbers. */
void measure_attention(const Effort &effort, Round &round, int64_t queries, int64_t keys)
{
	constexpr int64_t HEADS = 16, SIZE = 64;
	const Operand q(ACL_FLOAT16, {1, HEADS, queries, SIZE});
	const Operand k(ACL_FLOAT16, {1, HEADS, keys, SIZE}),
		v(ACL_FLOAT16, {1, HEADS, keys, SIZE});
	const Operand out(ACL_FLOAT16, {1, HEADS, queries, SIZE});
	const Operand fq(ACL_FLOAT, {HEADS, queries, SIZE}), fk(ACL_FLOAT, {HEADS, keys, SIZE});
	const Operand fv(ACL_FLOAT, {HEADS, keys, SIZE}), fo(ACL_FLOAT, {HEADS, queries, SIZE});
	aclTensorList *key = list_of(k, {1, HEADS, keys, SIZE});
	aclTensorList *value = list_of(v, {1, HEADS, keys, SIZE});
	char layout[] = "BNSD";
	const auto loop = [&](size_t first, size_t count) {
		const auto n = static_cast<size_t>(queries), t = static_cast<size_t>(keys);
		std::vector<float> scores(t);
		for (size_t head = first; head < first + count; head++)
			attend(fq.host<float>() + head * n * SIZE,
			       fk.host<float>() + head * t * SIZE,
			       fv.host<float>() + head * t * SIZE,
			       fo.host<float>() + head * n * SIZE, n, t, SIZE, scores.data());
	};
	const std::string text = std::to_string(queries) + "x" + std::to_string(keys);
	compare(effort, round, "row.attention." + text, "attention f16, " + text + " positions", 0,
		[&] {
			CALL(FusedInferAttentionScoreV2, q, key, value, nullptr, nullptr, nullptr,
			     nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
			     nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
			     nullptr, nullptr, HEADS, 1 / std::sqrt(double{SIZE}), 65535, 65535,
			     layout, HEADS, 0, 0, 0, 0, false, 0, 0, out, nullptr);
		},
		{{"loop", "a loop on f32", [&] { share(HEADS, 1, loop); }}});
	CHECK(aclDestroyTensorList(value));
	CHECK(aclDestroyTensorList(key));
}

} // namespace

void measure_rows(const Effort &effort, Round &round)
{
	measure_softmax(effort, round, 65536, 64);
	measure_softmax(effort, round, 8192, 512);
	measure_softmax(effort, round, 1024, 4096);
	measure_rotary(effort, round);
	measure_attention(effort, round, 1, 2048);
	measure_attention(effort, round, 512, 512);
}

} // namespace bench
