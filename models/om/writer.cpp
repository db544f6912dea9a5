// SPDX-License-Identifier: MIT
/*
 * DOC: Writer of our model file
 *
 * Constants are written to the file directly, without a copy in memory. The file gets its name when it is complete.
 */
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unistd.h>

#include "base/os/calls/files.h"
#include "base/os/calls/transfers.h"

#include "format.h"
#include "om.h"

namespace models::om {

namespace {

void put(Writer &to, const ir::Dims &dims)
{
	to.number(dims.rank(), 1);
	for (const int64_t size : dims)
		to.integer(size);
}

void put(Writer &to, const std::vector<int64_t> &numbers)
{
	to.number(numbers.size(), 4);
	for (const int64_t number : numbers)
		to.integer(number);
}

void put(Writer &to, const Port &port)
{
	to.text(port.name);
	to.number(static_cast<uint8_t>(port.type), 1);
	to.number(static_cast<uint8_t>(port.format), 1);
	put(to, port.dims);
	put(to, port.least);
	put(to, port.most);
	to.number(port.bytes);
}

void put(Writer &to, const std::vector<Port> &ports)
{
	to.number(ports.size(), 4);
	for (const Port &port : ports)
		put(to, port);
}

void put(Writer &to, const Images &images)
{
	to.number(images.input, 4);
	to.small(images.steps_input);
	to.number(images.crops, 1);
	to.number(images.pads, 1);
	put(to, images.network);
	uint32_t words[UNPU_AIPP_WORDS];
	std::memcpy(words, &images.steps, sizeof(words));
	for (const uint32_t word : words)
		to.number(word, 4);
}

std::string face_bytes(const Face &face)
{
	Writer to;
	to.text(face.name);
	to.text(face.soc);
	to.number(static_cast<uint8_t>(face.dynamic), 1);
	to.number(face.work_bytes);
	to.number(face.weight_bytes);
	put(to, face.inputs);
	put(to, face.outputs);
	for (const std::vector<Profile> *list : {&face.profiles, &face.choices}) {
		to.number(list->size(), 4);
		for (const Profile &profile : *list)
			put(to, profile);
	}
	/* A model without them has the form that older versions read. */
	if (!face.images.empty())
		to.number(face.images.size(), 4);
	for (const Images &images : face.images)
		put(to, images);
	return to.bytes();
}

void put(Writer &to, const std::vector<int32_t> &values)
{
	to.number(values.size(), 4);
	for (const int32_t value : values)
		to.small(value);
}

void put(Writer &to, const ir::Attribute &attribute)
{
	to.text(attribute.name);
	to.number(static_cast<uint8_t>(attribute.kind), 1);
	to.number(attribute.is_list, 1);
	to.small(attribute.index);
	put(to, attribute.integers);
	to.number(attribute.reals.size(), 4);
	for (const float real : attribute.reals) {
		uint32_t bits;
		std::memcpy(&bits, &real, sizeof(bits));
		to.number(bits, 4);
	}
	to.number(attribute.texts.size(), 4);
	for (const std::string &text : attribute.texts)
		to.text(text);
}

void put(Writer &to, const ir::Node &node)
{
	to.text(node.type);
	to.text(node.domain);
	to.text(node.name);
	to.small(node.version);
	put(to, node.inputs);
	put(to, node.outputs);
	to.number(node.attributes.size(), 4);
	for (const ir::Attribute &attribute : node.attributes)
		put(to, attribute);
}

std::string graph_bytes(const ir::Model &model, const std::vector<uint64_t> &places)
{
	Writer to;
	to.text(model.name);
	to.number(model.constants.size(), 4);
	for (size_t i = 0; i < model.constants.size(); i++) {
		to.number(static_cast<uint8_t>(model.constants[i].type), 1);
		put(to, model.constants[i].dims);
		to.number(places[i]);
	}
	to.number(model.values.size(), 4);
	for (const ir::Value &value : model.values) {
		to.text(value.name);
		to.number(static_cast<uint8_t>(value.type), 1);
		to.number(value.has_dims, 1);
		put(to, value.dims);
		to.small(value.constant);
	}
	to.number(model.bodies.size(), 4);
	for (const ir::Body &body : model.bodies) {
		put(to, body.inputs);
		put(to, body.outputs);
		to.number(body.nodes.size(), 4);
		for (const ir::Node &node : body.nodes)
			put(to, node);
	}
	for (const std::vector<std::string> *names : {&model.output_names, &model.unfused}) {
		/* Older readers know no such passes. */
		if (names == &model.unfused && names->empty())
			continue;
		to.number(names->size(), 4);
		for (const std::string &name : *names)
			to.text(name);
	}
	return to.bytes();
}

std::string notes_bytes(const Notes &notes)
{
	Writer to;
	to.text(notes.command);
	to.text(notes.version);
	to.text(notes.producer);
	return to.bytes();
}

/* class Output - the file that is being written. */
class Output {
public:
	explicit Output(std::string path) : path_(std::move(path)), partial_(path_ + ".partial") {}
	~Output()
	{
		if (descriptor_ >= 0) {
			(void)base::calls::close(descriptor_);
			unlink(partial_.c_str());
		}
	}

	bool open()
	{
		descriptor_ = base::calls::open(partial_.c_str(),
						O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		return descriptor_ >= 0;
	}

	bool write(std::string_view bytes)
	{
		at_ += bytes.size();
		return base::calls::write_all(descriptor_, bytes.data(), bytes.size());
	}

	bool pad(uint64_t to)
	{
		static constexpr char ZEROS[SECTION_ALIGNMENT] = {};
		return write({ZEROS, static_cast<size_t>(to - at_)});
	}

	bool finish()
	{
		const bool is_good = base::calls::close(descriptor_) == 0 &&
				     rename(partial_.c_str(), path_.c_str()) == 0;
		descriptor_ = -1;
		if (!is_good)
			unlink(partial_.c_str());
		return is_good;
	}

private:
	const std::string path_, partial_;
	int descriptor_ = -1;
	uint64_t at_ = 0;
};

uint64_t align(uint64_t offset, uint64_t alignment)
{
	return (offset + alignment - 1) / alignment * alignment;
}

uint32_t weights_checksum(const ir::Model &model, const std::vector<uint64_t> &places)
{
	static constexpr char ZEROS[WEIGHT_ALIGNMENT] = {};
	uint32_t value = 0;
	uint64_t at = 0;
	for (size_t i = 0; i < places.size(); i++) {
		value = checksum({ZEROS, static_cast<size_t>(places[i] - at)}, value);
		value = checksum(model.constants[i].bytes, value);
		at = places[i] + model.constants[i].bytes.size();
	}
	return value;
}

bool write_all(Output &output, std::string_view head, std::span<const Section> sections,
	       std::span<const std::string> texts, const ir::Model &model,
	       const std::vector<uint64_t> &places)
{
	if (!output.open() || !output.write(head))
		return false;
	for (size_t i = 0; i < texts.size(); i++)
		if (!output.pad(sections[i].offset) || !output.write(texts[i]))
			return false;
	if (sections.back().bytes == 0)
		return true;
	const uint64_t begin = sections.back().offset;
	if (!output.pad(begin))
		return false;
	for (size_t i = 0; i < places.size(); i++)
		if (!output.pad(begin + places[i]) || !output.write(model.constants[i].bytes))
			return false;
	return true;
}

} // namespace

std::vector<uint64_t> place_weights(const ir::Model &model, uint64_t &bytes)
{
	std::vector<uint64_t> places;
	bytes = 0;
	for (const ir::Constant &constant : model.constants) {
		bytes = align(bytes, WEIGHT_ALIGNMENT);
		places.push_back(bytes);
		bytes += constant.bytes.size();
	}
	return places;
}

bool write(const std::string &path, const Face &face, const ir::Model &model, const Notes &notes,
	   Problems &problems)
{
	uint64_t weight_bytes;
	const std::vector<uint64_t> places = place_weights(model, weight_bytes);
	const std::string texts[] = {face_bytes(face), graph_bytes(model, places),
				     notes_bytes(notes)};
	constexpr uint32_t KINDS[] = {FACE, GRAPH, NOTES, WEIGHTS};
	Section sections[4] = {};
	Header header = {};
	uint64_t at = sizeof(header) + sizeof(sections);
	for (size_t i = 0; i < 4; i++) {
		sections[i].kind = KINDS[i];
		sections[i].flags = KINDS[i] == NOTES ? 0 : MUST_UNDERSTAND;
		sections[i].offset = align(at, SECTION_ALIGNMENT);
		sections[i].bytes = i < 3 ? texts[i].size() : weight_bytes;
		sections[i].checksum = i < 3 ? checksum(texts[i]) : weights_checksum(model, places);
		at = sections[i].offset + sections[i].bytes;
	}
	if (weight_bytes == 0) /* Nothing is written for it. */
		at = sections[2].offset + sections[2].bytes;
	std::memcpy(header.magic, MAGIC, sizeof(MAGIC));
	header.version = VERSION;
	header.sections = 4;
	header.file_bytes = at;
	if (weight_bytes == 0)
		sections[3].offset = 0;
	std::string head(reinterpret_cast<const char *>(&header), sizeof(header));
	head.append(reinterpret_cast<const char *>(sections), sizeof(sections));
	header.checksum = checksum(head);
	head.replace(0, sizeof(header), reinterpret_cast<const char *>(&header), sizeof(header));
	Output output(path);
	if (!write_all(output, head, sections, texts, model, places) || !output.finish())
		return problems.add(no_file,
				    "file " + path + " can't be written: " + std::strerror(errno));
	return true;
}

} // namespace models::om
