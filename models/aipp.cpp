// SPDX-License-Identifier: MIT
/*
 * DOC: Images as inputs
 *
 * An input with an aipp_op of --insert_op_conf becomes the bytes of images, and a node makes of them what the network
 * reads. What programs ask about the input is then that of the images.
 */
#include "aipp.h"

#include <algorithm>
#include <cstring>

#include "base/aipp_image.h"

namespace models {

namespace {

using ir::UNKNOWN;

constexpr const char *STEPS_NAME = "ascend_dynamic_aipp_data";

/* class Inserter - for one model. */
class Inserter {
public:
	Inserter(ir::Model &model, InputDims dims, om::Face &face, Problems &problems)
		: model_(model), dims_(dims), face_(face), problems_(problems)
	{
	}

	bool add(const AippOp &op);

private:
	bool fail(const std::string &why)
	{
		return problems_.add(bad_option, "--insert_op_conf, input " + name_ + ": " + why);
	}
	const std::vector<DimRange> &ranges() const { return dims_.ranges[input_]; }
	bool is_last() const { return dims_.format == om::Format::NHWC; }

	/* range() - of the network's dim 'N', 'C', 'H' or 'W'. */
	const DimRange &range(char dim) const
	{
		const std::string_view order = is_last() ? "NHWC" : "NCHW";
		return ranges()[order.find(dim)];
	}
	bool check_network(const AippOp &op);
	bool check_channels(const unpu_aipp &steps);
	bool check_sizes(const AippOp &op, unpu_aipp &steps, int64_t height, int64_t width);
	bool add_fixed(const AippOp &op);
	bool add_dynamic(const AippOp &op);
	void change_profiles(const unpu_aipp *steps, int64_t bytes);
	int32_t add_value(const std::string &name, ir::Type type,
			  const std::vector<DimRange> &ranges);
	ir::Node &add_node(const om::Images &images, std::vector<int32_t> from);

	ir::Model &model_;
	InputDims dims_;
	om::Face &face_;
	Problems &problems_;
	size_t input_ = 0; /* of the aipp_op under way */
	std::string name_;
};

void set(ir::Node &node, const char *name, std::vector<int64_t> values)
{
	ir::Attribute attribute;
	attribute.name = name;
	attribute.is_list = values.size() > 1;
	attribute.integers = std::move(values);
	node.attributes.push_back(std::move(attribute));
}

std::vector<int64_t> words_of(const unpu_aipp &steps)
{
	uint32_t words[UNPU_AIPP_WORDS];
	std::memcpy(words, &steps, sizeof(words));
	return {std::begin(words), std::end(words)};
}

std::string size_text(int64_t height, int64_t width)
{
	return "height " + std::to_string(height) + " and width " + std::to_string(width);
}

bool Inserter::check_network(const AippOp &op)
{
	const ir::Body &body = model_.bodies[0];
	name_ = std::to_string(op.input);
	if (op.input >= body.inputs.size() || op.input >= dims_.ranges.size())
		return fail("the model has " + std::to_string(body.inputs.size()) + " inputs");
	input_ = op.input;
	const ir::Value &value = model_.values[static_cast<size_t>(body.inputs[input_])];
	name_ += " (" + value.name + ")";
	for (const om::Images &other : face_.images)
		if (other.input == input_)
			return fail("there are two aipp_op of it");
	if (value.type != ir::Type::FLOAT && value.type != ir::Type::FLOAT16 &&
	    value.type != ir::Type::UINT8 && value.type != ir::Type::INT8)
		return fail(std::string("it is ") + ir::type_name(value.type) +
			    "; images become FLOAT, FLOAT16, UINT8 or INT8");
	if (ranges().size() != 4)
		return fail("it has " + std::to_string(ranges().size()) +
			    " dims; an image becomes an input of 4");
	if (face_.dynamic == om::Dynamic::DIMS)
		return fail("--dynamic_dims does not go with images; --dynamic_batch_size does");
	for (const char dim : {'N', 'C', 'H', 'W'}) {
		const bool may_be_open = face_.dynamic == om::Dynamic::BATCH ? dim == 'N'
					 : face_.dynamic == om::Dynamic::IMAGE
						 ? dim == 'H' || dim == 'W'
						 : false;
		if (range(dim).is_open() && !may_be_open)
			return fail(std::string("its dim ") + dim +
				    " is open; --input_shape has to fix it");
	}
	return true;
}

/* A network of one channel takes the first one: Y, or what the matrix gives. */
bool Inserter::check_channels(const unpu_aipp &steps)
{
	const int64_t wanted = range('C').least;
	const auto given = static_cast<int64_t>(base::aipp_channels(steps.format));
	const bool is_one = wanted == 1 && (given == 1 || base::aipp_is_yuv(steps.format) ||
					    (steps.flags & UNPU_AIPP_CONVERT) != 0);
	if (is_one || (wanted == 3 && given >= 3) || (wanted == 4 && given == 4))
		return true;
	return fail("the network has " + std::to_string(wanted) + " channels; an image of this " +
		    "input_format has " + std::to_string(given) + " with this csc_switch");
}

/* @steps: receives the sizes @height, @width: of the network */
bool Inserter::check_sizes(const AippOp &op, unpu_aipp &steps, int64_t height, int64_t width)
{
	const auto least = [](int64_t size) {
		return static_cast<uint32_t>(std::clamp<int64_t>(size, 0, INT32_MAX));
	};
	steps.width = op.steps.width ? op.steps.width : least(width);
	steps.height = op.steps.height ? op.steps.height : least(height);
	if (!op.crops) {
		steps.crop_width = steps.width;
		steps.crop_height = steps.height;
	}
	const int64_t around = int64_t{steps.pad_left} + steps.pad_right;
	const int64_t above = int64_t{steps.pad_top} + steps.pad_bottom;
	if (op.crops && op.steps.crop_width == 0)
		steps.crop_width = least(width - around);
	if (op.crops && op.steps.crop_height == 0)
		steps.crop_height = least(height - above);
	if (uint64_t{steps.crop_left} + steps.crop_width > steps.width ||
	    uint64_t{steps.crop_top} + steps.crop_height > steps.height)
		return fail("the part of crop leaves the image, which has " +
			    size_text(steps.height, steps.width));
	if (steps.crop_width + around != width || steps.crop_height + above != height)
		return fail("crop and padding give " +
			    size_text(steps.crop_height + above, steps.crop_width + around) +
			    "; the network takes " + size_text(height, width));
	const uint32_t columns = base::aipp_columns(steps.format);
	const uint32_t rows = base::aipp_rows(steps.format);
	if ((steps.width | steps.crop_left | steps.crop_width) % columns != 0 ||
	    (steps.height | steps.crop_top | steps.crop_height) % rows != 0)
		return fail("sizes and places of an image whose pixels share colours are even");
	return true;
}

int32_t Inserter::add_value(const std::string &name, ir::Type type,
			    const std::vector<DimRange> &ranges)
{
	ir::Value value;
	value.name = name;
	value.type = type;
	value.has_dims = true;
	for (const DimRange &dim : ranges)
		value.dims.push(dim.is_open() ? UNKNOWN : dim.least);
	model_.values.push_back(std::move(value));
	return static_cast<int32_t>(model_.values.size() - 1);
}

ir::Node &Inserter::add_node(const om::Images &images, std::vector<int32_t> from)
{
	ir::Body &body = model_.bodies[0];
	ir::Node node;
	node.type = "Aipp";
	node.domain = "unpu";
	node.version = 1;
	node.name = "aipp/" + images.network.name;
	node.outputs = {body.inputs[input_]};
	body.inputs[input_] = from[0];
	node.inputs = std::move(from);
	set(node, "channels", {range('C').least});
	set(node, "channels_last", {is_last()});
	set(node, "to", {static_cast<int64_t>(images.network.type)});
	return *body.nodes.insert(body.nodes.begin(), std::move(node));
}

/* The image of a network's shape. @steps: nullptr: @bytes bytes, and steps for each image at the end of the profile */
void Inserter::change_profiles(const unpu_aipp *steps, int64_t bytes)
{
	size_t begin = 0;
	for (size_t i = 0; i < input_; i++)
		begin += dims_.ranges[i].size();
	for (om::Profile &profile : face_.profiles) {
		const auto at = profile.begin() + static_cast<std::ptrdiff_t>(begin);
		const int64_t n = at[0], h = at[is_last() ? 1 : 2], w = at[is_last() ? 2 : 3];
		if (!steps) {
			*at = bytes;
			profile.erase(at + 1, at + 4);
			profile.push_back(n);
			profile.push_back(UNPU_AIPP_WORDS);
			continue;
		}
		const auto width = steps->width ? steps->width : static_cast<uint32_t>(w);
		const auto height = steps->height ? steps->height : static_cast<uint32_t>(h);
		const base::AippBytes of = base::aipp_bytes(steps->format, width, height);
		at[1] = static_cast<int64_t>(of.rows);
		at[2] = static_cast<int64_t>(of.width);
		at[3] = static_cast<int64_t>(of.bytes);
	}
}

bool Inserter::add_fixed(const AippOp &op)
{
	const bool is_open = range('H').is_open() || range('W').is_open();
	om::Images &images = face_.images.back();
	images.steps = op.steps;
	if (!check_channels(op.steps))
		return false;
	if (!is_open && !check_sizes(op, images.steps, range('H').least, range('W').least))
		return false;
	if (is_open && (op.crops || op.pads || op.steps.width != 0 || op.steps.height != 0))
		return fail("--dynamic_image_size goes with neither crop nor padding nor "
			    "src_image_size");
	const std::string_view order = is_last() ? "NHWC" : "NCHW";
	for (const om::Profile &choice : face_.choices) {
		unpu_aipp ignored = op.steps;
		if (is_open && !check_sizes(op, ignored, choice[0], choice[1]))
			return false;
	}
	const unpu_aipp &steps = images.steps;
	const base::AippBytes of = base::aipp_bytes(steps.format, steps.width, steps.height);
	const auto fixed = [](uint64_t size) {
		const auto number = static_cast<int64_t>(size);
		return DimRange{number, number};
	};
	const auto size = [&](char dim, uint64_t bytes) {
		const DimRange &range = ranges()[order.find(dim)];
		return range.is_open() ? range : fixed(bytes);
	};
	const std::vector<DimRange> made = {range('N'), size('H', of.rows), size('W', of.width),
					    fixed(of.bytes)};
	const int32_t image = add_value(images.network.name, ir::Type::UINT8, made);
	set(add_node(images, {image}), "steps", words_of(steps));
	change_profiles(&steps, 0);
	dims_.ranges[input_] = made;
	return true;
}

bool Inserter::add_dynamic(const AippOp &op)
{
	om::Images &images = face_.images.back();
	const int64_t channels = range('C').least;
	const auto bytes = static_cast<int64_t>(op.most_bytes);
	if (channels != 1 && channels != 3 && channels != 4)
		return fail("the network has " + std::to_string(channels) +
			    " channels; images have 1, 3 or 4");
	if (range('H').is_open() || range('W').is_open())
		return fail("--dynamic_image_size goes with the aipp_mode static");
	size_t others = 0;
	for (const om::Images &each : face_.images)
		others += each.steps_input != ir::ABSENT;
	images.steps_input = static_cast<int32_t>(dims_.ranges.size());
	const std::vector<DimRange> made = {{bytes, bytes}};
	const std::vector<DimRange> steps = {range('N'), {UNPU_AIPP_WORDS, UNPU_AIPP_WORDS}};
	const std::string name = STEPS_NAME + (others ? "_" + std::to_string(others) : "");
	const int32_t image = add_value(images.network.name, ir::Type::UINT8, made);
	const int32_t given = add_value(name, ir::Type::INT32, steps);
	ir::Node &node = add_node(images, {image, given});
	set(node, "height", {range('H').least});
	set(node, "width", {range('W').least});
	model_.bodies[0].inputs.push_back(given);
	change_profiles(nullptr, bytes);
	dims_.ranges[input_] = made;
	dims_.ranges.push_back(steps);
	return true;
}

bool Inserter::add(const AippOp &op)
{
	if (!check_network(op))
		return false;
	const ir::Value &value =
		model_.values[static_cast<size_t>(model_.bodies[0].inputs[input_])];
	om::Images images;
	images.input = static_cast<uint32_t>(input_);
	images.crops = op.crops;
	images.pads = op.pads;
	images.network.name = value.name;
	images.network.type = value.type;
	images.network.format = dims_.format;
	for (const DimRange &dim : ranges())
		images.network.dims.push(dim.is_open() ? UNKNOWN : dim.least);
	face_.images.push_back(std::move(images));
	return op.is_dynamic ? add_dynamic(op) : add_fixed(op);
}

} // namespace

bool insert_aipp(ir::Model &model, std::span<const AippOp> ops, InputDims dims, om::Face &face,
		 Problems &problems)
{
	Inserter inserter(model, dims, face, problems);
	bool is_good = true;
	for (const AippOp &op : ops)
		is_good &= inserter.add(op);
	return is_good;
}

} // namespace models
