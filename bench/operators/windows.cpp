// SPDX-License-Identifier: MIT
/**
 * DOC: Convolutions and pools
 *
 * Beside oneDNN's primitives, on images in the same layout.
 */
#include <aclnnop/aclnn_convolution.h>
#include <aclnnop/aclnn_max_pool.h>

#include <memory>

#include "library.h"
#include "operators.h"
#include "tensors.h"
#include "workers.h"

namespace bench {

namespace {

using Desc = dnnl::memory::desc;
constexpr auto F32 = dnnl::memory::data_type::f32;

/* Images of 56 x 56 pixels. */
constexpr int64_t SIDE = 56;

class Array {
public:
	explicit Array(std::vector<int64_t> values)
		: array_(aclCreateIntArray(values.data(), values.size()))
	{
		check(array_ ? 0 : -1, "aclCreateIntArray");
	}
	~Array() { CHECK(aclDestroyIntArray(array_)); }
	Array(const Array &) = delete;
	operator aclIntArray *() const { return array_; }

private:
	aclIntArray *array_;
};

/* A window of 3 x 3 with a border of 1. */
void measure_convolution(const Effort &effort, Round &round, int64_t channels, int64_t groups,
			 const char *name)
{
	constexpr int64_t IMAGES = 8;
	const int64_t each = channels / groups;
	const Operand x(ACL_FLOAT, {IMAGES, channels, SIDE, SIDE});
	const Operand w(ACL_FLOAT, {channels, each, 3, 3});
	const Operand y(ACL_FLOAT, {IMAGES, channels, SIDE, SIDE});
	const Array ones({1, 1}), none({0, 0});
	const auto primitives = std::make_shared<Primitives>([=](int64_t count) {
		const Desc image({count, channels, SIDE, SIDE}, F32,
				 dnnl::memory::format_tag::nchw);
		const Desc weights({groups, each, each, 3, 3}, F32,
				   dnnl::memory::format_tag::goihw);
		const dnnl::convolution_forward::desc of(dnnl::prop_kind::forward_inference,
							 dnnl::algorithm::convolution_auto, image,
							 weights, image, {1, 1}, {1, 1}, {1, 1});
		return Primitive{dnnl::convolution_forward({of, onednn_engine()}),
				 {{DNNL_ARG_SRC, image},
				  {DNNL_ARG_WEIGHTS, weights},
				  {DNNL_ARG_DST, image}}};
	});
	const auto image = static_cast<size_t>(channels * SIDE * SIDE);
	float *from = x.host<float>(), *weights = w.host<float>(), *to = y.host<float>();
	compare(effort, round, std::string("window.") + name,
		std::string(name) + " convolution, " + std::to_string(channels) + " channels",
		x.bytes() + y.bytes(),
		[&] {
			CALL(Convolution, x, w, nullptr, ones, ones, ones, false, none, groups, y,
			     0);
		},
		{{"onednn", "oneDNN", [=] {
			  share(IMAGES, 1, [&](size_t at, size_t n) {
				  primitives->run(static_cast<int64_t>(n),
						  {from + at * image, weights, to + at * image});
			  });
		  }}});
}

void measure_pool(const Effort &effort, Round &round)
{
	constexpr int64_t IMAGES = 8, CHANNELS = 256;
	const Operand x(ACL_FLOAT, {IMAGES, CHANNELS, SIDE, SIDE});
	const Operand y(ACL_FLOAT, {IMAGES, CHANNELS, SIDE, SIDE});
	const Array three({3, 3}), ones({1, 1}), pads({1, 1, 1, 1});
	const auto primitives = std::make_shared<Primitives>([](int64_t count) {
		const Desc image({count, CHANNELS, SIDE, SIDE}, F32,
				 dnnl::memory::format_tag::nchw);
		const dnnl::pooling_forward::desc of(dnnl::prop_kind::forward_inference,
						     dnnl::algorithm::pooling_max, image, image,
						     {1, 1}, {3, 3}, {1, 1}, {1, 1});
		return Primitive{dnnl::pooling_forward({of, onednn_engine()}),
				 {{DNNL_ARG_SRC, image}, {DNNL_ARG_DST, image}}};
	});
	constexpr size_t IMAGE = CHANNELS * SIDE * SIDE;
	float *from = x.host<float>(), *to = y.host<float>();
	compare(effort, round, "window.max", "maximum of 3 x 3, 256 channels",
		x.bytes() + y.bytes(), [&] { CALL(MaxPool, x, three, ones, 0, pads, ones, 0, y); },
		{{"onednn", "oneDNN", [=] {
			  share(IMAGES, 1, [&](size_t at, size_t n) {
				  primitives->run(static_cast<int64_t>(n),
						  {from + at * IMAGE, to + at * IMAGE});
			  });
		  }}});
}

} // namespace

void measure_windows(const Effort &effort, Round &round)
{
	measure_convolution(effort, round, 128, 1, "dense");
	measure_convolution(effort, round, 256, 256, "depthwise");
	measure_pool(effort, round);
}

} // namespace bench
