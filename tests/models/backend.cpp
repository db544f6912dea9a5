// SPDX-License-Identifier: MIT
/*
 * DOC: Backend tests of the ONNX project
 *
 * backend FOLDER...: compiles the model of each folder, writes it to a file of ours, reads that, runs it with the
 * inputs of the folder, and compares with its outputs. A line for each folder says "passed", "refused" or "failed",
 * its name, and why. An input that decides about a shape becomes a constant with the value that the folder has for
 * it.
 */
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <unistd.h>

#include "model_runner.h"
#include "models/compile.h"
#include "models/inference/numbers.h"
#include "models/passes/import.h"

namespace {

namespace fs = std::filesystem;
using namespace models;

/* struct Values - the tensors of a folder; texts are kept with the file that they are views of. */
struct Values {
	std::vector<std::shared_ptr<const MappedFile>> files;
	std::vector<onnx::File> keepers;
	std::vector<onnx::Tensor> tensors;
};

bool read_values(const fs::path &folder, const char *kind, Values &values, std::string &why)
{
	for (unsigned i = 0;; i++) {
		const fs::path path =
			folder / (std::string(kind) + "_" + std::to_string(i) + ".pb");
		if (!fs::exists(path))
			return true;
		Problems problems;
		/* A tensor without a name, a type and elements is a file without bytes. */
		if (fs::file_size(path) == 0) {
			values.tensors.emplace_back();
			continue;
		}
		auto file = MappedFile::open(path, problems);
		if (!file)
			return false;
		values.files.push_back(file);
		values.keepers.emplace_back();
		if (!onnx::read_tensor(file->bytes(), values.keepers.back(),
				       values.tensors.emplace_back(), problems)) {
			why = "its values are no tensors";
			return false;
		}
	}
}

/* What numpy has no type for stands in the files as UINT16. */
ir::Constant as_type(ir::Constant constant, ir::Type type)
{
	if (constant.type == ir::Type::UINT16 && type == ir::Type::BFLOAT16)
		constant.type = type;
	return constant;
}

ir::Constant constant_of(const onnx::Tensor &tensor)
{
	const ir::TypeRow *row = ir::find_type(tensor.type);
	return {row ? row->type : ir::Type::NONE, ir::Dims(tensor.dims), tensor.bytes};
}

/* fix() - the input @name with the elements that the folder has for it. */
bool fix(ir::Model &model, const std::string &name, const ir::Constant &constant)
{
	std::vector<int32_t> &inputs = model.bodies[0].inputs;
	for (size_t i = 0; i < inputs.size(); i++) {
		ir::Value &value = model.values[static_cast<size_t>(inputs[i])];
		if (value.name != name)
			continue;
		value.constant = model.add_constant(constant.type, constant.dims,
						    std::string(constant.bytes));
		value.dims = constant.dims;
		value.has_dims = true;
		inputs.erase(inputs.begin() + static_cast<std::ptrdiff_t>(i));
		return true;
	}
	return false;
}

/* fixed_by() - the input that a problem asks to be fixed; "" where none does. */
std::string fixed_by(const Problems &problems)
{
	constexpr std::string_view OPTION = "--fix_input=\"";
	for (const Problem &problem : problems.list()) {
		const size_t at = problem.text.find(OPTION);
		if (at == std::string::npos)
			continue;
		const size_t begin = at + OPTION.size();
		return problem.text.substr(begin, problem.text.find(':', begin) - begin);
	}
	return "";
}

/* as_model_says() - a file may have fewer elements than the model, where only the type of an input counts. */
std::string as_model_says(const ir::Value &value, const ir::Constant &constant, InputShape &shape)
{
	if (!value.has_dims || !value.dims.is_known() || value.dims.rank() == constant.dims.rank())
		return std::string(constant.bytes);
	shape.dims.clear();
	for (const int64_t size : value.dims)
		shape.dims.push_back({size, size});
	return std::string(
		static_cast<size_t>(*ir::count(value.dims) * ir::type_bytes(constant.type)), '\0');
}

struct Test {
	std::unique_ptr<ir::Model> model;
	om::Face face;
	std::vector<std::string> inputs; /* that the model still has */
	size_t fixed = 0;
};

/* compile_test() - Return: false with @why set where it is refused */
bool compile_test(const fs::path &folder, const Values &given, Test &test, std::string &why)
{
	std::vector<std::string> fixed;
	while (true) {
		Problems problems;
		test.model = import_onnx_file(folder / "model.onnx", problems);
		if (!test.model) {
			why = problems.list()[0].text;
			return false;
		}
		const std::vector<int32_t> inputs = test.model->bodies[0].inputs;
		CompileOptions options;
		test.inputs.clear();
		for (size_t i = 0; i < inputs.size() && i < given.tensors.size(); i++) {
			const std::string name =
				test.model->values[static_cast<size_t>(inputs[i])].name;
			const ir::Constant constant = constant_of(given.tensors[i]);
			if (std::find(fixed.begin(), fixed.end(), name) != fixed.end()) {
				fix(*test.model, name, constant);
				continue;
			}
			InputShape shape{name, {}};
			for (const int64_t size : constant.dims)
				shape.dims.push_back({size, size});
			test.inputs.push_back(
				as_model_says(test.model->values[static_cast<size_t>(inputs[i])],
					      constant, shape));
			options.shapes.push_back(shape);
		}
		test.fixed = fixed.size();
		test.face = {};
		if (compile(options, *test.model, test.face, problems))
			return true;
		const std::string name = fixed_by(problems);
		if (name.empty() || std::find(fixed.begin(), fixed.end(), name) != fixed.end()) {
			why = problems.list()[0].text;
			return false;
		}
		fixed.push_back(name);
	}
}

/* differs() - Return: "", or where the results differ */
std::string differs(const ir::Constant &wanted, const Port &port, const std::string &found)
{
	if (wanted.type != port.type || !(wanted.dims == port.dims))
		return "it is " + std::string(ir::type_name(port.type)) + " " +
		       ir::print(port.dims) + " in place of " + ir::type_name(wanted.type) + " " +
		       ir::print(wanted.dims);
	const Numbers a = decode({port.type, port.dims, found}), b = decode(wanted);
	const bool is_short = wanted.type == ir::Type::FLOAT16 || wanted.type == ir::Type::BFLOAT16;
	const double relative = wanted.type == ir::Type::BFLOAT16 ? 8e-3 : is_short ? 2e-3 : 1e-4;
	const double absolute = is_short ? 1e-4 : 1e-6;
	for (size_t i = 0; i < b.size(); i++) {
		const double x = a.real(i), y = b.real(i);
		const bool is_same =
			x == y || (std::isnan(x) && std::isnan(y)) ||
			(b.is_real() && std::fabs(x - y) <= absolute + relative * std::fabs(y));
		if (!is_same)
			return "element " + std::to_string(i) + " is " + std::to_string(x) +
			       " in place of " + std::to_string(y);
	}
	return "";
}

std::string run_test(Runner &runner, const Test &test, const Values &wanted)
{
	const std::string path = "/tmp/unpu_backend_" + std::to_string(getpid()) + ".om";
	Problems problems;
	if (!om::write(path, test.face, *test.model, {}, problems))
		return problems.list()[0].text;
	auto file = MappedFile::open(path, problems);
	unlink(path.c_str());
	om::Face face;
	std::unique_ptr<ir::Model> model =
		file ? om::read(file->bytes(), file, face, problems) : nullptr;
	if (!model)
		return problems.list()[0].text;
	std::vector<ir::Dims> dims;
	for (const om::Port &port : face.inputs)
		dims.push_back(port.dims);
	Program program;
	if (!instantiate(*model, dims, program, problems))
		return problems.list()[0].text;
	std::vector<std::string> outputs;
	if (std::string why = runner.run(*model, program, test.inputs, outputs); !why.empty())
		return why;
	if (outputs.size() < wanted.tensors.size())
		return "it has fewer results";
	for (size_t i = 0; i < wanted.tensors.size(); i++)
		if (std::string why = differs(
			    as_type(constant_of(wanted.tensors[i]), program.outputs[i].type),
			    program.outputs[i], outputs[i]);
		    !why.empty())
			return "result " + std::to_string(i) + ": " + why;
	return "";
}

void report(const char *what, const fs::path &folder, std::string why)
{
	std::replace(why.begin(), why.end(), '\n', ' ');
	const std::string name =
		folder.parent_path().filename().string() + "/" + folder.filename().string();
	std::printf("%s\t%s\t%s\n", what, name.c_str(), why.c_str());
	std::fflush(stdout);
}

void run_folder(Runner &runner, const fs::path &folder)
{
	Values given, wanted;
	Test test;
	std::string why;
	const fs::path data = folder / "test_data_set_0";
	if (!read_values(data, "input", given, why) || !read_values(data, "output", wanted, why)) {
		report("refused", folder, why);
		return;
	}
	if (!compile_test(folder, given, test, why)) {
		report("refused", folder, why);
		return;
	}
	why = run_test(runner, test, wanted);
	report(why.empty() ? "passed" : "failed", folder,
	       why.empty() && test.fixed > 0 ? "with fixed inputs" : why);
}

} // namespace

int main(int count, char **arguments)
{
	Runner runner;
	for (int i = 1; i < count; i++)
		run_folder(runner, arguments[i]);
	return 0;
}
