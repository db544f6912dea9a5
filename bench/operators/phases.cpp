// SPDX-License-Identifier: MIT
/**
 * DOC: What an operator costs the program
 *
 * The two phases of a small addition, a tensor's life, and the start of a program. A program without operators is
 * timed with the library of kernels beside it and without one: it loads none.
 */
#include <aclnnop/aclnn_add.h>
#include <aclnnop/aclnn_softmax.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include <dlfcn.h>

#include "base/clock.h"
#include "harness/again.h"
#include "operators.h"
#include "tensors.h"

namespace bench {

namespace {

/* Fewer than a ring holds. */
constexpr unsigned CALLS = 200;

void add_row(Round &round, const char *key, const char *title, Summary summary,
	     const char *base = "")
{
	round.push_back({key, title, std::move(summary), base});
}

} // namespace

void measure_phases(const Effort &effort, Round &round)
{
	const Operand a(ACL_FLOAT, {16}), b(ACL_FLOAT, {16}), c(ACL_FLOAT, {16});
	float one = 1;
	aclScalar *alpha = aclCreateScalar(&one, ACL_FLOAT);
	const auto drain = [] { CHECK(aclrtSynchronizeStream(operator_stream())); };
	const Plan plan{CALLS, effort.scaled(200), CALLS, 0};
	add_row(round, "call.tensor", "a tensor's life", measure(plan, [&] {
			static constexpr int64_t dims[] = {16};
			CHECK(aclDestroyTensor(aclCreateTensor(dims, 1, ACL_FLOAT, nullptr, 0,
							       ACL_FORMAT_ND, dims, 1,
							       a.memory())));
		}));
	add_row(round, "call.add", "both phases of a small add",
		measure(
			plan, [&] { CALL(Add, a, b, alpha, c); }, drain));
	const Plan half{CALLS / 2, effort.scaled(200), CALLS / 2, 0};
	add_row(round, "call.softmax", "both phases of a small softmax",
		measure(
			half, [&] { CALL(Softmax, a, 0, c); }, drain));
	CHECK(aclDestroyScalar(alpha));
}

int start_program()
{
	open_device();
	close_device();
	return 0;
}

namespace {

namespace files = std::filesystem;

/* A folder with links to the libraries of this program but the one of the kernels. */
files::path make_folder()
{
	Dl_info info;
	check(dladdr(reinterpret_cast<void *>(aclInit), &info) ? 0 : -1, "dladdr");
	std::string pattern = files::temp_directory_path() / "unpu-bench-XXXXXX";
	check(mkdtemp(pattern.data()) ? 0 : -1, "mkdtemp");
	for (const auto &entry :
	     files::directory_iterator(files::path(info.dli_fname).parent_path()))
		if (entry.is_regular_file() && entry.path().filename() != "libunpu_operators.so")
			files::create_symlink(files::canonical(entry.path()),
					      pattern / entry.path().filename());
	return pattern;
}

double start_once()
{
	const std::string program = files::canonical("/proc/self/exe");
	const std::string command = "'" + program + "' --start";
	const uint64_t begin_ns = base::now_ns();
	check(std::system(command.c_str()), "the program that starts");
	return static_cast<double>(base::now_ns() - begin_ns);
}

} // namespace

void measure_operator_start(const Effort &effort, Round &round)
{
	const files::path folder = make_folder();
	std::vector<double> with, without;
	for (unsigned i = 0; i < effort.scaled(20); i++) {
		with.push_back(start_once());
		setenv("LD_LIBRARY_PATH", folder.c_str(), 1);
		without.push_back(start_once());
		unsetenv("LD_LIBRARY_PATH");
	}
	files::remove_all(folder);
	const auto summary = [](std::vector<double> &samples) {
		const double median_ns = quantile(samples, 0.5);
		return Summary{median_ns, quantile(samples, 0.99), samples};
	};
	add_row(round, "start.without", "start and end, no library of kernels", summary(without));
	add_row(round, "start.with", "start and end, no operator", summary(with), "start.without");
}

} // namespace bench
