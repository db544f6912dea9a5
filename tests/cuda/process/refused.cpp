// SPDX-License-Identifier: MIT
/*
 * DOC: functions that the library has although the device can't perform them, and marks for profilers
 */
#include "support/refused.h"
#include "support/child.h"

#include <dlfcn.h>

#include <set>

using namespace cuda_test;

extern "C" CUresult cuGetProcAddress_v2(const char *symbol, void **pfn, int version,
					cuuint64_t flags, CUdriverProcAddressQueryResult *status);
extern "C" CUresult cuProfilerStart(void);
extern "C" CUresult cuProfilerStop(void);

namespace {

using Refused = ContextTest;

/* Of another driver, which performs the functions. */
bool is_another_driver()
{
	return !dlsym(RTLD_DEFAULT, "unpu_cuEventQuery");
}

CUresult call(void *function)
{
	return reinterpret_cast<CUresult (*)()>(function)();
}

} // namespace

/* A program that links or looks up all functions starts, and the one that it calls says that it is not there. */
TEST_F(Refused, EachFunctionIsFoundAndRefused)
{
	if (is_another_driver())
		GTEST_SKIP() << "another driver, which has these functions";
	const std::vector<RefusedFunction> functions = refused_functions();
	std::set<std::string> names;

	for (const RefusedFunction &one : functions) {
		void *function = dlsym(RTLD_DEFAULT, one.symbol.c_str());
		void *looked_up = nullptr;
		CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;

		ASSERT_NE(function, nullptr) << one.symbol;
		EXPECT_EQ(call(function), CUDA_ERROR_NOT_SUPPORTED) << one.symbol;
		EXPECT_OK(cuGetProcAddress_v2(one.name.c_str(), &looked_up, one.version,
					      one.of_thread ? 2 : 1, &status));
		EXPECT_EQ(status, CU_GET_PROC_ADDRESS_SUCCESS) << one.symbol;
		ASSERT_NE(looked_up, nullptr) << one.symbol;
		EXPECT_EQ(call(looked_up), CUDA_ERROR_NOT_SUPPORTED) << one.symbol;
		names.insert(one.name);
	}
	/* Some that programs look up when they start. */
	for (const char *name : {"cuLaunchKernel", "cuModuleLoadData", "cuTexObjectCreate",
				 "cuImportExternalMemory", "cuGraphicsGLRegisterImage",
				 "cuGLGetDevices", "cuMulticastCreate", "cuGetExportTable"})
		EXPECT_TRUE(names.count(name)) << name;
}

TEST(RefusedAlone, BeforeInitialisation)
{
	if (is_another_driver())
		GTEST_SKIP() << "another driver, which has these functions";
	if (!alone())
		return;
	for (const RefusedFunction &one : refused_functions())
		EXPECT_EQ(call(dlsym(RTLD_DEFAULT, one.symbol.c_str())), CUDA_ERROR_NOT_INITIALIZED)
			<< one.symbol;
}

TEST_F(Refused, MarksForProfilersNeedAContext)
{
	CUcontext context = nullptr;

	EXPECT_OK(cuProfilerStart());
	EXPECT_OK(cuProfilerStart());
	EXPECT_OK(cuProfilerStop());
	EXPECT_OK(cuCtxPopCurrent(&context));
	EXPECT_CU(CUDA_ERROR_INVALID_CONTEXT, cuProfilerStart());
	EXPECT_CU(CUDA_ERROR_INVALID_CONTEXT, cuProfilerStop());
	EXPECT_OK(cuCtxPushCurrent(context));
}
