// SPDX-License-Identifier: MIT
/*
 * DOC: the functions that the library has and refuses
 */
#include "support/refused.h"

#include <fstream>
#include <iterator>
#include <regex>

namespace cuda_test {

std::vector<RefusedFunction> refused_functions()
{
	static const std::regex row(R"(X\((cu\w+), (\d+), (\w+),[\s\\]+(\w+),[\s\\]+\w+\))");
	std::ifstream file(UNPU_CUDA_REFUSED);
	const std::string text{std::istreambuf_iterator<char>(file), {}};
	std::vector<RefusedFunction> found;

	for (std::sregex_iterator at(text.begin(), text.end(), row), end; at != end; ++at)
		found.push_back({(*at)[1], std::stoi((*at)[2]), (*at)[3] == "THREAD", (*at)[4]});
	return found;
}

} // namespace cuda_test
