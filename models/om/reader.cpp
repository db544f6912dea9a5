// SPDX-License-Identifier: MIT
/*
 * DOC: Reader of our model file
 *
 * A file is not trusted. Its sections must lie inside the file, one behind the other, and have the right
 * checksums. Each index must be valid. Bodies must not contain each other, and a node must not read a value before
 * it is written.
 */
#include <cstring>

#include "format.h"
#include "om.h"

namespace models::om {

namespace {

/* class File - the sections of a file. */
class File {
public:
	bool open(std::string_view bytes, uint64_t file_bytes, Problems &problems);

	/* find() - finds a section. Return: nullptr if there is none */
	const Section *find(uint32_t kind) const
	{
		for (const Section &section : sections_)
			if (section.kind == kind)
				return &section;
		return nullptr;
	}

	/* bytes_of() - the bytes of a section. It fails if they are not in the part of the file that was read. */
	bool bytes_of(uint32_t kind, std::string_view &bytes, Problems &problems) const;

private:
	bool check_sections(uint64_t file_bytes, Problems &problems) const;

	std::string_view bytes_;
	std::vector<Section> sections_;
};

bool refuse(Problems &problems, const char *what)
{
	return problems.add(is_broken, std::string("the model file is broken: ") + what);
}

bool is_known(uint32_t kind)
{
	return kind >= FACE && kind <= WEIGHTS;
}

bool File::check_sections(uint64_t file_bytes, Problems &problems) const
{
	uint64_t end = sizeof(Header) + sections_.size() * sizeof(Section);
	for (const Section &section : sections_) {
		if (!is_known(section.kind) && (section.flags & MUST_UNDERSTAND))
			return problems.add(not_ours,
					    "the model file has a section that this version "
					    "does not know; use the version that wrote it");
		if (section.reserved != 0 || section.flags > MUST_UNDERSTAND)
			return refuse(problems, "a field that must be 0 is not");
		if (section.bytes == 0)
			continue;
		if (section.offset % SECTION_ALIGNMENT != 0 || section.offset < end ||
		    section.offset > file_bytes || section.bytes > file_bytes - section.offset)
			return refuse(problems,
				      "a section lies outside of the file, or in another one");
		end = section.offset + section.bytes;
	}
	for (uint32_t kind = FACE; kind <= WEIGHTS; kind++)
		if (std::count_if(sections_.begin(), sections_.end(),
				  [kind](const Section &each) { return each.kind == kind; }) != 1)
			return refuse(problems, "a section is missing or there twice");
	return true;
}

bool File::open(std::string_view bytes, uint64_t file_bytes, Problems &problems)
{
	Header header;
	bytes_ = bytes;
	if (bytes.substr(0, 4) == "IMOD")
		return problems.add(
			not_ours,
			"the model file was made for another machine by another compiler; compile "
			"the ONNX file that it came from with unpu's atc");
	if (bytes.size() < sizeof(header))
		return problems.add(bad_size, "the model file has " + std::to_string(bytes.size()) +
						      " bytes, which is less than its header");
	std::memcpy(&header, bytes.data(), sizeof(header));
	if (std::memcmp(header.magic, MAGIC, sizeof(MAGIC)) != 0)
		return problems.add(not_ours,
				    "the file is no model of unpu; unpu's atc makes one of "
				    "an ONNX file");
	if (header.version != VERSION)
		return problems.add(not_ours, "the model file has version " +
						      std::to_string(header.version) +
						      " of the format; this is version 1. Compile "
						      "the model again");
	if (header.file_bytes != file_bytes)
		return problems.add(bad_size, "the model file has " + std::to_string(file_bytes) +
						      " bytes in place of " +
						      std::to_string(header.file_bytes));
	if (header.sections == 0 || header.sections > MOST_SECTIONS ||
	    header.sections * sizeof(Section) > bytes.size() - sizeof(header))
		return refuse(problems, "it has no sections, or too many");
	for (const uint8_t byte : header.reserved)
		if (byte != 0)
			return refuse(problems, "a field that must be 0 is not");
	const std::string_view table =
		bytes.substr(sizeof(header), header.sections * sizeof(Section));
	const uint32_t wanted = header.checksum;
	header.checksum = 0;
	const uint32_t found = checksum(
		table, checksum({reinterpret_cast<const char *>(&header), sizeof(header)}));
	if (found != wanted)
		return refuse(problems, "the checksum of its header is wrong");
	sections_.resize(header.sections);
	std::memcpy(sections_.data(), table.data(), table.size());
	return check_sections(file_bytes, problems);
}

bool File::bytes_of(uint32_t kind, std::string_view &bytes, Problems &problems) const
{
	const Section &section = *find(kind);
	if (section.bytes > 0 &&
	    (section.offset > bytes_.size() || section.bytes > bytes_.size() - section.offset))
		return problems.add(bad_size, "too little of the model file was read");
	bytes = section.bytes == 0 ? std::string_view()
				   : bytes_.substr(static_cast<size_t>(section.offset),
						   static_cast<size_t>(section.bytes));
	return checksum(bytes) == section.checksum ||
	       refuse(problems, "the checksum of a section is wrong");
}

/* take_dims() - @least: the smallest number that they may have */
ir::Dims take_dims(Cursor &from, int64_t least)
{
	const auto rank = static_cast<unsigned>(from.number(1));
	ir::Dims dims;
	if (rank > ir::MAX_RANK)
		from.fail();
	for (unsigned d = 0; from.is_good() && d < rank; d++) {
		const int64_t size = from.integer();
		if (size < least || size > ir::MOST_ELEMENTS)
			from.fail();
		dims.push(size);
	}
	return dims;
}

ir::Type take_type(Cursor &from, bool may_be_none)
{
	const auto number = static_cast<int32_t>(from.number(1));
	if (!ir::find_type(number) && !(may_be_none && number == 0))
		from.fail();
	return from.is_good() ? static_cast<ir::Type>(number) : ir::Type::NONE;
}

void take_port(Cursor &from, Port &port)
{
	port.name = from.text();
	port.type = take_type(from, false);
	const uint64_t format = from.number(1);
	if (format > static_cast<uint64_t>(Format::NDHWC))
		from.fail();
	port.format = static_cast<Format>(format);
	port.dims = take_dims(from, ir::UNKNOWN);
	port.least = take_dims(from, 0);
	port.most = take_dims(from, ir::UNKNOWN);
	port.bytes = from.number();
}

void take_ports(Cursor &from, std::vector<Port> &ports)
{
	ports.resize(from.count(17, ir::MOST_OPERANDS));
	for (Port &port : ports)
		take_port(from, port);
}

/* What programs are told of images has the form of images: 4 dims, and an input of bytes. */
void take_images(Cursor &from, Face &face)
{
	face.images.resize(from.count(10 + 17 + sizeof(unpu_aipp), face.inputs.size()));
	for (Images &images : face.images) {
		images.input = static_cast<uint32_t>(from.number(4));
		images.steps_input = from.small();
		images.crops = from.number(1) != 0;
		images.pads = from.number(1) != 0;
		take_port(from, images.network);
		uint32_t words[UNPU_AIPP_WORDS];
		for (uint32_t &word : words)
			word = static_cast<uint32_t>(from.number(4));
		std::memcpy(&images.steps, words, sizeof(words));
		const auto count = static_cast<int64_t>(face.inputs.size());
		if (images.input >= count || images.steps_input < ir::ABSENT ||
		    images.steps_input >= count || images.network.dims.rank() != 4) {
			from.fail();
			return;
		}
		const bool is_fixed = images.steps_input == ir::ABSENT;
		const Port &image = face.inputs[images.input];
		if (image.type != ir::Type::UINT8 || image.dims.rank() != (is_fixed ? 4u : 1u) ||
		    (!is_fixed &&
		     face.inputs[static_cast<size_t>(images.steps_input)].dims.rank() != 2))
			from.fail();
	}
}

std::vector<int64_t> take_numbers(Cursor &from)
{
	std::vector<int64_t> numbers(from.count(8, ir::MOST_VALUES));
	for (int64_t &number : numbers)
		number = from.integer();
	return numbers;
}

/* Whether the choices are as many numbers as those who offer them to a program read. */
bool choices_fit(const Face &face)
{
	const bool has_profiles = face.dynamic != Dynamic::NONE && face.dynamic != Dynamic::FREE;
	if (has_profiles == face.profiles.empty() || face.choices.size() != face.profiles.size())
		return false;
	size_t numbers = 0;
	if (face.dynamic == Dynamic::DIMS)
		for (const Port &port : face.inputs)
			numbers += static_cast<size_t>(
				std::count(port.dims.begin(), port.dims.end(), ir::UNKNOWN));
	else
		numbers = face.dynamic == Dynamic::BATCH ? 1 : 2;
	return std::all_of(face.choices.begin(), face.choices.end(),
			   [=](const Profile &each) { return each.size() == numbers; });
}

bool take_face(std::string_view bytes, Face &face)
{
	constexpr size_t MOST_PROFILES = 1024;
	Cursor from(bytes);
	face.name = from.text();
	face.soc = from.text();
	const uint64_t dynamic = from.number(1);
	if (dynamic > static_cast<uint64_t>(Dynamic::FREE))
		from.fail();
	face.dynamic = static_cast<Dynamic>(dynamic);
	face.work_bytes = from.number();
	face.weight_bytes = from.number();
	take_ports(from, face.inputs);
	take_ports(from, face.outputs);
	for (std::vector<Profile> *list : {&face.profiles, &face.choices}) {
		list->resize(from.count(4, MOST_PROFILES));
		for (Profile &profile : *list)
			profile = take_numbers(from);
	}
	size_t dims = 0;
	for (const Port &port : face.inputs)
		dims += port.dims.rank();
	for (const Profile &profile : face.profiles)
		if (profile.size() != dims ||
		    std::any_of(profile.begin(), profile.end(),
				[](int64_t size) { return size < 0 || size > ir::MOST_ELEMENTS; }))
			from.fail();
	if (!from.is_at_end())
		take_images(from, face);
	return from.is_at_end() && choices_fit(face);
}

/* class GraphReader - the section GRAPH. */
class GraphReader {
public:
	GraphReader(std::string_view bytes, std::string_view weights, ir::Model &model)
		: from_(bytes), weights_(weights), model_(model)
	{
	}

	bool run()
	{
		model_.name = from_.text();
		take_constants();
		take_values();
		take_bodies();
		for (std::vector<std::string> *names : {&model_.output_names, &model_.unfused}) {
			if (names == &model_.unfused && from_.is_at_end())
				continue;
			names->resize(from_.count(4, ir::MOST_OPERANDS));
			for (std::string &name : *names)
				name = from_.text();
		}
		return from_.is_at_end() && !model_.bodies.empty() && check_order();
	}

private:
	void take_constants();
	void take_values();
	void take_bodies();
	void take_node(ir::Node &node);
	void take_attribute(ir::Attribute &attribute);
	std::vector<int32_t> take_indices(bool may_be_absent);
	bool check_order();
	bool check_body(int32_t body, std::vector<bool> &is_written, unsigned depth);

	Cursor from_;
	const std::string_view weights_;
	ir::Model &model_;
	size_t nodes_ = 0;
	std::vector<bool> has_body_; /* bodies that a node has; one node at most */
};

void GraphReader::take_constants()
{
	model_.constants.resize(from_.count(10, ir::MOST_VALUES));
	for (ir::Constant &constant : model_.constants) {
		constant.type = take_type(from_, false);
		constant.dims = take_dims(from_, 0);
		const uint64_t offset = from_.number();
		const std::optional<int64_t> count = ir::count(constant.dims);
		const uint64_t bytes =
			count ? static_cast<uint64_t>(*count * ir::type_bytes(constant.type)) : 0;
		if (!count || offset > weights_.size() || bytes > weights_.size() - offset ||
		    offset % WEIGHT_ALIGNMENT != 0) {
			from_.fail();
			return;
		}
		constant.bytes =
			weights_.substr(static_cast<size_t>(offset), static_cast<size_t>(bytes));
	}
}

void GraphReader::take_values()
{
	model_.values.resize(from_.count(11, ir::MOST_VALUES));
	for (ir::Value &value : model_.values) {
		value.name = from_.text();
		value.type = take_type(from_, true);
		value.has_dims = from_.number(1) != 0;
		value.dims = take_dims(from_, ir::UNKNOWN);
		value.constant = from_.small();
		if (value.constant < ir::ABSENT ||
		    value.constant >= static_cast<int64_t>(model_.constants.size()))
			from_.fail();
	}
}

std::vector<int32_t> GraphReader::take_indices(bool may_be_absent)
{
	std::vector<int32_t> values(from_.count(4, ir::MOST_OPERANDS));
	for (int32_t &value : values) {
		value = from_.small();
		if (value < (may_be_absent ? ir::ABSENT : 0) ||
		    value >= static_cast<int64_t>(model_.values.size()))
			from_.fail();
	}
	return from_.is_good() ? values : std::vector<int32_t>();
}

void GraphReader::take_attribute(ir::Attribute &attribute)
{
	using Kind = ir::Attribute::Kind;
	attribute.name = from_.text();
	const uint64_t kind = from_.number(1);
	if (kind > static_cast<uint64_t>(Kind::BODY))
		from_.fail();
	attribute.kind = static_cast<Kind>(kind);
	attribute.is_list = from_.number(1) != 0;
	attribute.index = from_.small();
	attribute.integers = take_numbers(from_);
	attribute.reals.resize(from_.count(4, ir::MOST_VALUES));
	for (float &real : attribute.reals) {
		const auto bits = static_cast<uint32_t>(from_.number(4));
		std::memcpy(&real, &bits, sizeof(real));
	}
	attribute.texts.resize(from_.count(4, ir::MOST_VALUES));
	for (std::string &text : attribute.texts)
		text = from_.text();
	const size_t most = attribute.kind == Kind::CONSTANT ? model_.constants.size()
			    : attribute.kind == Kind::BODY   ? model_.bodies.size()
							     : 0;
	if (attribute.index < ir::ABSENT || attribute.index >= static_cast<int64_t>(most) ||
	    (most > 0 && attribute.index == ir::ABSENT))
		from_.fail();
}

void GraphReader::take_node(ir::Node &node)
{
	node.type = from_.text();
	node.domain = from_.text();
	node.name = from_.text();
	node.version = from_.small();
	node.inputs = take_indices(true);
	node.outputs = take_indices(true);
	node.attributes.resize(from_.count(22, ir::MOST_OPERANDS));
	for (ir::Attribute &attribute : node.attributes)
		take_attribute(attribute);
	if (++nodes_ > ir::MOST_NODES)
		from_.fail();
}

void GraphReader::take_bodies()
{
	model_.bodies.resize(from_.count(12, ir::MOST_NODES));
	for (ir::Body &body : model_.bodies) {
		body.inputs = take_indices(false);
		body.outputs = take_indices(false);
		body.nodes.resize(from_.count(28, ir::MOST_NODES));
		for (ir::Node &node : body.nodes)
			take_node(node);
	}
}

/* What a body reads was written before, and each value is written once. */
bool GraphReader::check_body(int32_t index, std::vector<bool> &is_written, unsigned depth)
{
	const auto write = [&](int32_t value) {
		if (value == ir::ABSENT)
			return true;
		const bool is_new = !is_written[static_cast<size_t>(value)];
		is_written[static_cast<size_t>(value)] = true;
		return is_new;
	};
	const ir::Body &body = model_.bodies[static_cast<size_t>(index)];
	if (depth > ir::MOST_NESTED || has_body_[static_cast<size_t>(index)])
		return false;
	has_body_[static_cast<size_t>(index)] = true;
	for (const int32_t value : body.inputs)
		if (!write(value))
			return false;
	for (const ir::Node &node : body.nodes) {
		for (const int32_t value : node.inputs)
			if (value != ir::ABSENT && !is_written[static_cast<size_t>(value)])
				return false;
		for (const ir::Attribute &attribute : node.attributes)
			if (attribute.kind == ir::Attribute::Kind::BODY &&
			    !check_body(attribute.index, is_written, depth + 1))
				return false;
		for (const int32_t value : node.outputs)
			if (!write(value))
				return false;
	}
	return std::all_of(body.outputs.begin(), body.outputs.end(),
			   [&](int32_t value) { return is_written[static_cast<size_t>(value)]; });
}

bool GraphReader::check_order()
{
	std::vector<bool> is_written(model_.values.size());
	has_body_.assign(model_.bodies.size(), false);
	for (size_t v = 0; v < model_.values.size(); v++)
		is_written[v] = model_.values[v].constant != ir::ABSENT;
	return check_body(0, is_written, 0);
}

/* The face names the inputs and outputs that the model has. */
bool fits(const Face &face, const ir::Model &model)
{
	const ir::Body &body = model.bodies[0];
	if (face.inputs.size() != body.inputs.size() ||
	    face.outputs.size() != body.outputs.size() ||
	    model.output_names.size() > body.outputs.size())
		return false;
	for (size_t i = 0; i < body.inputs.size(); i++) {
		const ir::Value &value = model.values[static_cast<size_t>(body.inputs[i])];
		if (value.type != face.inputs[i].type || value.type == ir::Type::STRING ||
		    value.constant != ir::ABSENT)
			return false;
	}
	return true;
}

} // namespace

bool read_face(std::string_view bytes, uint64_t file_bytes, Face &face, Problems &problems)
{
	File file;
	std::string_view section;
	if (!file.open(bytes, file_bytes, problems) || !file.bytes_of(FACE, section, problems))
		return false;
	return take_face(section, face) || refuse(problems, "its face is no face");
}

std::unique_ptr<ir::Model> read(std::string_view bytes, std::shared_ptr<const void> owner,
				Face &face, Problems &problems)
{
	File file;
	std::string_view graph, weights, head;
	auto model = std::make_unique<ir::Model>();
	if (!file.open(bytes, bytes.size(), problems) || !file.bytes_of(FACE, head, problems) ||
	    !file.bytes_of(GRAPH, graph, problems) || !file.bytes_of(WEIGHTS, weights, problems))
		return nullptr;
	if (!take_face(head, face) || !GraphReader(graph, weights, *model).run() ||
	    !fits(face, *model)) {
		refuse(problems, "its sections do not say what a model computes");
		return nullptr;
	}
	if (owner)
		model->kept.push_back(std::move(owner));
	return model;
}

bool read_notes(std::string_view bytes, Notes &notes, Problems &problems)
{
	File file;
	std::string_view section;
	if (!file.open(bytes, bytes.size(), problems) || !file.bytes_of(NOTES, section, problems))
		return false;
	Cursor from(section);
	notes.command = from.text();
	notes.version = from.text();
	notes.producer = from.text();
	return from.is_good() || refuse(problems, "its notes are no notes");
}

} // namespace models::om
