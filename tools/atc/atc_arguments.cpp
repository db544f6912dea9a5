// SPDX-License-Identifier: MIT
/*
 * DOC: Command line of atc
 *
 * Scripts write options with one dash or two, with "=" or a blank. Options that other compilers have and that change
 * nothing here are taken, and named once.
 */
#include "atc_arguments.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "models/option_texts.h"
#include "models/passes/fuse.h"

namespace atc {

namespace {

constexpr const char *WITHOUT_EFFECT[] = {"enable_small_channel",
					  "op_select_implmode",
					  "optypelist_for_implmode",
					  "precision_mode",
					  "precision_mode_v2",
					  "op_precision_mode",
					  "save_original_model",
					  "buffer_optimize",
					  "auto_tune_mode",
					  "keep_dtype",
					  "customize_dtypes",
					  "modify_mixlist",
					  "disable_reuse_memory",
					  "op_debug_level",
					  "debug_dir",
					  "op_compiler_cache_dir",
					  "op_compiler_cache_mode",
					  "deterministic",
					  "aicore_num",
					  "core_type",
					  "virtual_type",
					  "tiling_schedule_optimize",
					  "input_hint_shape",
					  "display_model_info",
					  "compression_optimize_conf",
					  "external_weight",
					  "op_bank_path",
					  "mdl_bank_path",
					  "optypelist_for_implmode_v2",
					  "is_output_fp16",
					  "op_name_map",
					  "distributed_cluster_build",
					  "shape_generalized_build_mode",
					  "status_check",
					  "enable_compress_weight",
					  "compress_weight_conf",
					  "enable_single_stream",
					  "ac_parallel_enable",
					  "quant_dumpable",
					  "jit_compile",
					  "enable_scope_fusion_passes"};

constexpr const char *REFUSED[] = {"is_input_adjust_hw_layout", "is_output_adjust_hw_layout"};

void add_options(CLI::App &app, Arguments &to)
{
	const auto add = [&app](const char *name, std::string &value, const char *text) {
		app.add_option(std::string("--") + name, value, text);
	};
	add("model", to.model, "The ONNX file");
	add("output", to.output, "Path and name of the result, without .om");
	app.add_option("--framework", to.framework, "5: ONNX, the only one that is read");
	add("soc_version", to.soc_version, "A name that begins with Ascend; it has no effect");
	add("input_shape", to.input_shape, "name:1,3,224,224;name:1~8,-1");
	add("input_shape_range", to.input_shape_range, "name:[1,3~8,-1], an older way to write it");
	add("input_format", to.input_format, "NCHW, NHWC, ND, NCDHW or NDHWC");
	add("dynamic_batch_size", to.dynamic_batch_size, "Profiles of the first dim: 1,2,4");
	add("dynamic_image_size", to.dynamic_image_size, "Profiles of images: 224,224;448,448");
	add("dynamic_dims", to.dynamic_dims, "Profiles of all dims of -1: 1,128;8,64");
	add("out_nodes", to.out_nodes, "node:0;node:1, or names of outputs");
	add("output_type", to.output_type, "FP32, FP16, UINT8, INT8, or node:0:FP16");
	add("input_fp16_nodes", to.input_fp16_nodes, "Inputs that programs give as FLOAT16: a;b");
	add("fix_input", to.fix_input, "Inputs that become constants: sr:16000;shape:1,2");
	add("fusion_switch_file", to.fusion_switch_file,
	    "JSON that switches passes off: {\"Switch\": {\"GraphFusion\": {\"gelu\": \"off\"}}}");
	app.add_option("--mode", to.mode,
		       "0: compile, 1: write what a model has as JSON, 3: check only, 6: print "
		       "what a file of ours has");
	add("om", to.om, "The file of modes 1 and 6");
	add("json", to.json, "What mode 1 writes");
	add("check_report", to.check_report, "What can't be compiled, as JSON");
	add("log", to.log, "debug, info, warning, error or null; it has no effect");
	add("insert_op_conf", to.insert_op_conf, "Preprocessing of images (AIPP): a file of text");
	add("singleop", to.singleop, "Single operators in the place of a model: a JSON file");
	add("weight", to.weight, "Of Caffe models, which are not read");
	add("host_env_os", to.host_env_os, "linux; it has no effect");
	add("host_env_cpu", to.host_env_cpu,
	    "x86_64 or aarch64: a part of the name of a file with free dims");
}

/* Scripts were written for options with one dash as well. */
std::vector<std::string> words_of(int count, char **words)
{
	std::vector<std::string> all;
	for (int i = 1; i < count; i++) {
		std::string word = words[i];
		if (word.size() > 2 && word[0] == '-' && word[1] >= 'a' && word[1] <= 'z')
			word.insert(0, "-");
		all.push_back(std::move(word));
	}
	std::reverse(all.begin(), all.end());
	return all;
}

bool allows_log(const Arguments &arguments, models::Problems &problems)
{
	static constexpr const char *LEVELS[] = {"", "debug", "info", "warning", "error", "null"};
	return std::ranges::any_of(LEVELS,
				   [&](const char *level) { return arguments.log == level; }) ||
	       problems.add(models::bad_option,
			    "--log is " + arguments.log +
				    "; allowed are debug, info, warning, error and null");
}

bool take_profiles(const char *option, const std::string &text, models::om::Dynamic dynamic,
		   models::CompileOptions &options, models::Problems &problems)
{
	if (text.empty())
		return true;
	if (options.dynamic != models::om::Dynamic::NONE)
		return problems.add("E10009", "--dynamic_batch_size, --dynamic_image_size and "
					      "--dynamic_dims exclude each other");
	options.dynamic = dynamic;
	return models::parse_choices(option, text, dynamic, options.choices, problems);
}

/* The groups of a file have names of the vendor's passes as well, which change nothing here. ALL is each pass. */
bool take_switches(const std::string &path, std::vector<std::string> &unfused,
		   models::Problems &problems)
{
	if (path.empty())
		return true;
	std::ifstream file(path);
	const auto json = nlohmann::json::parse(file, nullptr, false);
	if (!json.is_object() || !json.contains("Switch") || !json["Switch"].is_object())
		return problems.add(models::bad_option,
				    "--fusion_switch_file is " + path +
					    "; it needs an object Switch in JSON");
	for (const auto &group : json["Switch"])
		for (const std::string &name : models::fusion_names())
			for (const std::string &key : {name, std::string("ALL")})
				if (group.is_object() && group.value(key, "on") == "off")
					unfused.push_back(name);
	return true;
}

} // namespace

bool parse(int count, char **words, Arguments &arguments, int &status)
{
	CLI::App app("Compiles an ONNX model to a file that aclmdlLoadFromFile() is meant for.",
		     "atc");
	add_options(app, arguments);
	std::map<std::string, std::string> ignored;
	for (const char *name : WITHOUT_EFFECT)
		app.add_option(std::string("--") + name, ignored[name], "It has no effect")
			->group("");
	for (const char *name : REFUSED)
		app.add_option(std::string("--") + name, ignored[name], "Not supported")->group("");
	app.footer("Prints \"ATC run success\" and ends with 0, or prints \"ATC run failed\" and "
		   "why, and "
		   "ends with 1.");
	if (count == 1) {
		std::fputs(app.help().c_str(), stdout);
		status = 0;
		return false;
	}
	try {
		app.parse(words_of(count, words));
	} catch (const CLI::ParseError &error) {
		if (error.get_exit_code() == 0) {
			status = app.exit(error);
		} else {
			std::printf("E10001: %s; --help lists the options\nATC run failed\n",
				    error.what());
			status = 1;
		}
		return false;
	}
	for (const auto &[name, value] : ignored)
		if (!value.empty())
			arguments.unused.push_back(name);
	for (int i = 0; i < count; i++)
		arguments.command += (i ? " " : "") + std::string(words[i]);
	return true;
}

bool check_soc(const Arguments &arguments, models::Problems &problems)
{
	if (arguments.soc_version.rfind("Ascend", 0) == 0)
		return true;
	return problems.add(models::bad_option,
			    "--soc_version is \"" + arguments.soc_version +
				    "\"; it must begin with Ascend, as Ascend310P3");
}

bool options_of(const Arguments &from, models::CompileOptions &options, models::Problems &problems)
{
	using models::om::Dynamic;
	const bool has_good_soc = check_soc(from, problems);
	bool is_good = allows_log(from, problems) && has_good_soc;
	for (const std::string &name : from.unused)
		for (const char *refused : REFUSED)
			if (name == refused)
				is_good = problems.add(models::bad_option,
						       "--" + name +
							       " is not supported; take it out");
	if (!from.insert_op_conf.empty()) {
		const auto file = models::MappedFile::open(from.insert_op_conf, problems);
		is_good &= file && models::parse_aipp(file->bytes(), options.aipp, problems);
	}
	if (!from.input_format.empty())
		is_good &= models::parse_format(from.input_format, options.format, problems);
	is_good &= models::parse_shapes(from.input_shape, options.shapes, problems);
	is_good &= models::parse_shape_ranges(from.input_shape_range, options.shapes, problems);
	is_good &= models::parse_fixed(from.fix_input, options.fixed, problems);
	is_good &= take_profiles("dynamic_batch_size", from.dynamic_batch_size, Dynamic::BATCH,
				 options, problems);
	is_good &= take_profiles("dynamic_image_size", from.dynamic_image_size, Dynamic::IMAGE,
				 options, problems);
	is_good &=
		take_profiles("dynamic_dims", from.dynamic_dims, Dynamic::DIMS, options, problems);
	is_good &= take_switches(from.fusion_switch_file, options.unfused, problems);
	options.soc = from.soc_version;
	options.out_nodes = models::split(from.out_nodes, ';');
	options.half_inputs = models::split(from.input_fp16_nodes, ';');
	options.output_type = from.output_type;
	const size_t slash = from.output.rfind('/');
	options.name = slash == std::string::npos ? from.output : from.output.substr(slash + 1);
	if (options.name.empty() && !from.output.empty())
		is_good = problems.add(models::bad_option,
				       "--output is " + from.output +
					       "; it needs the name of a file behind the folder");
	return is_good;
}

bool make_folder(const std::string &path, models::Problems &problems)
{
	const std::filesystem::path folder = std::filesystem::path(path).parent_path();
	std::error_code error;
	if (!folder.empty())
		std::filesystem::create_directories(folder, error);
	return !error ||
	       problems.add(models::bad_option, "--output: the folder " + folder.string() +
							" can't be made: " + error.message());
}

} // namespace atc
