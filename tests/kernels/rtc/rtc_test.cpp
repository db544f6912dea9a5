// SPDX-License-Identifier: MIT
/*
 * DOC: Compilation at run time, tested
 *
 * A program compiles source that it has as text, loads the result, launches it, and looks at what the kernel has
 * stored.
 */
#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "abilities.h"
#include "acl/acl.h"
#include "acl/acl_rt_compile.h"

namespace {

constexpr const char *ADD = R"(
#include "kernel_operator.h"
#include "numbers/addend.h"
template <typename T> class Adder {
public:
	__aicore__ void run(GM_ADDR x, GM_ADDR z)
	{
		from.SetGlobalBuffer((__gm__ T *)x, 256);
		to.SetGlobalBuffer((__gm__ T *)z, 256);
		pipe.InitBuffer(queue, 1, 256 * sizeof(T));
		auto tensor = queue.AllocTensor<T>();
		AscendC::DataCopy(tensor, from, 256);
		queue.EnQue(tensor);
		tensor = queue.DeQue<T>();
		AscendC::Adds(tensor, tensor, (T)ADDEND, 256);
		out.EnQue(tensor);
		tensor = out.DeQue<T>();
		AscendC::DataCopy(to, tensor, 256);
		out.FreeTensor(tensor);
	}
private:
	AscendC::TPipe pipe;
	AscendC::TQueBind<AscendC::TPosition::VECIN, AscendC::TPosition::VECOUT, 1> queue;
	AscendC::TQueBind<AscendC::TPosition::VECIN, AscendC::TPosition::VECOUT, 1> &out = queue;
	AscendC::GlobalTensor<T> from, to;
};
extern "C" __global__ __aicore__ void add_float(GM_ADDR x, GM_ADDR z) { Adder<float>().run(x, z); }
namespace space {
template <typename T> __global__ __aicore__ void add(GM_ADDR x, GM_ADDR z) { Adder<T>().run(x, z); }
}
)";

/* class Program - a handle that is destroyed. */
class Program {
public:
	Program(const char *source, const char *name, std::vector<const char *> texts = {},
		std::vector<const char *> names = {})
	{
		EXPECT_EQ(aclrtcCreateProg(&handle, source, name, static_cast<int>(texts.size()),
					   texts.data(), names.data()),
			  ACL_SUCCESS);
	}
	~Program() { EXPECT_EQ(aclrtcDestroyProg(&handle), ACL_SUCCESS); }

	aclError compile(std::vector<const char *> options = {"--npu-arch=dav-2201"}) const
	{
		return aclrtcCompileProg(handle, static_cast<int>(options.size()), options.data());
	}

	std::string log() const
	{
		size_t bytes = 0;
		EXPECT_EQ(aclrtcGetCompileLogSize(handle, &bytes), ACL_SUCCESS);
		std::string text(bytes, 'x');
		EXPECT_EQ(aclrtcGetCompileLog(handle, text.data()), ACL_SUCCESS);
		EXPECT_EQ(text.back(), '\0');
		text.pop_back();
		return text;
	}

	std::vector<char> image() const
	{
		size_t bytes = 0;
		EXPECT_EQ(aclrtcGetBinDataSize(handle, &bytes), ACL_SUCCESS);
		std::vector<char> data(bytes);
		EXPECT_EQ(aclrtcGetBinData(handle, data.data()), ACL_SUCCESS);
		return data;
	}

	aclrtcProg handle = nullptr;
};

bool has(const std::string &text, const char *part)
{
	return text.find(part) != std::string::npos;
}

std::string sentence()
{
	const char *text = aclGetRecentErrMsg();
	return text ? text : "";
}

template <typename T> void launch(const std::vector<char> &image, const char *name, T addend)
{
	ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
	ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
	aclrtBinHandle binary = nullptr;
	aclrtFuncHandle function = nullptr;
	ASSERT_EQ(aclrtBinaryLoadFromData(image.data(), image.size(), nullptr, &binary),
		  ACL_SUCCESS)
		<< sentence();
	ASSERT_EQ(aclrtBinaryGetFunction(binary, name, &function), ACL_SUCCESS) << sentence();
	std::vector<T> values(256);
	for (size_t i = 0; i < values.size(); i++)
		values[i] = static_cast<T>(i);
	const size_t bytes = values.size() * sizeof(T);
	void *memory[2] = {};
	for (void *&part : memory)
		ASSERT_EQ(aclrtMalloc(&part, bytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
	ASSERT_EQ(aclrtMemcpy(memory[0], bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE),
		  ACL_SUCCESS);
	ASSERT_EQ(aclrtLaunchKernelWithHostArgs(function, 1, nullptr, nullptr, memory,
						sizeof(memory), nullptr, 0),
		  ACL_SUCCESS)
		<< sentence();
	ASSERT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS) << sentence();
	ASSERT_EQ(aclrtMemcpy(values.data(), bytes, memory[1], bytes, ACL_MEMCPY_DEVICE_TO_HOST),
		  ACL_SUCCESS);
	for (size_t i = 0; i < values.size(); i++)
		ASSERT_EQ(values[i], static_cast<T>(i) + addend) << i;
	for (void *part : memory)
		EXPECT_EQ(aclrtFree(part), ACL_SUCCESS);
	EXPECT_EQ(aclrtBinaryUnLoad(binary), ACL_SUCCESS);
	EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
	EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
}

TEST(KernelRtc, CompilesLoadsAndLaunches)
{
	SKIP_WITHOUT_WORKERS();
	Program program(ADD, "add.asc", {"#define ADDEND 3\n"}, {"numbers/addend.h"});
	EXPECT_EQ(aclrtcAddNameExpr(program.handle, "space::add<int32_t>"), ACL_SUCCESS);
	EXPECT_EQ(aclrtcAddNameExpr(program.handle, "add_float"), ACL_SUCCESS);
	ASSERT_EQ(program.compile({"--npu-arch=dav-2201", "-O1"}), ACL_SUCCESS) << program.log();
	const char *lowered = nullptr;
	ASSERT_EQ(aclrtcGetLoweredName(program.handle, "space::add<int32_t>", &lowered),
		  ACL_SUCCESS);
	const std::vector<char> image = program.image();
	launch<float>(image, "add_float", 3);
	launch<int32_t>(image, lowered, 3);
	ASSERT_EQ(aclrtcGetLoweredName(program.handle, "add_float", &lowered), ACL_SUCCESS);
	EXPECT_STREQ(lowered, "add_float");
}

TEST(KernelRtc, ErrorsNameTheLinesOfTheText)
{
	Program program("#include \"kernel_operator.h\"\n"
			"extern \"C\" __global__ __aicore__ void bad(GM_ADDR x)\n"
			"{\n"
			"\tnothing(x);\n"
			"}\n",
			"bad.asc");
	EXPECT_EQ(program.compile(), ACL_ERROR_RTC_COMPILATION);
	EXPECT_TRUE(has(program.log(), "bad.asc:4:")) << program.log();
	EXPECT_TRUE(has(sentence(), "bad.asc:4:"));
	size_t bytes = 0;
	EXPECT_EQ(aclrtcGetBinDataSize(program.handle, &bytes), ACL_ERROR_RTC_INVALID_PROG);
	EXPECT_TRUE(has(sentence(), "not without an error"));
	const char *lowered = nullptr;
	EXPECT_EQ(aclrtcGetLoweredName(program.handle, "bad", &lowered),
		  ACL_ERROR_RTC_NO_LOWERED_NAMES_BEFORE_COMPILATION);
}

TEST(KernelRtc, WhatIsNotThereIsAnErrorOfTheLinker)
{
	Program program("#include \"kernel_operator.h\"\n"
			"void elsewhere();\n"
			"extern \"C\" __global__ __aicore__ void calls() { elsewhere(); }\n",
			nullptr);
	EXPECT_EQ(program.compile(), ACL_ERROR_RTC_LINKING);
	EXPECT_TRUE(has(program.log(), "elsewhere")) << program.log();
}

TEST(KernelRtc, NameExpressionsNameKernels)
{
	Program program("#include \"kernel_operator.h\"\n"
			"extern \"C\" __global__ __aicore__ void empty() {}\n",
			"");
	EXPECT_EQ(aclrtcAddNameExpr(program.handle, "missing<float>"), ACL_SUCCESS);
	EXPECT_EQ(aclrtcAddNameExpr(program.handle, "a; b"), ACL_ERROR_RTC_NAME_EXPR_NOT_VALID);
	EXPECT_EQ(program.compile(), ACL_ERROR_RTC_COMPILATION);
	EXPECT_TRUE(has(program.log(), "name expression missing<float>")) << program.log();
	EXPECT_EQ(aclrtcAddNameExpr(program.handle, "empty"),
		  ACL_ERROR_RTC_NO_NAME_EXPR_AFTER_COMPILATION);
}

TEST(KernelRtc, ChipsThatTheDriverTakes)
{
	const char *source = "#include \"kernel_operator.h\"\n"
			     "static_assert(AscendC::TOTAL_UB_SIZE == BYTES, \"UB\");\n"
			     "extern \"C\" __global__ __aicore__ void empty(GM_ADDR x) {}\n";
	Program program(source, "chips");
	EXPECT_EQ(program.compile({"--npu-arch=dav-2002", "-DBYTES=262144"}), ACL_SUCCESS)
		<< program.log();
	EXPECT_EQ(program.compile({"--npu-arch=dav-2201", "-DBYTES=196608"}), ACL_SUCCESS)
		<< program.log();
	EXPECT_EQ(program.compile({"--npu-arch=dav-3510"}), ACL_ERROR_RTC_INVALID_OPTION);
	EXPECT_TRUE(has(program.log(), "dav-2201 (Ascend910B) and dav-2002 (Ascend310P)"))
		<< program.log();
}

TEST(KernelRtc, OptionsThatAreNone)
{
	Program program("", "none");
	for (const char *option : {"--npu-arch=dav-3510", "-ofile", "-MD", "-E", "--image=x", ""}) {
		EXPECT_EQ(program.compile({option}), ACL_ERROR_RTC_INVALID_OPTION) << option;
		EXPECT_TRUE(has(program.log(), option)) << option;
	}
	EXPECT_EQ(aclrtcCompileProg(program.handle, -1, nullptr), ACL_ERROR_RTC_INVALID_INPUT);
	EXPECT_EQ(aclrtcCompileProg(program.handle, 1, nullptr), ACL_ERROR_RTC_INVALID_INPUT);
}

TEST(KernelRtc, AHandleIsNotUsedAgain)
{
	aclrtcProg first = nullptr, second = nullptr;
	ASSERT_EQ(aclrtcCreateProg(&first, "", "", 0, nullptr, nullptr), ACL_SUCCESS);
	aclrtcProg stale = first;
	ASSERT_EQ(aclrtcDestroyProg(&first), ACL_SUCCESS);
	EXPECT_EQ(first, nullptr);
	ASSERT_EQ(aclrtcCreateProg(&second, "", "", 0, nullptr, nullptr), ACL_SUCCESS);
	size_t bytes = 0;
	EXPECT_EQ(aclrtcGetCompileLogSize(stale, &bytes), ACL_ERROR_RTC_INVALID_PROG);
	EXPECT_EQ(aclrtcDestroyProg(&stale), ACL_ERROR_RTC_INVALID_PROG);
	EXPECT_EQ(aclrtcDestroyProg(&second), ACL_SUCCESS);
}

TEST(KernelRtc, WrongArguments)
{
	aclrtcProg handle = nullptr;
	const char *text = "", *above = "../a.h";
	EXPECT_EQ(aclrtcCreateProg(nullptr, text, text, 0, nullptr, nullptr),
		  ACL_ERROR_RTC_INVALID_INPUT);
	EXPECT_EQ(aclrtcCreateProg(&handle, nullptr, text, 0, nullptr, nullptr),
		  ACL_ERROR_RTC_INVALID_INPUT);
	EXPECT_EQ(aclrtcCreateProg(&handle, text, text, -1, nullptr, nullptr),
		  ACL_ERROR_RTC_INVALID_INPUT);
	EXPECT_EQ(aclrtcCreateProg(&handle, text, text, 1, &text, nullptr),
		  ACL_ERROR_RTC_INVALID_INPUT);
	EXPECT_TRUE(has(sentence(), "includeNames is NULL"));
	EXPECT_EQ(aclrtcCreateProg(&handle, text, text, 1, &text, &above),
		  ACL_ERROR_RTC_INVALID_INPUT);
	EXPECT_TRUE(has(sentence(), "'../a.h'"));
	EXPECT_EQ(aclrtcDestroyProg(&handle), ACL_ERROR_RTC_INVALID_PROG);
	EXPECT_EQ(aclrtcDestroyProg(nullptr), ACL_ERROR_RTC_INVALID_PROG);
	int other = 0;
	size_t bytes = 0;
	char byte = 0;
	for (aclrtcProg wrong : {aclrtcProg(nullptr), aclrtcProg(&other)}) {
		EXPECT_EQ(aclrtcCompileProg(wrong, 0, nullptr), ACL_ERROR_RTC_INVALID_PROG);
		EXPECT_EQ(aclrtcAddNameExpr(wrong, "a"), ACL_ERROR_RTC_INVALID_PROG);
		EXPECT_EQ(aclrtcGetBinDataSize(wrong, &bytes), ACL_ERROR_RTC_INVALID_PROG);
		EXPECT_EQ(aclrtcGetBinData(wrong, &byte), ACL_ERROR_RTC_INVALID_PROG);
		EXPECT_EQ(aclrtcGetCompileLogSize(wrong, &bytes), ACL_ERROR_RTC_INVALID_PROG);
		EXPECT_EQ(aclrtcGetCompileLog(wrong, &byte), ACL_ERROR_RTC_INVALID_PROG);
		EXPECT_EQ(aclrtcGetLoweredName(wrong, "a", &text), ACL_ERROR_RTC_INVALID_PROG);
	}
	Program program("", "");
	EXPECT_EQ(aclrtcGetBinDataSize(program.handle, nullptr), ACL_ERROR_RTC_INVALID_INPUT);
	EXPECT_EQ(aclrtcGetBinData(program.handle, nullptr), ACL_ERROR_RTC_INVALID_INPUT);
	EXPECT_EQ(aclrtcGetCompileLogSize(program.handle, nullptr), ACL_ERROR_RTC_INVALID_INPUT);
	EXPECT_EQ(aclrtcGetCompileLog(program.handle, nullptr), ACL_ERROR_RTC_INVALID_INPUT);
	EXPECT_EQ(aclrtcGetBinData(program.handle, &byte), ACL_ERROR_RTC_INVALID_PROG);
	EXPECT_EQ(program.log(), "");
}

TEST(KernelRtc, AToolkitWithoutTheDriver)
{
	Program program("", "");
	setenv("UNPU_ASCENDCC", "/nowhere/unpu-ascendcc", 1);
	EXPECT_EQ(program.compile(), ACL_ERROR_RTC_FAILURE);
	unsetenv("UNPU_ASCENDCC");
	EXPECT_TRUE(has(program.log(), "/nowhere/unpu-ascendcc can't be started"));
	EXPECT_TRUE(has(sentence(), "/nowhere/unpu-ascendcc can't be started"));
}

} // namespace
