// SPDX-License-Identifier: MIT
/*
 * DOC: CONVOLUTION
 *
 * Slot 0 [N, Co, OH, OW] is the convolution of slot 1 [N, Ci, H, W] with slot 2, [Co, Ci / groups, KH, KW] or, if it
 * is transposed, [Ci, Co / groups, KH, KW], plus slot 3 [Co], which may be absent. Attributes: stride, padding and
 * dilation for H and W each, where the padding at the end of both may follow, whether it is transposed, the padding of
 * the result at its end, which only a transposed one has, and the number of groups.
 *
 * Operands are F32, F16 or BF16 in any mix. Products are added in F32, and a result is rounded once. Padding adds
 * zeros; whether these are multiplied with weights that are no finite numbers is not promised.
 */
#include "convolution.h"

namespace fw::tensor {

namespace {

bool has_convolution_attributes(const Call &call)
{
	return call.integers(0).size() == 2 &&
	       (call.integers(1).size() == 2 || call.integers(1).size() == 4) &&
	       call.integers(2).size() == 2 &&
	       (call.integer(3) == 0 || call.integers(4).size() == 2);
}

/* check_length() - whether the size of the result in a dim follows from the others. */
bool check_length(const Call &call, unsigned axis)
{
	const Window window = convolution_window(call, axis);
	const int64_t size = call.view(1).dims[2 + axis], length = call.view(0).dims[2 + axis];
	if (!is_good_window(window, size))
		return false;
	if (call.integer(3) == 0)
		return length == count_windows(window, size, false);
	const int64_t more = call.integers(4)[axis];
	return more >= 0 && more <= UNPU_TENSOR_MAX_WINDOW && length <= UNPU_TENSOR_MAX_WINDOW &&
	       length == (size - 1) * window.stride - window.low - window.high + window.extent() +
				 more;
}

bool check_channels(const Call &call)
{
	const View &out = call.view(0), &input = call.view(1), &weight = call.view(2);
	const int64_t groups = call.integer(5);
	if (groups < 1 || out.dims[1] % groups != 0 || input.dims[1] % groups != 0 ||
	    out.dims[0] != input.dims[0])
		return false;
	if (call.has(3) && (call.view(3).ndim != 1 || call.view(3).dims[0] != out.dims[1] ||
			    !is_window_type(call.view(3).dtype)))
		return false;
	if (call.integer(3) != 0)
		return weight.dims[0] == input.dims[1] && weight.dims[1] == out.dims[1] / groups;
	return weight.dims[0] == out.dims[1] && weight.dims[1] == input.dims[1] / groups;
}

/* Each dim fits into 48 bits. */
bool has_few_taps(const Call &call)
{
	const View &weight = call.view(2);
	const int64_t channels = call.view(1).dims[1] / call.integer(5);
	return static_cast<__int128>(channels) * (weight.dims[2] * weight.dims[3]) <=
	       UNPU_TENSOR_MAX_TAPS;
}

bool check_convolution(const Call &call)
{
	for (unsigned slot = 0; slot < 3; slot++)
		if (!call.has(slot) || call.view(slot).ndim != 4 ||
		    !is_window_type(call.view(slot).dtype))
			return false;
	return has_convolution_attributes(call) && check_channels(call) && check_length(call, 0) &&
	       check_length(call, 1) && has_few_taps(call);
}

/* A group with fewer channels of the result is not computed by panels: making them would cost more than they save. */
constexpr int64_t FEW_CHANNELS = 4;

/* struct Way - how to compute a convolution. @copies: how many bytes are copied while it adds @products products */
struct Way {
	uint64_t (*units)(const Geometry &);
	size_t (*bytes)(const Geometry &);
	void (*run)(const Geometry &, uint64_t first, uint64_t count, std::byte *scratch);
	unsigned copies, products;
};

constexpr Way PANELS = {panel_units, panel_bytes, run_panels, 1, 3};
constexpr Way SLABS = {slab_units, slab_bytes, run_slabs, 1, 3};
constexpr Way DIRECT = {direct_units, direct_bytes, run_direct, 3, 1};

const Way &way_of(const Geometry &geometry)
{
	if (geometry.out_channels >= FEW_CHANNELS)
		return PANELS;
	return has_slabs(geometry) ? SLABS : DIRECT;
}

uint64_t convolution_units(const Call &call)
{
	if (call.view(0).count() == 0)
		return 0;
	const Geometry geometry(call);
	return way_of(geometry).units(geometry);
}

uint64_t convolution_cost(const Call &call)
{
	const View &out = call.view(0);
	if (out.count() == 0)
		return 0;
	const Geometry geometry(call);
	const Way &way = way_of(geometry);
	const auto count = static_cast<uint64_t>(out.count());
	unsigned __int128 taps = static_cast<uint64_t>(geometry.in_channels);
	for (unsigned axis = 0; axis < 2; axis++)
		taps *= static_cast<uint64_t>(geometry.walk(axis, 0).taps);
	const auto products = limit_cost(taps) * static_cast<unsigned __int128>(count);
	return limit_cost(products * way.copies / way.products + count * sizeof(float));
}

size_t convolution_bytes(const Call &call)
{
	if (call.view(0).count() == 0)
		return 0;
	const Geometry geometry(call);
	return way_of(geometry).bytes(geometry);
}

Finding run_convolution(const Call &call, uint64_t first, uint64_t count, std::byte *scratch)
{
	const Geometry geometry(call);
	way_of(geometry).run(geometry, first, count, scratch);
	return {};
}

constexpr Kernel CONVOLUTION_KERNELS[] = {
	{UNPU_TENSOR_CONVOLUTION, check_convolution, convolution_units, convolution_cost,
	 convolution_bytes, run_convolution},
};

} // namespace

const std::span<const Kernel> convolution_kernels = CONVOLUTION_KERNELS;

} // namespace fw::tensor
