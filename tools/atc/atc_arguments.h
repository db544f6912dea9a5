// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "models/compile.h"

namespace atc {

/* struct Arguments - the command line, as it is written. */
struct Arguments {
	std::string model, weight, output, soc_version, om, json, check_report;
	std::string input_shape, input_shape_range, input_format, output_type, out_nodes;
	std::string input_fp16_nodes, fix_input, dynamic_batch_size, dynamic_image_size,
		dynamic_dims;
	std::string fusion_switch_file;
	std::string insert_op_conf, singleop, log, host_env_os, host_env_cpu;
	int framework = 5;
	int mode = 0;
	std::string command;		 /* the whole line */
	std::vector<std::string> unused; /* options that are known and have no effect */
};

/* parse() - Return: whether the program goes on; if not, @status is what it ends with */
bool parse(int count, char **words, Arguments &arguments, int &status);

/* check_soc() - whether --soc_version makes sense; if not, that is added. */
bool check_soc(const Arguments &arguments, models::Problems &problems);

/* options_of() - Return: whether the texts make sense; all that do not are added */
bool options_of(const Arguments &arguments, models::CompileOptions &options,
		models::Problems &problems);

/* make_folder() - makes the folder of @path, where it is not there. */
bool make_folder(const std::string &path, models::Problems &problems);

} // namespace atc
