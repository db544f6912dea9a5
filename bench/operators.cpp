// SPDX-License-Identifier: MIT
/**
 * DOC: operators
 *
 * The cost of operators, beside other libraries and plain loops that compute the same with as many
 * threads.
 */
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "harness/again.h"
#include "harness/program.h"
#include "operators/operators.h"
#include "operators/tensors.h"
#include "operators/workers.h"

using namespace bench;

namespace {

/* @has_device: it is given a device; else it opens what it needs */
struct Part {
	const char *name;
	void (*measure)(const Effort &effort, Round &round);
	bool has_device;
};

constexpr std::array<Part, 7> PARTS = {{
	{"start", measure_operator_start, false},
	{"phases", measure_phases, true},
	{"decoder", measure_decoder, false},
	{"products", measure_products, true},
	{"elements", measure_elements, true},
	{"rows", measure_rows, true},
	{"windows", measure_windows, true},
}};

struct Command {
	std::string only;
	std::string part; /* of this process */
	bool starts = false;
};

Command command;

/* As medians, on an idle machine with two CPUs. */
std::vector<Floor> floors()
{
	static constexpr const char *NEAR[] = {"product.f32.256x256",
					       "product.f32.1024x1024",
					       "product.f32.4096x4096",
					       "product.f32.1x4096",
					       "product.f32.2x4096",
					       "product.f32.4x4096",
					       "product.f32.8x4096",
					       "product.f16.256x256",
					       "product.f16.1024x1024",
					       "product.f16.4096x4096",
					       "product.f16.1x4096",
					       "product.f16.2x4096",
					       "product.f16.4x4096",
					       "product.f16.8x4096",
					       "product.bf16.256x256",
					       "product.bf16.1024x1024",
					       "product.bf16.4096x4096",
					       "product.bf16.1x4096",
					       "product.bf16.2x4096",
					       "product.bf16.4x4096",
					       "product.bf16.8x4096",
					       "element.add",
					       "element.mul",
					       "element.silu",
					       "element.gelu",
					       "element.narrow",
					       "element.widen",
					       "norm.rms.64",
					       "norm.rms.256",
					       "norm.rms.1024",
					       "norm.rms.4096",
					       "norm.layer.64",
					       "norm.layer.256",
					       "norm.layer.1024",
					       "norm.layer.4096",
					       "norm.group.49"};
	static constexpr const char *EQUAL[] = {"row.softmax.64",	"row.softmax.512",
						"row.softmax.4096",	"row.rotary",
						"row.attention.1x2048", "row.attention.512x512"};
	std::vector<Floor> list;
	for (const char *key : NEAR)
		list.push_back({key, key, Figure::RATIO, true, 0.9});
	for (const char *key : EQUAL)
		list.push_back({key, key, Figure::RATIO, true, 1});
	list.push_back({"call.add", "both phases of a small add", Figure::TIME_NS, false, 250});
	list.push_back({"call.tensor", "a tensor's life", Figure::TIME_NS, false, 40});
	list.push_back(
		{"decoder.captured", "captured step by eager step", Figure::RATIO, true, 1.3});
	list.push_back({"decoder.overhead", "an operator, eager less captured", Figure::TIME_NS,
			false, 500});
	list.push_back(
		{"start.with", "start by start without kernels", Figure::RATIO, false, 1.05});
	return list;
}

std::vector<Round> run_rounds(const Options &options)
{
	std::vector<Round> rounds;
	for (unsigned i = 0; i < options.rounds; i++) {
		Round &round = rounds.emplace_back();
		for (const Part &part : PARTS) {
			if (!command.only.empty() && command.only != part.name)
				continue;
			progress(options, i, part.name);
			const Round part_of = run_again({"--part", part.name}, options.effort);
			round.insert(round.end(), part_of.begin(), part_of.end());
		}
	}
	progress_end();
	return rounds;
}

/* The other half of run_again(). */
int run_part(const Options &options)
{
	if (command.starts)
		return start_program();
	for (const Part &part : PARTS) {
		if (command.part != part.name)
			continue;
		Round round;
		if (part.has_device)
			open_device();
		part.measure(options.effort, round);
		if (part.has_device)
			close_device();
		stop_sharing();
		return answer(round);
	}
	return -1;
}

void extend(CLI::App &app)
{
	std::vector<std::string> names;
	for (const Part &part : PARTS)
		names.emplace_back(part.name);
	app.add_option("--only", command.only, "a part of the rows")->check(CLI::IsMember(names));
	app.add_option("--part", command.part, "measures it in this process")->group("");
	app.add_flag("--start", command.starts, "starts and ends")->group("");
}

} // namespace

int main(int argc, char **argv)
{
	Program program;
	program.name = "operators";
	program.about = "Measures operators beside other libraries and plain loops.";
	program.floors = floors();
	program.rounds = run_rounds;
	program.extend = extend;
	program.instead = run_part;
	return run_program(program, argc, argv);
}
