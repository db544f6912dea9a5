// SPDX-License-Identifier: MIT
/*
 * DOC: Bad kernels
 */
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "storm.h"

namespace storm {

static void require(aclError result, const char *what)
{
	if (result == ACL_SUCCESS)
		return;
	std::fprintf(stderr, "%s: %d: %s\n", what, result, aclGetRecentErrMsg());
	std::exit(2);
}

Program::Program()
{
	require(aclInit(nullptr), "aclInit");
	require(aclrtSetDevice(0), "aclrtSetDevice");
	require(aclrtCreateStream(&stream_), "aclrtCreateStream");
	void *data = nullptr;
	require(aclrtMalloc(&data, WORDS * sizeof(uint64_t), ACL_MEM_MALLOC_NORMAL_ONLY),
		"aclrtMalloc");
	memory = static_cast<uint64_t *>(data);
	require(aclrtBinaryLoadFromFile(IMAGE, nullptr, &binary_), "aclrtBinaryLoadFromFile");
}

Program::~Program()
{
	require(aclrtBinaryUnLoad(binary_), "aclrtBinaryUnLoad");
	require(aclrtFree(memory), "aclrtFree");
	require(aclrtDestroyStream(stream_), "aclrtDestroyStream");
	require(aclrtResetDevice(0), "aclrtResetDevice");
	require(aclFinalize(), "aclFinalize");
}

aclError Program::run(const char *name, uint32_t blocks, std::initializer_list<uint64_t> args,
		      uint64_t limit_us) const
{
	aclrtFuncHandle function = nullptr;
	require(aclrtBinaryGetFunction(binary_, name, &function), name);
	aclrtLaunchKernelAttr attribute{};
	attribute.id = ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US;
	attribute.value.timeoutUs = {static_cast<uint32_t>(limit_us), 0};
	aclrtLaunchKernelCfg cfg{&attribute, 1};
	std::vector<uint64_t> copy(args);
	require(aclrtLaunchKernelWithHostArgs(function, blocks, stream_, limit_us ? &cfg : nullptr,
					      copy.empty() ? nullptr : copy.data(),
					      copy.size() * sizeof(uint64_t), nullptr, 0),
		name);
	return aclrtSynchronizeStream(stream_);
}

void Program::read(uint64_t *to, size_t words) const
{
	const size_t bytes = words * sizeof(*to);
	require(aclrtMemcpy(to, bytes, memory, bytes, ACL_MEMCPY_DEVICE_TO_HOST), "aclrtMemcpy");
}

void Program::write(const uint64_t *from, size_t words) const
{
	const size_t bytes = words * sizeof(*from);
	require(aclrtMemcpy(memory, bytes, from, bytes, ACL_MEMCPY_HOST_TO_DEVICE), "aclrtMemcpy");
}

/* Runs the bad kernel number @which. Return: the result of the wait. */
static aclError run_bad(const Program &program, unsigned which)
{
	constexpr uint64_t LIMIT_US = 20000;
	const auto address = reinterpret_cast<uint64_t>(program.memory);
	switch (which) {
	case 0:
		return program.run("poke", 1, {16, 1});
	case 1: /* far behind its memory, where others may have theirs */
		return program.run("poke", 1, {address + (uint64_t{1} << 36), 1});
	case 2:
		return program.run("trap", 3, {});
	case 3:
		return program.run("loop", 2, {}, LIMIT_US);
	case 4:
		return program.run("half_sync", 4, {});
	case 5:
		return program.run("deep", 1, {});
	case 6:
		return program.run("beyond_ub", 3, {});
	case 7: /* says that it has failed, and goes on */
		return program.run("lie", 1, {1}, LIMIT_US);
	case 8: /* ends its process */
		return program.run("lie", 1, {2}, LIMIT_US);
	case 9: /* scribbles over all that its process shares with the firmware */
		return program.run("lie", 1, {3}, LIMIT_US);
	default: /* kicks without end */
		return program.run("lie", 1, {4}, LIMIT_US);
	}
}

unsigned be_bad(unsigned seed, unsigned kernels)
{
	constexpr unsigned KINDS = 11;
	const Program program;
	unsigned good = 0;
	for (unsigned i = 0; i < kernels; i++) {
		const unsigned which = (seed + i) % KINDS;
		if (run_bad(program, which) != ACL_SUCCESS)
			continue;
		std::fprintf(stderr, "bad kernel %u did not fail\n", which);
		good++;
	}
	return good;
}

} // namespace storm
