/* SPDX-License-Identifier: MIT */
/*
 * DOC: The loader of a framework
 *
 * This program does what the loader of a framework does. It opens a library that is linked as a
 * framework's library is, then opens each library by name and looks up the functions that it calls
 * to start, compile, copy and run operators. Each function has to be found, also among the names of
 * the whole process. The stored options and the descriptions have to work when they are called
 * through such pointers.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct library {
	const char *name;
	const char *functions; /* with blanks between them */
};

static const struct library LIBRARIES[] = {
	{"libascendcl.so",
	 "aclInit aclFinalize aclrtGetSocName aclsysGetCANNVersion aclrtGetDevice aclrtSetDevice "
	 "aclrtResetDevice "
	 "aclrtGetDeviceCount aclrtSetDeviceSatMode aclrtGetDeviceSatMode aclrtSetOpExecuteTimeOut "
	 "aclrtSetOpExecuteTimeOutWithMs aclrtSetOpWaitTimeout aclGetRecentErrMsg "
	 "aclrtGetCurrentContext "
	 "aclrtSetCurrentContext aclrtCreateStreamWithConfig aclrtDestroyStream "
	 "aclrtDestroyStreamForce "
	 "aclrtSynchronizeStream aclrtSynchronizeStreamWithTimeout aclrtStreamQuery "
	 "aclrtSetStreamFailureMode "
	 "aclrtCreateEvent aclrtCreateEventWithFlag aclrtCreateEventExWithFlag aclrtDestroyEvent "
	 "aclrtRecordEvent "
	 "aclrtStreamWaitEvent aclrtQueryEventStatus aclrtQueryEventWaitStatus "
	 "aclrtSynchronizeEvent "
	 "aclrtEventElapsedTime aclrtMalloc aclrtMallocAlign32 aclrtFree aclrtMallocHost "
	 "aclrtFreeHost aclrtMemcpy "
	 "aclrtMemcpyAsync aclrtMemset aclrtMemsetAsync aclrtGetMemInfo aclrtReserveMemAddress "
	 "aclrtReleaseMemAddress "
	 "aclrtMallocPhysical aclrtFreePhysical aclrtMapMem aclrtUnmapMem "
	 "aclrtMemExportToShareableHandle "
	 "aclrtMemImportFromShareableHandle aclrtMemSetPidToShareableHandle "
	 "aclrtIpcMemGetExportKey "
	 "aclrtIpcMemImportByKey aclrtIpcMemClose aclrtIpcMemSetImportPid aclrtDeviceCanAccessPeer "
	 "aclrtDeviceEnablePeerAccess aclrtDeviceTaskAbort aclrtGetMemUceInfo aclrtMemUceRepair "
	 "aclrtSetExceptionInfoCallback aclrtLaunchCallback aclrtSubscribeReport "
	 "aclrtProcessReport "
	 "aclrtUnSubscribeReport aclrtPointerGetAttributes aclrtHostRegister aclrtHostUnregister "
	 "aclmdlRICaptureBegin aclmdlRICaptureEnd aclmdlRICaptureGetInfo aclmdlRIExecuteAsync "
	 "aclmdlRIDestroy "
	 "aclGetCannAttribute aclGetCannAttributeList aclGetDeviceCapability aclrtSetSysParamOpt "
	 "aclmdlInitDump "
	 "aclmdlSetDump aclmdlFinalizeDump aclCreateDataBuffer aclDestroyDataBuffer "
	 "aclGetDataBufferAddr "
	 "aclprofInit aclprofStart aclprofStop aclprofFinalize aclprofCreateConfig "
	 "aclprofDestroyConfig "
	 "aclCreateTensorDesc aclDestroyTensorDesc aclGetTensorDescDimV2 aclGetTensorDescFormat "
	 "aclGetTensorDescNumDims aclGetTensorDescType aclSetTensorConst aclSetTensorDescName "
	 "aclSetTensorFormat "
	 "aclSetTensorPlaceMent aclSetTensorShape aclSetTensorShapeRange aclopCreateAttr "
	 "aclopDestroyAttr"},
	{"libacl_op_compiler.so", "aclSetCompileopt aclGetCompileopt aclGetCompileoptSize "
				  "aclopCompileAndExecute aclopCompileAndExecuteV2 "
				  "aclGenGraphAndDumpForOp aclCreateGraphDumpOpt "
				  "aclDestroyGraphDumpOpt aclCreateTensor aclCreateScalar"},
	{"libnnopbase.so",
	 "aclCreateTensor aclDestroyTensor aclCreateScalar aclCreateIntArray aclCreateTensorList"},
	{"libopapi.so",
	 "aclnnAdd aclnnAddGetWorkspaceSize aclnnMul aclnnMulGetWorkspaceSize aclnnMm "
	 "aclnnMmGetWorkspaceSize "
	 "aclnnMatmul aclnnMatmulGetWorkspaceSize aclnnInplaceCopy "
	 "aclnnInplaceCopyGetWorkspaceSize aclnnCast "
	 "aclnnCastGetWorkspaceSize aclnnInplaceZero aclnnInplaceZeroGetWorkspaceSize"},
	{"libmsprofiler.so", "aclprofInit aclprofFinalize mstxMarkA"},
	{"libhccl.so", "HcclGetErrorString HcclGetRootInfo HcclCommInitRootInfo HcclAllReduce "
		       "HcclAllGather HcclSend HcclRecv HcclBroadcast HcclCommDestroy"},
	{"libhcomm.so", "HcclGetCommName HcclGetRankSize"},
	{"libge_runner.so", ""},
	{"libgraph.so", ""},
};

static void *open_library(const char *name)
{
	char path[4096];
	void *handle;

	snprintf(path, sizeof(path), "%s/%s", UNPU_LIBRARY_FOLDER, name);
	handle = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
	if (handle == NULL)
		printf("%s: %s\n", name, dlerror());
	return handle;
}

/* check_library - each of its functions is found in it, and in the process. */
static int check_library(const struct library *library)
{
	char names[8192];
	char *rest = names, *name;
	void *handle = open_library(library->name);
	int failed = handle == NULL;

	snprintf(names, sizeof(names), "%s", library->functions);
	while (handle != NULL && (name = strsep(&rest, " ")) != NULL) {
		if (*name == '\0')
			continue;
		if (dlsym(handle, name) != NULL && dlsym(RTLD_DEFAULT, name) != NULL)
			continue;
		printf("%s lacks %s\n", library->name, name);
		failed++;
	}
	return failed;
}

/* check_framework - the library that is linked as a framework's is. */
static int check_framework(void)
{
	void *handle = dlopen(UNPU_FRAMEWORK, RTLD_NOW | RTLD_GLOBAL);
	void (*const *functions)(void);
	int count = 0;

	if (handle == NULL) {
		printf("%s\n", dlerror());
		return 1;
	}
	functions = dlsym(handle, "framework_functions");
	while (functions != NULL && functions[count] != NULL)
		count++;
	if (count != 24) {
		printf("the framework finds %d functions\n", count);
		return 1;
	}
	return 0;
}

/* check_options - what a framework sets when it starts is given back. */
static int check_options(void)
{
	int (*set)(int, const char *), (*get)(int, char *, size_t);
	size_t (*size)(int);
	char value[16] = "";
	const int jit_compile = 10;

	*(void **)&set = dlsym(RTLD_DEFAULT, "aclSetCompileopt");
	*(void **)&get = dlsym(RTLD_DEFAULT, "aclGetCompileopt");
	*(void **)&size = dlsym(RTLD_DEFAULT, "aclGetCompileoptSize");
	if (!set || !get || !size)
		return 1;
	if (size(jit_compile) != 8 || get(jit_compile, value, 8) != 0 ||
	    strcmp(value, "disable") != 0) {
		printf("the option is \"%s\" before it was set\n", value);
		return 1;
	}
	if (set(jit_compile, "enable") != 0 || get(jit_compile, value, size(jit_compile)) != 0 ||
	    strcmp(value, "enable") != 0) {
		printf("the option is \"%s\" after it was set\n", value);
		return 1;
	}
	return 0;
}

int main(void)
{
	int failed = check_framework();
	size_t i;

	for (i = 0; i < sizeof(LIBRARIES) / sizeof(LIBRARIES[0]); i++)
		failed += check_library(&LIBRARIES[i]);
	failed += check_options();
	return failed != 0;
}
