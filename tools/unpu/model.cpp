// SPDX-License-Identifier: MIT
/**
 * DOC: unpu model
 *
 * A file of a model may be anyone's. Its reader checks it; what it calls things is text, of which a terminal must obey
 * nothing.
 */
#include <algorithm>
#include <fstream>
#include <map>

#include "base/json/controls.h"
#include "commands.h"
#include "common/devices.h"
#include "common/tool.h"
#include "model_picture.h"
#include "models/compile.h"
#include "models/passes/import.h"
#include "models/passes/lower.h"

namespace unpu_command {

namespace {

using base::without_controls;

/* struct File - a file of atc. */
struct File {
	models::om::Face face;
	models::om::Notes notes;
	std::unique_ptr<models::ir::Model> model;
};

int refuse(const models::Problems &problems)
{
	for (const models::Problem &problem : problems.list())
		tool::complain(NAME,
			       fmt::format("{}: {}", problem.code, without_controls(problem.text)),
			       tool::EXIT_USAGE);
	return tool::EXIT_USAGE;
}

/* read() - of an ONNX file there are no sizes and no notes yet. */
bool read(const std::string &path, File &file, models::Problems &problems)
{
	auto mapped = models::MappedFile::open(path, problems);
	if (!mapped)
		return false;
	const std::string_view magic = mapped->bytes().substr(0, 6);
	if (magic == "UNPUOM" || magic.starts_with("IMOD")) {
		file.model = models::om::read(mapped->bytes(), mapped, file.face, problems);
		return file.model && models::om::read_notes(mapped->bytes(), file.notes, problems);
	}
	file.model = models::import_onnx_file(path, problems);
	if (!file.model)
		return false;
	file.notes.command = "not compiled yet";
	file.face.name = file.model->name;
	(void)models::om::place_weights(*file.model, file.face.weight_bytes);
	return true;
}

/* find_shapes() - of the inputs: open dims have what the user says, or what the last profile has, or 32.
 * Return: false, with the problem added, where the user says more. */
bool find_shapes(const ModelWishes &wishes, const File &file,
		 std::vector<models::Binding> &bindings, models::Problems &problems)
{
	constexpr int64_t USUAL = 32;
	const std::vector<models::om::Profile> &profiles = file.face.profiles;
	size_t open = 0, place = 0;
	for (const int32_t input : file.model->bodies[0].inputs) {
		models::ir::Dims dims = file.model->values[static_cast<size_t>(input)].dims;
		/* A file may have other dims for its inputs than in its profiles. */
		for (unsigned d = 0; d < dims.rank(); d++, place++) {
			if (dims[d] >= 0)
				continue;
			dims[d] = open < wishes.dims.size() ? wishes.dims[open]
				  : !profiles.empty() && place < profiles.back().size()
					  ? profiles.back()[place]
					  : USUAL;
			open++;
		}
		bindings.push_back({dims, nullptr});
	}
	return wishes.dims.size() <= open ||
	       problems.add(models::bad_option,
			    fmt::format("--dims has {} sizes; the inputs have {} open dims",
					wishes.dims.size(), open));
}

void print_ports(const char *what, const std::vector<models::Port> &ports)
{
	for (size_t i = 0; i < ports.size(); i++)
		fmt::print("{} {}: {}, {} {}, {}\n", what, i, without_controls(ports[i].name),
			   models::ir::type_name(ports[i].type), models::ir::print(ports[i].dims),
			   tool::amount(ports[i].bytes));
}

uint64_t sum_of(const std::vector<models::Port> &ports)
{
	uint64_t bytes = 0;
	for (const models::Port &port : ports)
		bytes += port.bytes;
	return bytes;
}

/* The nodes of all bodies, by type. */
std::map<std::string, size_t> types_of(const models::ir::Model &model)
{
	std::map<std::string, size_t> types;
	for (const models::ir::Body &body : model.bodies)
		for (const models::ir::Node &node : body.nodes)
			types[node.domain.empty() ? node.type : node.domain + "." + node.type]++;
	return types;
}

/* The launches of a program, by the type of their node, which is the first word of its description. */
std::map<std::string, size_t> types_of(const models::Program &program)
{
	std::map<std::string, size_t> types;
	for (const models::Launch &launch : program.launches) {
		const std::string &node = program.nodes[launch.node];
		types[node.starts_with("the result ") ? "copies of results"
						      : node.substr(0, node.find(' '))]++;
	}
	return types;
}

void print_types(const char *what, const std::map<std::string, size_t> &types)
{
	size_t all = 0;
	std::string list;
	for (const auto &[type, count] : types) {
		all += count;
		list += fmt::format("  {:>7} {}\n", count, without_controls(type));
	}
	fmt::print("{}: {}\n{}", what, all, list);
}

void print_nodes(const models::ir::Model &model, const models::Program &program)
{
	fmt::print("nodes of the file:\n");
	for (const models::ir::Body &body : model.bodies)
		for (const models::ir::Node &node : body.nodes)
			fmt::print("  {}\n", without_controls(models::ir::describe(node)));
	fmt::print("launches:\n");
	for (const models::Launch &launch : program.launches)
		fmt::print("  {}\n", without_controls(program.nodes[launch.node]));
}

bool write_picture(const std::string &path, const std::string &text)
{
	std::ofstream file(path, std::ios::binary);
	file << text;
	file.close();
	return static_cast<bool>(file);
}

void print_passes(const File &file, const models::Program &program, const models::Passed &passed)
{
	size_t written = 0;
	for (const models::ir::Body &body : file.model->bodies)
		written += body.nodes.size();
	fmt::print("passes:\n"
		   "  shapes and fusion: of {} nodes, {} run, turns of loops included; the others "
		   "follow from shapes and constants, or are parts of these\n"
		   "  lowering: {} of these are views; the others are {} launches\n"
		   "  dead launches: {} that nobody reads are gone\n"
		   "  memory: {} for numbers on the way, {} live at once at the worst moment\n"
		   "  moved: {} by the operands of all launches\n",
		   written, passed.left, passed.views, passed.launches,
		   passed.launches - passed.live, tool::amount(program.arena_bytes),
		   tool::amount(passed.bound), tool::amount(passed.moved));
}

} // namespace

int show_model(const ModelWishes &wishes)
{
	File file;
	models::Problems problems;
	models::Program program;
	models::Passed passed;
	std::vector<models::Binding> bindings;
	if (!read(wishes.file, file, problems) || !find_shapes(wishes, file, bindings, problems) ||
	    !models::make_program(*file.model, bindings, program, problems, &passed))
		return refuse(problems);
	fmt::print("model: {}\nmade by: {}\nversion: {}\n", without_controls(file.face.name),
		   without_controls(file.notes.command), without_controls(file.notes.version));
	print_ports("input", program.inputs);
	print_ports("output", program.outputs);
	fmt::print("weights: {}\nworkspace: {}\ninputs: {}\noutputs: {}\n",
		   tool::amount(file.face.weight_bytes),
		   tool::amount(program.arena_bytes + program.own.size()),
		   tool::amount(sum_of(program.inputs)), tool::amount(sum_of(program.outputs)));
	print_types("nodes of the file", types_of(*file.model));
	print_types("launches", types_of(program));
	print_passes(file, program, passed);
	if (wishes.has_nodes)
		print_nodes(*file.model, program);
	if (!wishes.picture.empty() &&
	    !write_picture(wishes.picture, draw_program(file.face.name, program)))
		return tool::complain(NAME, fmt::format("{} can't be written", wishes.picture),
				      tool::EXIT_USAGE);
	return tool::EXIT_SHOWN;
}

int explain_model(const ModelWishes &wishes)
{
	File file;
	models::Problems problems;
	models::Program program;
	models::Passed passed;
	std::vector<models::Binding> bindings;
	if (!read(wishes.file, file, problems) || !find_shapes(wishes, file, bindings, problems) ||
	    !models::make_program(*file.model, bindings, program, problems, &passed))
		return refuse(problems);
	const std::vector<std::string> &off = file.model->unfused;
	for (const std::string &name : models::fusion_names()) {
		size_t fused = 0, all = 0;
		std::string list;
		for (const models::Fusion &each : passed.fusions) {
			if (each.pass != name)
				continue;
			all++;
			fused += each.why.empty();
			if (!each.why.empty())
				list += fmt::format("  {}: {}\n", without_controls(each.node),
						    each.why);
		}
		const bool is_off = std::find(off.begin(), off.end(), name) != off.end();
		fmt::print("{}: {}\n{}", name,
			   is_off ? "switched off" : fmt::format("{} of {} places", fused, all),
			   list);
	}
	return tool::EXIT_SHOWN;
}

} // namespace unpu_command
