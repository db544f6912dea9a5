// SPDX-License-Identifier: MIT
/*
 * DOC: RESIZE
 *
 * Slot 0 is slot 1 in another size. Attribute 0 is the mode: 0 takes the nearest element, 1 is linear, 2 cubic with
 * the coefficient in attribute 4. Attribute 1 says where element i of n lies in the m elements of the operand, with
 * the scale s that attribute 3 has for each dim, as the bits of a double: 0 at (i + 1/2) / s - 1/2, 1 at i / s, 2 at i
 * * (m - 1) / (n - 1), 3 as 0 but at 0 where n is 1, 4 as 0 around the middle where n is not m * s. Attribute 2 rounds
 * it for mode 0: to the nearest, the lower (0) or the upper (1) of two, down (2) or up (3). Beyond the operand its
 * edge elements repeat. With attribute 5 the cubic weights of elements beyond it are 0, and the other weights are
 * scaled so that their sum is 1.
 *
 * Mode 0 moves bits; the others compute in F32 or F64, and round once.
 */
#include <cmath>

#include "layout.h"

namespace fw::tensor {

namespace {

enum Mode : int64_t { NEAREST, LINEAR, CUBIC };
enum Coordinates : int64_t { HALF_PIXEL, ASYMMETRIC, ALIGN_CORNERS, HALF_PIXEL_OR_ZERO, SYMMETRIC };

constexpr unsigned TAPS = 4;
constexpr int64_t PART = 128; /* number of elements whose Taps are kept on the stack at once */

/* struct Taps - elements of the operand along one dim, and their weights. */
struct Taps {
	unsigned count = 1;
	int64_t at[TAPS] = {};
	double weight[TAPS] = {1};
};

double scale_of(const Call &call, unsigned dim)
{
	return std::bit_cast<double>(call.integers(3)[dim]);
}

/* coordinate() - where element @i of the result lies in the operand. */
double coordinate(const Call &call, unsigned dim, int64_t i)
{
	const double scale = scale_of(call, dim);
	const auto n = static_cast<double>(call.view(0).dims[dim]);
	const auto m = static_cast<double>(call.view(1).dims[dim]);
	const auto number = static_cast<double>(i);
	const double half = (number + 0.5) / scale - 0.5;
	switch (call.integer(1)) {
	case ASYMMETRIC:
		return number / scale;
	case ALIGN_CORNERS:
		return n == 1 ? 0 : number * (m - 1) / (n - 1);
	case HALF_PIXEL_OR_ZERO:
		return n == 1 ? 0 : half;
	case SYMMETRIC:
		return m / 2 * (1 - n / (scale * m)) + half;
	default:
		return half;
	}
}

int64_t clamp_to(double index, int64_t size)
{
	const auto last = static_cast<double>(size - 1);
	return static_cast<int64_t>(index >= 0 ? std::min(index, last) : 0);
}

double round_by(int64_t how, double x)
{
	switch (how) {
	case 0:
		return std::ceil(x - 0.5);
	case 1:
		return std::floor(x + 0.5);
	case 2:
		return std::floor(x);
	default:
		return std::ceil(x);
	}
}

/* cubic_weight() - of an element in @distance from the place, by Keys with the coefficient @a. */
double cubic_weight(double distance, double a)
{
	const double x = std::fabs(distance);
	if (x <= 1)
		return ((a + 2) * x - (a + 3)) * x * x + 1;
	return x < 2 ? a * (((x - 5) * x + 8) * x - 4) : 0;
}

Taps cubic_taps(const Call &call, double x, int64_t size)
{
	Taps taps;
	double sum = 0;
	taps.count = TAPS;
	for (unsigned k = 0; k < TAPS; k++) {
		const double at = std::floor(x) + k - 1.0;
		const bool is_outside = at < 0 || at > static_cast<double>(size - 1);
		taps.at[k] = clamp_to(at, size);
		taps.weight[k] =
			is_outside && call.integer(5) ? 0 : cubic_weight(x - at, call.real(4));
		sum += taps.weight[k];
	}
	for (unsigned k = 0; k < TAPS && call.integer(5) && sum != 0; k++)
		taps.weight[k] /= sum;
	return taps;
}

/* is_resized() - whether elements of the dim do not stay where they are. */
bool is_resized(const Call &call, unsigned dim)
{
	return call.view(0).dims[dim] != call.view(1).dims[dim] || scale_of(call, dim) != 1;
}

Taps taps_of(const Call &call, unsigned dim, int64_t i)
{
	Taps taps;
	const int64_t size = call.view(1).dims[dim];
	taps.at[0] = i;
	if (!is_resized(call, dim))
		return taps;
	const double x = coordinate(call, dim, i);
	if (call.integer(0) == CUBIC)
		return cubic_taps(call, x, size);
	if (call.integer(0) == NEAREST) {
		taps.at[0] = clamp_to(round_by(call.integer(2), x), size);
		return taps;
	}
	const double low = std::floor(x);
	taps.count = 2;
	taps.at[0] = clamp_to(low, size);
	taps.at[1] = clamp_to(low + 1, size);
	taps.weight[1] = x - low;
	taps.weight[0] = 1 - taps.weight[1];
	return taps;
}

bool has_resize_attributes(const Call &call)
{
	return call.integer(0) >= NEAREST && call.integer(0) <= CUBIC &&
	       call.integer(1) >= HALF_PIXEL && call.integer(1) <= SYMMETRIC &&
	       call.integer(2) >= 0 && call.integer(2) <= 3 && std::isfinite(call.real(4)) &&
	       (call.integer(5) == 0 || call.integer(5) == 1);
}

bool is_computed(uint32_t dtype)
{
	return dtype == UNPU_DTYPE_F32 || dtype == UNPU_DTYPE_F16 || dtype == UNPU_DTYPE_BF16 ||
	       dtype == UNPU_DTYPE_F64;
}

/* Sizes are below 2^31, so that coordinates are exact to a fraction. */
bool check_resize(const Call &call)
{
	if (!call.has(0) || !call.has(1) || !has_resize_attributes(call))
		return false;
	const View &out = call.view(0), &self = call.view(1);
	const bool has_types = call.integer(0) == NEAREST
				       ? have_one_type(call)
				       : is_floating(call.compute) && is_computed(out.dtype) &&
						 is_computed(self.dtype);
	if (!has_types || out.ndim != self.ndim || call.integers(3).size() != out.ndim)
		return false;
	for (unsigned d = 0; d < out.ndim; d++) {
		const double scale = scale_of(call, d);
		if (!is_resized(call, d))
			continue;
		const bool is_empty = self.dims[d] == 0 && out.dims[d] != 0;
		if (!(scale > 0) || !std::isfinite(scale) || is_empty ||
		    std::max(out.dims[d], self.dims[d]) > UNPU_TENSOR_MAX_WINDOW)
			return false;
	}
	return true;
}

/* elements_of_result() - how many of the operand one of the result depends on. */
uint64_t elements_of_result(const Call &call)
{
	uint64_t count = 1;
	for (unsigned d = 0; d < call.view(0).ndim; d++)
		if (is_resized(call, d))
			count *= call.integer(0) == CUBIC ? 4 : call.integer(0) == LINEAR ? 2 : 1;
	return count;
}

uint64_t resize_cost(const Call &call)
{
	const auto count = static_cast<unsigned __int128>(call.view(0).count());
	return limit_cost(count * (16 + 8 * elements_of_result(call)));
}

/* class ResizedPart - some elements of a row of the result. */
template <class C> class ResizedPart {
public:
	ResizedPart(const Call &call, const Index &at, int64_t n)
		: call_(call), out_(call.view(0)), self_(call.view(1)), at_(at), n_(n)
	{
		for (unsigned d = 0; d + 1 < out_.ndim; d++)
			outer_[d] = taps_of(call, d, at[d]);
		for (int64_t i = 0; i < n; i++)
			inner_[i] = taps_of(call, out_.ndim - 1, at[out_.ndim - 1] + i);
	}

	void run()
	{
		std::fill_n(sums_, n_, C());
		add(0, self_.data, 1);
		store_row<C>(out_.dtype, place(out_, at_), inner_stride(out_),
			     static_cast<size_t>(n_), sums_);
	}

private:
	/* Adds the rows under @from, of which dims before @dim are chosen. */
	void add(unsigned dim, const std::byte *from, double weight)
	{
		if (dim + 1 == out_.ndim)
			return add_row(from, weight);
		const int64_t step = self_.strides[dim] * element_bytes(self_);
		for (unsigned k = 0; k < outer_[dim].count; k++)
			if (outer_[dim].weight[k] != 0)
				add(dim + 1, from + outer_[dim].at[k] * step,
				    weight * outer_[dim].weight[k]);
	}

	void add_row(const std::byte *from, double weight)
	{
		const int64_t step = inner_stride(self_);
		for (int64_t i = 0; i < n_; i++)
			for (unsigned k = 0; k < inner_[i].count; k++) {
				C number;
				load_row<C>(self_.dtype, from + inner_[i].at[k] * step, 0, 1,
					    &number);
				sums_[i] += static_cast<C>(weight * inner_[i].weight[k]) * number;
			}
	}

	const Call &call_;
	const View &out_, &self_;
	const Index &at_;
	const int64_t n_;
	Taps outer_[MAX_DIMS], inner_[PART];
	C sums_[PART];
};

void move_nearest(const Call &call, Index at, int64_t n)
{
	const View &out = call.view(0), &self = call.view(1);
	const unsigned last = out.ndim - 1;
	Index from{};
	for (unsigned d = 0; d < last; d++)
		from[d] = taps_of(call, d, at[d]).at[0];
	if (!is_resized(call, last)) {
		from[last] = at[last];
		return copy_part(out, at, self, from, n);
	}
	for (int64_t i = 0; i < n; i++, at[last]++) {
		from[last] = taps_of(call, last, at[last]).at[0];
		copy_part(out, at, self, from, 1);
	}
}

Finding run_resize(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	for_units(call, first, count, [&](Index at, int64_t n, uint64_t) {
		if (call.view(0).ndim == 0)
			return copy_part(call.view(0), at, call.view(1), at, n);
		if (call.integer(0) == NEAREST)
			return move_nearest(call, at, n);
		for (int64_t done = 0; done < n; done += PART) {
			const int64_t some = std::min(n - done, PART);
			if (call.compute == UNPU_DTYPE_F64)
				ResizedPart<double>(call, at, some).run();
			else
				ResizedPart<float>(call, at, some).run();
			at[call.view(0).ndim - 1] += some;
		}
	});
	return {};
}

constexpr Kernel RESIZE_KERNELS[] = {
	{UNPU_TENSOR_RESIZE, check_resize, elementwise_units, resize_cost, nullptr, run_resize},
};

} // namespace

const std::span<const Kernel> resize_kernels = RESIZE_KERNELS;

} // namespace fw::tensor
