// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "models/ir/ir_model.h"
#include "models/lower/launch_list.h"

/* class Runner - runs programs of models on the device of UNPU_DEVICE: all launches of one are a graph. */
class Runner {
public:
	Runner();
	~Runner();
	Runner(const Runner &) = delete;
	Runner &operator=(const Runner &) = delete;

	/*
	 * run() - one execution.
	 * @inputs: the elements of each input of the program, dense
	 * @outputs: receives those of each output
	 * Return: "", or what failed
	 */
	std::string run(const models::ir::Model &model, const models::Program &program,
			const std::vector<std::string> &inputs, std::vector<std::string> &outputs);

private:
	void *stream_ = nullptr;
};
