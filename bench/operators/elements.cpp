// SPDX-License-Identifier: MIT
/**
 * DOC: Element-wise operators and norms
 *
 * On tensors of 64 MiB, which no cache holds, beside plain loops.
 */
#include <aclnnop/aclnn_add.h>
#include <aclnnop/aclnn_cast.h>
#include <aclnnop/aclnn_gelu.h>
#include <aclnnop/aclnn_group_norm.h>
#include <aclnnop/aclnn_layer_norm.h>
#include <aclnnop/aclnn_mul.h>
#include <aclnnop/aclnn_rms_norm.h>
#include <aclnnop/aclnn_silu.h>

#include "loops.h"
#include "operators.h"
#include "tensors.h"
#include "workers.h"

namespace bench {

namespace {

constexpr int64_t COUNT = int64_t{16} << 20; /* 64 MiB of floats */
constexpr double EPSILON = 1e-5;

struct Tensors {
	Operand a{ACL_FLOAT, {COUNT}}, b{ACL_FLOAT, {COUNT}}, c{ACL_FLOAT, {COUNT}};
	Operand half{ACL_FLOAT16, {COUNT}};
};

/* Rows of a 64 MiB tensor, shared among the threads. */
template <class Loop> Rival rows_loop(size_t length, Loop loop)
{
	return {"loop", "a loop", [=] { share(static_cast<size_t>(COUNT) / length, 1, loop); }};
}

template <class Loop> Rival loop_of(Loop loop)
{
	return {"loop", "a loop", [=] { share(COUNT, 1024, loop); }};
}

void measure_binary(const Effort &effort, Round &round, const Tensors &t)
{
	float one = 1;
	aclScalar *alpha = aclCreateScalar(&one, ACL_FLOAT);
	const float *a = t.a.host<float>(), *b = t.b.host<float>();
	float *c = t.c.host<float>();
	compare(effort, round, "element.add", "add, 64 MiB", 3 * t.a.bytes(),
		[&] { CALL(Add, t.a, t.b, alpha, t.c); },
		{loop_of([=](size_t at, size_t n) { add_floats(a + at, b + at, c + at, n); })});
	compare(effort, round, "element.mul", "mul, 64 MiB", 3 * t.a.bytes(),
		[&] { CALL(Mul, t.a, t.b, t.c); }, {loop_of([=](size_t at, size_t n) {
			multiply_floats(a + at, b + at, c + at, n);
		})});
	CHECK(aclDestroyScalar(alpha));
}

void measure_unary(const Effort &effort, Round &round, const Tensors &t)
{
	const float *a = t.a.host<float>();
	float *c = t.c.host<float>();
	uint16_t *half = t.half.host<uint16_t>();
	const uint64_t bytes = 2 * t.a.bytes();
	compare(effort, round, "element.silu", "silu, 64 MiB", bytes, [&] { CALL(Silu, t.a, t.c); },
		{loop_of([=](size_t at, size_t n) { silu_floats(a + at, c + at, n); })});
	compare(effort, round, "element.gelu", "gelu, 64 MiB", bytes, [&] { CALL(Gelu, t.a, t.c); },
		{loop_of([=](size_t at, size_t n) { gelu_floats(a + at, c + at, n); })});
	compare(effort, round, "element.narrow", "cast f32 to f16, 64 MiB", bytes * 3 / 4,
		[&] { CALL(Cast, t.a, ACL_FLOAT16, t.half); },
		{loop_of([=](size_t at, size_t n) { float_to_half(a + at, half + at, n); })});
	compare(effort, round, "element.widen", "cast f16 to f32, 64 MiB", bytes * 3 / 4,
		[&] { CALL(Cast, t.half, ACL_FLOAT, t.c); },
		{loop_of([=](size_t at, size_t n) { half_to_float(half + at, c + at, n); })});
}

void measure_norms(const Effort &effort, Round &round, const Tensors &t, int64_t length)
{
	const auto size = static_cast<size_t>(length);
	const Operand factors(ACL_FLOAT, {length}), summands(ACL_FLOAT, {length});
	const Operand rstd(ACL_FLOAT, {COUNT / length});
	aclTensor *x = t.a.made_of({COUNT / length, length});
	aclTensor *y = t.c.made_of({COUNT / length, length});
	aclIntArray *dims = aclCreateIntArray(&length, 1);
	const float *a = t.a.host<float>(), *f = factors.host<float>();
	const float *s = summands.host<float>();
	float *c = t.c.host<float>(), *r = rstd.host<float>();
	const std::string text = std::to_string(length);
	compare(effort, round, "norm.rms." + text, "rms norm, rows of " + text, 2 * t.a.bytes(),
		[&] { CALL(RmsNorm, x, factors, EPSILON, y, rstd); },
		{rows_loop(size, [=](size_t row, size_t n) {
			rms_norm(a + row * size, f, c + row * size, r + row, n, size);
		})});
	compare(effort, round, "norm.layer." + text, "layer norm, rows of " + text, 2 * t.a.bytes(),
		[&] { CALL(LayerNorm, x, dims, factors, summands, EPSILON, y, nullptr, nullptr); },
		{rows_loop(size, [=](size_t row, size_t n) {
			layer_norm(a + row * size, f, s, c + row * size, n, size);
		})});
	CHECK(aclDestroyIntArray(dims));
	CHECK(aclDestroyTensor(y));
	CHECK(aclDestroyTensor(x));
}

/* 32 groups of 256 channels of @pixels pixels. */
void measure_groups(const Effort &effort, Round &round, const Tensors &t, int64_t pixels)
{
	constexpr int64_t CHANNELS = 256, GROUPS = 32, EACH = CHANNELS / GROUPS;
	const int64_t images = COUNT / CHANNELS / pixels;
	const auto size = static_cast<size_t>(EACH * pixels);
	const Operand factors(ACL_FLOAT, {CHANNELS}), summands(ACL_FLOAT, {CHANNELS});
	const Operand mean(ACL_FLOAT, {images, GROUPS}), rstd(ACL_FLOAT, {images, GROUPS});
	aclTensor *x = t.a.made_of({images, CHANNELS, pixels});
	aclTensor *y = t.c.made_of({images, CHANNELS, pixels});
	const float *a = t.a.host<float>(), *f = factors.host<float>();
	const float *s = summands.host<float>();
	float *c = t.c.host<float>();
	const auto loop = [=](size_t first, size_t count) {
		for (size_t group = first; group < first + count; group++) {
			const size_t channel = group % GROUPS * EACH;
			group_norm(a + group * size, f + channel, s + channel, c + group * size, 1,
				   EACH, static_cast<size_t>(pixels));
		}
	};
	const std::string text = std::to_string(pixels);
	compare(effort, round, "norm.group." + text, "group norm, " + text + " pixels",
		2 * t.a.bytes(),
		[&] {
			CALL(GroupNorm, x, factors, summands, images, CHANNELS, pixels, GROUPS,
			     EPSILON, y, mean, rstd);
		},
		{{"loop", "a loop",
		  [=] { share(static_cast<size_t>(images * GROUPS), 1, loop); }}});
	CHECK(aclDestroyTensor(y));
	CHECK(aclDestroyTensor(x));
}

} // namespace

void measure_elements(const Effort &effort, Round &round)
{
	const Tensors tensors;
	measure_binary(effort, round, tensors);
	measure_unary(effort, round, tensors);
	for (const int64_t length : {64, 128, 256, 512, 1024, 4096})
		measure_norms(effort, round, tensors, length);
	for (const int64_t pixels : {49, 1024})
		measure_groups(effort, round, tensors, pixels);
}

} // namespace bench
