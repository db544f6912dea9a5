// SPDX-License-Identifier: MIT
/*
 * DOC: Sizes of images
 */
#include <bit>
#include <cmath>

#include "models/lower/rows.h"
#include "row.h"

namespace models {

namespace resizes {

namespace {

/* find_sizes() - the dims of a resized operand, by sizes or scales. */
bool find_sizes(Inference &at, ir::Dims &dims)
{
	const bool is_resize = at.node.type == "Resize" && at.node.version >= 11;
	std::vector<int64_t> sizes;
	std::vector<double> scales;
	const size_t scale_at = is_resize ? 2 : 1;
	const ir::Attribute *attribute = at.node.find("scales");
	dims = at.dims(0);
	const auto is_given = [&at](size_t i) { return at.has(i) && ir::count(at.dims(i)) != 0; };
	if (at.node.find("axes") && !at.node.integers("axes").empty())
		return at.fail("axes is not understood here");
	if (attribute)
		scales.assign(attribute->reals.begin(), attribute->reals.end());
	else if (is_resize && is_given(3)) {
		if (!at.integers(3, sizes))
			return false;
	} else if (!is_given(scale_at) || !at.reals(scale_at, scales)) {
		return is_given(scale_at) ? false : at.fail("it has neither sizes nor scales");
	}
	if (sizes.empty() ? scales.size() != dims.rank() : sizes.size() != dims.rank())
		return at.fail("sizes or scales must have an entry for each dim");
	for (unsigned d = 0; d < dims.rank(); d++) {
		const double size = sizes.empty()
					    ? std::floor(static_cast<double>(dims[d]) * scales[d])
					    : static_cast<double>(sizes[d]);
		if (!(size >= 0 && size < 0x1p36))
			return at.fail("its result would have no size along dim " +
				       std::to_string(d));
		dims[d] = static_cast<int64_t>(size);
	}
	return true;
}

bool infer_resize(Inference &at)
{
	ir::Dims dims;
	return find_sizes(at, dims) && at.set(0, at.type(0), dims);
}

/* word_of() - the place of @word among @words; -1 where it is none of them. */
int64_t word_of(std::string_view word, std::initializer_list<std::string_view> words)
{
	const auto at = std::find(words.begin(), words.end(), word);
	return at == words.end() ? -1 : at - words.begin();
}

/* find_scales() - of each dim, as bits. Without scales they are the quotients of the sizes. */
bool find_scales(Lowering &l, Integers &bits)
{
	const bool is_new = l.at.node.type == "Resize" && l.at.node.version >= 11;
	const size_t place = is_new ? 2 : 1;
	const ir::Attribute *attribute = l.at.node.find("scales");
	std::vector<double> scales;
	if (attribute)
		scales.assign(attribute->reals.begin(), attribute->reals.end());
	else if (l.has(place) && ir::count(l.at.dims(place)) != 0 && !l.at.reals(place, scales))
		return false;
	for (unsigned d = 0; d < l.in(0).dims().rank(); d++) {
		const auto from = static_cast<double>(l.in(0).dims()[d]);
		const double scale =
			scales.empty() ? static_cast<double>(l.out().dims()[d]) / from : scales[d];
		bits.push_back(std::bit_cast<int64_t>(from == 0 ? 1.0 : scale));
	}
	return true;
}

bool lower_resize(Lowering &l)
{
	const ir::Node &node = l.at.node;
	const bool is_new = node.type == "Resize" && node.version >= 11;
	const std::string_view mode = node.text("mode", "nearest");
	const std::string_view place =
		is_new ? node.text("coordinate_transformation_mode", "half_pixel")
		       : std::string_view("asymmetric");
	const std::string_view rounding = is_new ? node.text("nearest_mode", "round_prefer_floor")
						 : std::string_view("floor");
	const int64_t mode_number =
		word_of(mode == "bilinear" ? "linear" : mode, {"nearest", "linear", "cubic"});
	const int64_t place_number = word_of(place, {"half_pixel", "asymmetric", "align_corners",
						     "pytorch_half_pixel", "half_pixel_symmetric"});
	const int64_t rounding_number =
		word_of(rounding, {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"});
	if (std::min({mode_number, place_number, rounding_number}) < 0 ||
	    node.integer("antialias", 0) != 0)
		return l.at.fail("mode " + std::string(mode) + " with " + std::string(place) +
				 " and " + std::string(rounding) + " is not computed here");
	Integers scales;
	if (!find_scales(l, scales))
		return false;
	const bool moves = mode_number == 0;
	Tensor from = moves ? movable(l.in(0)) : l.in(0);
	Tensor to = moves ? movable(l.out()) : l.out();
	if (!moves && !ir::is_floating(from.type))
		return l.at.fail("mode " + std::string(mode) + " is computed of floating numbers");
	if (is_image(to.view) && !to.view.is_dense()) {
		from = turn(from);
		to = turn(to);
		scales = {scales[0], scales[2], scales[3], scales[1]};
	}
	return l.call(moves ? resize_nearest_row : resize_row,
		      {from, mode_number, place_number, rounding_number, scales,
		       node.real("cubic_coeff_a", -0.75), node.integer("exclude_outside", 0), to});
}

constexpr const char *RESIZE = "coordinate_transformation_mode cubic_coeff_a exclude_outside "
			       "extrapolation_value mode nearest_mode antialias axes "
			       "keep_aspect_ratio_policy scales ";

constexpr OperatorRow ROWS[] = {
	{"Resize", 10, 0, 1, 4, RESIZE, infer_resize, nullptr, nullptr, lower_resize},
	{"Upsample", 7, 9, 1, 2, "mode scales ", infer_resize, nullptr, nullptr, lower_resize},
};

} // namespace

} // namespace resizes

std::span<const OperatorRow> resize_rows()
{
	return resizes::ROWS;
}

} // namespace models
