// SPDX-License-Identifier: MIT
/*
 * DOC: atc
 *
 * Compiles an ONNX file to a file of ours, with the options and the words of output that scripts for such compilers
 * know.
 */
#include <cstdio>
#include <fstream>
#include <iterator>

#include <nlohmann/json.hpp>

#include "atc_arguments.h"
#include "base/json/controls.h"
#include "models/passes/import.h"
#include "single_ops.h"

namespace {

using namespace atc;
using Json = nlohmann::ordered_json;

#if defined(__aarch64__)
constexpr const char *CPU = "aarch64";
#else
constexpr const char *CPU = "x86_64";
#endif

bool write_text(const std::string &path, const Json &json, models::Problems &problems)
{
	std::ofstream file(path);
	file << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
	file.close();
	return file ? true : problems.add(models::no_file, "file " + path + " can't be written");
}

Json to_json(const models::om::Port &port)
{
	Json json = {{"name", port.name},
		     {"type", models::ir::type_name(port.type)},
		     {"dims", Json::array()},
		     {"bytes", port.bytes}};
	for (const int64_t size : port.dims)
		json["dims"].push_back(size);
	return json;
}

Json to_json(const models::om::Face &face, const models::ir::Model &model)
{
	static constexpr const char *KINDS[] = {"none", "batch", "image size", "dims", "free"};
	Json json = {{"name", face.name},
		     {"soc_version", face.soc},
		     {"dynamic", KINDS[static_cast<size_t>(face.dynamic)]},
		     {"inputs", Json::array()},
		     {"outputs", Json::array()},
		     {"profiles", face.choices},
		     {"work_bytes", face.work_bytes},
		     {"weight_bytes", face.weight_bytes},
		     {"nodes", Json::array()}};
	for (const models::om::Port &port : face.inputs)
		json["inputs"].push_back(to_json(port));
	for (const models::om::Port &port : face.outputs)
		json["outputs"].push_back(to_json(port));
	for (const models::ir::Node &node : model.bodies[0].nodes) {
		Json written = {{"name", node.name}, {"type", node.type}, {"opset", node.version}};
		for (const auto &[key, values] :
		     {std::pair("inputs", &node.inputs), std::pair("outputs", &node.outputs)}) {
			written[key] = Json::array();
			for (const int32_t value : *values)
				written[key].push_back(
					value < 0 ? ""
						  : model.values[static_cast<size_t>(value)].name);
		}
		json["nodes"].push_back(std::move(written));
	}
	return json;
}

void print_port(const char *what, size_t i, const models::om::Port &port)
{
	std::printf("%s %zu: %s, %s %s, %llu bytes\n", what, i,
		    base::without_controls(port.name).c_str(), models::ir::type_name(port.type),
		    models::ir::print(port.dims).c_str(),
		    static_cast<unsigned long long>(port.bytes));
}

void print_face(const models::om::Face &face, const models::om::Notes &notes)
{
	using base::without_controls;
	std::printf("model: %s\nmade by: %s\nversion: %s\n", without_controls(face.name).c_str(),
		    without_controls(notes.command).c_str(),
		    without_controls(notes.version).c_str());
	for (size_t i = 0; i < face.inputs.size(); i++)
		print_port("input", i, face.inputs[i]);
	for (size_t i = 0; i < face.outputs.size(); i++)
		print_port("output", i, face.outputs[i]);
	for (const models::om::Profile &choice : face.choices)
		std::printf("profile: %s\n", models::ir::print(choice).c_str());
	std::printf("work: %llu bytes\nweights: %llu bytes\n",
		    static_cast<unsigned long long>(face.work_bytes),
		    static_cast<unsigned long long>(face.weight_bytes));
}

/* Modes 1 and 6: what a file has. */
bool show(const Arguments &arguments, models::Problems &problems)
{
	if (arguments.om.empty())
		return problems.add("E10004", "modes 1 and 6 need --om, the file that is shown");
	models::om::Face face;
	models::om::Notes notes;
	std::unique_ptr<models::ir::Model> model;
	auto file = models::MappedFile::open(arguments.om, problems);
	if (!file)
		return false;
	/* Mode 1 takes an ONNX file as well. */
	const bool is_ours = file->bytes().substr(0, 6) == "UNPUOM" || arguments.mode == 6 ||
			     file->bytes().substr(0, 4) == "IMOD";
	model = is_ours ? models::om::read(file->bytes(), file, face, problems)
			: models::import_onnx_file(arguments.om, problems);
	if (!model || (is_ours && !models::om::read_notes(file->bytes(), notes, problems)))
		return false;
	if (arguments.mode == 6) {
		print_face(face, notes);
		return true;
	}
	if (arguments.json.empty())
		return problems.add("E10004", "mode 1 needs --json, the file that it writes");
	return write_text(arguments.json, to_json(face, *model), problems);
}

bool check_framework(const Arguments &arguments, models::Problems &problems)
{
	static constexpr const char *MINDSPORE =
		"1 (MindSpore); export it by mindspore.export(..., file_format='ONNX')";
	static constexpr const char *TENSORFLOW =
		"3 (TensorFlow); convert it by python -m tf2onnx.convert --saved-model DIR "
		"--output x.onnx";
	static constexpr const char *WAYS[] = {"0 (Caffe); convert it to ONNX, as by caffe2onnx",
					       MINDSPORE, "2", TENSORFLOW};
	const int number = arguments.framework;
	if (number == 5)
		return true;
	return problems.add(models::bad_option,
			    "--framework is " +
				    (number >= 0 && number < 4 ? std::string(WAYS[number])
							       : std::to_string(number)) +
				    "; only 5 (ONNX) is read");
}

/* --singleop in the place of --model */
bool build_singles(const Arguments &arguments, models::Problems &problems)
{
	bool is_good = true;
	if (!arguments.model.empty())
		is_good = problems.add(models::bad_option,
				       "--singleop and --model exclude each other");
	if (arguments.output.empty() && arguments.mode == 0)
		is_good = problems.add("E10004", "--output is missing: the folder for the results");
	is_good &= check_soc(arguments, problems);
	return is_good && build_single_ops(arguments, problems);
}

/* Mode 0, and mode 3, which writes nothing. */
bool build(const Arguments &arguments, models::Problems &problems)
{
	models::CompileOptions options;
	bool is_good = check_framework(arguments, problems);
	if (arguments.model.empty())
		is_good = problems.add("E10004", "--model is missing: the ONNX file");
	if (arguments.output.empty() && arguments.mode == 0)
		is_good = problems.add("E10004", "--output is missing: where the result goes");
	is_good &= options_of(arguments, options, problems);
	if (!is_good)
		return false;
	std::unique_ptr<models::ir::Model> model =
		models::import_onnx_file(arguments.model, problems);
	models::om::Face face;
	if (!model || !models::compile(options, *model, face, problems))
		return false;
	if (arguments.mode == 3)
		return true;
	std::string path = arguments.output;
	if (face.dynamic == models::om::Dynamic::FREE)
		path += std::string("_linux_") +
			(arguments.host_env_cpu.empty() ? CPU : arguments.host_env_cpu.c_str());
	path += ".om";
	if (!make_folder(path, problems) ||
	    !models::om::write(path, face, *model,
			       {arguments.command, UNPU_VERSION_TEXT, model->producer}, problems))
		return false;
	/* With free dims its name has more than --output. */
	std::printf("The model is in %s\n", base::without_controls(path).c_str());
	return true;
}

void report(const Arguments &arguments, models::Problems &problems)
{
	Json json = {{"result", problems.empty() ? "success" : "failed"},
		     {"problems", Json::array()}};
	for (const models::Problem &problem : problems.list())
		json["problems"].push_back({{"code", problem.code}, {"text", problem.text}});
	const std::string path = !arguments.check_report.empty() ? arguments.check_report
				 : arguments.mode == 3		 ? "check_result.json"
								 : "";
	if (!path.empty())
		(void)write_text(path, json, problems);
}

} // namespace

int main(int count, char **words)
{
	Arguments arguments;
	int status = 0;
	if (!parse(count, words, arguments, status))
		return status;
	std::puts("ATC start working now, please wait for a moment.");
	for (const std::string &name : arguments.unused)
		std::printf("--%s has no effect here\n", name.c_str());
	models::Problems problems;
	if (arguments.mode == 1 || arguments.mode == 6)
		(void)show(arguments, problems);
	else if (arguments.mode == 0 || arguments.mode == 3)
		(void)(arguments.singleop.empty() ? build(arguments, problems)
						  : build_singles(arguments, problems));
	else
		problems.add(models::bad_option, "--mode is " + std::to_string(arguments.mode) +
							 "; allowed are 0, 1, 3 and 6");
	report(arguments, problems);
	for (const std::string &note : problems.notes())
		std::printf("WARNING: %s\n", base::without_controls(note).c_str());
	for (const models::Problem &problem : problems.list())
		std::printf("%s: %s\n", problem.code, base::without_controls(problem.text).c_str());
	std::puts(problems.empty() ? "ATC run success" : "ATC run failed");
	return problems.empty() ? 0 : 1;
}
