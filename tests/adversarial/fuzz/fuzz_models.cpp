// SPDX-License-Identifier: MIT
/**
 * DOC: Files of models, fuzzed
 *
 * An input is, behind a byte that says which: an ONNX file, which is compiled with open dims of a size that another
 * byte says; the sections of one of our files, in a frame that is right; a whole file of ours; or the text of an
 * option. Whatever it says, it is compiled, or refused with a sentence.
 */
#include <array>

#include "input.h"
#include "models/om/format.h"
#include "models/option_texts.h"
#include "models/passes/import.h"
#include "models/passes/lower.h"
#include "tests/models/extent.h"
#include "tests/models/proto.h"

using namespace fuzz;

namespace {

using namespace models;

enum What : uint8_t { ONNX, SECTIONS, WHOLE, TEXT, KINDS };

void check(bool is_good, const Problems &problems)
{
	expect(is_good == problems.empty(),
	       "a model was refused without a sentence, or not with one");
}

/* Descriptors name places in their buffers, and these lie in the arena. One that no launch needs has no place. */
void check(const Program &program)
{
	const std::string why = check_extents(program);
	expect(why.empty(), why.c_str());
	for (const Buffer &buffer : program.buffers)
		expect(buffer.space != Space::ARENA ||
			       buffer.offset + buffer.bytes <= program.arena_bytes ||
			       buffer.offset == 0,
		       "a buffer is behind the arena");
	expect(program.arena_bytes >= bound_of(program), "buffers that live at once share memory");
	std::vector<uint32_t> ends; /* of the branches around a choice; the innermost one is last */
	uint32_t before = 0;
	for (const Choice &choice : program.choices) {
		while (!ends.empty() && ends.back() <= choice.first)
			ends.pop_back();
		const uint32_t end =
			ends.empty() ? static_cast<uint32_t>(program.launches.size()) : ends.back();
		expect(before <= choice.first && choice.first <= choice.middle &&
			       choice.middle <= choice.end && choice.first < choice.end &&
			       choice.end <= end && choice.buffer < program.buffers.size() &&
			       program.buffers[choice.buffer].bytes == 8,
		       "a choice has no launches, or not those of its branch");
		before = choice.first;
		ends.push_back(choice.end);
		ends.push_back(choice.middle);
	}
}

void run(const ir::Model &model, std::span<const ir::Dims> dims)
{
	Program program;
	Problems problems;
	const bool is_good = instantiate(model, dims, program, problems);
	check(is_good, problems);
	if (is_good)
		check(program);
}

void run_onnx(std::string_view bytes, int64_t size)
{
	Problems problems;
	const auto model = import_onnx(bytes, nullptr, "/nowhere", problems);
	check(model != nullptr, problems);
	if (!model)
		return;
	CompileOptions options;
	for (const int32_t input : model->bodies[0].inputs) {
		const ir::Value &value = model->values[static_cast<size_t>(input)];
		InputShape shape{value.name, {}};
		for (const int64_t dim : value.dims)
			shape.dims.push_back(dim < 0 ? DimRange{size, size} : DimRange{dim, dim});
		options.shapes.push_back(std::move(shape));
	}
	om::Face face;
	const bool is_good = compile(options, *model, face, problems);
	check(is_good, problems);
	std::vector<ir::Dims> dims;
	for (const om::Port &port : face.inputs)
		dims.push_back(port.dims);
	if (is_good)
		run(*model, dims);
}

void run_om(const std::string &bytes)
{
	om::Face face;
	Problems problems;
	const auto model = om::read(bytes, nullptr, face, problems);
	check(model != nullptr, problems);
	if (!model)
		return;
	om::Notes notes;
	Problems others;
	(void)om::read_notes(bytes, notes, others);
	(void)om::read_face(bytes, bytes.size(), face, others);
	std::vector<ir::Dims> dims;
	for (const om::Port &port : face.inputs) {
		ir::Dims known = port.dims;
		for (unsigned d = 0; d < known.rank(); d++)
			known[d] = std::max<int64_t>(known[d], 0);
		dims.push_back(known);
	}
	run(*model, dims);
}

/* frame() - a file with these sections, and right checksums. */
std::string frame(std::string_view face, std::string_view graph, std::string_view weights)
{
	const std::array<std::string_view, 4> texts = {face, graph, std::string_view(), weights};
	constexpr std::array<uint32_t, 4> KINDS_OF = {om::FACE, om::GRAPH, om::NOTES, om::WEIGHTS};
	om::Header header = {};
	om::Section sections[4] = {};
	std::string bytes(sizeof(header) + sizeof(sections), '\0');
	for (size_t i = 0; i < 4; i++) {
		bytes.resize((bytes.size() + om::SECTION_ALIGNMENT - 1) / om::SECTION_ALIGNMENT *
			     om::SECTION_ALIGNMENT);
		sections[i] = {KINDS_OF[i],	i == 2 ? 0 : om::MUST_UNDERSTAND, bytes.size(),
			       texts[i].size(), om::checksum(texts[i]),		  0};
		bytes.append(texts[i]);
	}
	std::memcpy(header.magic, om::MAGIC, sizeof(om::MAGIC));
	header.version = om::VERSION;
	header.sections = 4;
	header.file_bytes = bytes.size();
	const auto raw = [](const auto &value) {
		return std::string_view(reinterpret_cast<const char *>(&value), sizeof(value));
	};
	header.checksum = om::checksum(raw(sections), om::checksum(raw(header)));
	bytes.replace(0, sizeof(header), raw(header));
	bytes.replace(sizeof(header), sizeof(sections), raw(sections));
	return bytes;
}

std::string take_text(Input &input, size_t bytes)
{
	std::string text(std::min(bytes, input.left()), '\0');
	input.take(text.data(), text.size());
	return text;
}

void run_text(const std::string &text)
{
	Problems problems;
	std::vector<InputShape> shapes;
	std::vector<FixedInput> fixed;
	std::vector<om::Profile> choices;
	om::Format format;
	bool is_good = parse_shapes(text, shapes, problems);
	is_good &= parse_shape_ranges(text, shapes, problems);
	is_good &= parse_fixed(text, fixed, problems);
	is_good &= parse_format(text, format, problems);
	for (const om::Dynamic kind : {om::Dynamic::BATCH, om::Dynamic::IMAGE, om::Dynamic::DIMS})
		is_good &= parse_choices("x", text, kind, choices, problems);
	check(is_good, problems);
}

Seed make_seed(const char *name, uint8_t what, std::string_view text)
{
	Seed seed{name, {}};
	seed.add(what);
	for (const char each : text)
		seed.add(each);
	return seed;
}

} // namespace

std::vector<Seed> fuzz::seeds()
{
	const std::string graph =
		proto::node("Shape", {"x"}, {"s"}) + proto::node("Slice", {"s", "a", "b"}, {"n"}) +
		proto::node("Concat", {"n", "c"}, {"t"}, proto::integer("axis", 0)) +
		proto::node("Reshape", {"x", "t"}, {"r"}) +
		proto::node("Conv", {"r", "r"}, {"v"}, proto::integers("pads", {1, 1, 2, 2})) +
		proto::node("Softmax", {"v"}, {"y"}) + proto::constant("a", {0}) +
		proto::constant("b", {1}) + proto::constant("c", {3, 2, -1}) +
		proto::input("x", 1, {-1, 12}) + proto::output("y", 1, {-1});
	return {make_seed("onnx", ONNX, std::string(1, '\3') + proto::model(graph)),
		make_seed("text", TEXT, "a:1,3,224,224;b:1~8,-1;c:")};
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	Input input(data, bytes);
	switch (input.take<uint8_t>() % KINDS) {
	case ONNX: {
		const auto size = static_cast<int64_t>(input.take<uint8_t>());
		run_onnx(take_text(input, SIZE_MAX), size);
		break;
	}
	case SECTIONS: {
		const std::string face = take_text(input, input.take<uint16_t>());
		const std::string graph = take_text(input, input.take<uint16_t>());
		run_om(frame(face, graph, take_text(input, SIZE_MAX)));
		break;
	}
	case WHOLE:
		run_om(take_text(input, SIZE_MAX));
		break;
	case TEXT:
		run_text(take_text(input, SIZE_MAX));
		break;
	}
	return 0;
}
