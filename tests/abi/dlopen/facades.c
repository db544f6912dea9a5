/* SPDX-License-Identifier: MIT */
/*
 * DOC: facades
 *
 * A program that is linked with none of the libraries and opens them one after the other, as a
 * language binding does. Every facade has to lead to libunpu.so, two of them to one copy of it, and
 * closing them must leave the code in place.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static int lives_in(void *symbol, const char *library)
{
	Dl_info info;

	if (symbol == NULL || dladdr(symbol, &info) == 0)
		return 0;
	return strstr(info.dli_fname, library) != NULL;
}

static void *open_library(const char *name)
{
	char path[4096];
	void *handle;

	snprintf(path, sizeof(path), "%s/%s", UNPU_LIBRARY_FOLDER, name);
	handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (handle == NULL)
		printf("%s: %s\n", name, dlerror());
	return handle;
}

/* check_symbol - the name is found through the facade, and its code is in libunpu.so. */
static int check_symbol(const char *library, const char *symbol, void **where)
{
	void *handle = open_library(library);

	if (handle == NULL)
		return 1;
	*where = dlsym(handle, symbol);
	if (!lives_in(*where, "/libunpu.so")) {
		printf("%s through %s does not lead to libunpu.so\n", symbol, library);
		return 1;
	}
	dlclose(handle);
	if (!lives_in(*where, "/libunpu.so")) {
		printf("libunpu.so went away with %s\n", library);
		return 1;
	}
	return 0;
}

/* function - of a library that is open; void * and a function pointer have one size here. */
static void *function(void *handle, const char *name)
{
	void *found = dlsym(handle, name);

	if (found == NULL)
		printf("%s: %s\n", name, dlerror());
	return found;
}

/* check_close - a library that is closed while its device works, and opened again, is the same. */
static int check_close(void)
{
	int (*init)(const char *), (*set_device)(int), (*create)(void **), (*finish)(void *);
	int (*reset)(int), (*finalize)(void);
	void *stream = NULL;
	void *handle = open_library("libascendcl.so");
	int failed;

	if (handle == NULL)
		return 1;
	*(void **)&init = function(handle, "aclInit");
	*(void **)&set_device = function(handle, "aclrtSetDevice");
	*(void **)&create = function(handle, "aclrtCreateStream");
	*(void **)&finish = function(handle, "aclrtSynchronizeStream");
	*(void **)&finalize = function(handle, "aclFinalize");
	if (!init || !set_device || !create || !finish || !finalize)
		return 1;
	failed = init(NULL) || set_device(0) || create(&stream);
	dlclose(handle);
	failed = failed || finish(stream);
	handle = open_library("libascendcl.so");
	*(void **)&reset = function(handle, "aclrtResetDeviceForce");
	failed = failed || !reset || reset(0) || finalize();
	dlclose(handle);
	if (failed)
		printf("a device did not outlive dlclose()\n");
	return failed;
}

int main(void)
{
	void *init, *init_rt, *init_impl, *init_runtime, *tensor, *tensor_compiler, *add, *part;
	int failed = 0;

	failed += check_symbol("libascendcl.so", "aclInit", &init);
	failed += check_symbol("libacl_rt.so", "aclInit", &init_rt);
	failed += check_symbol("libacl_rt_impl.so", "aclInit", &init_impl);
	failed += check_symbol("libruntime.so", "aclInit", &init_runtime);
	failed += check_symbol("libacl_tdt_channel.so", "acltdtCreateChannel", &part);
	failed += check_symbol("libacl_tdt_queue.so", "acltdtCreateQueue", &part);
	failed += check_symbol("libascend_dump.so", "acldumpRegCallback", &part);
	failed += check_symbol("libmsprofiler.so", "aclprofInit", &part);
	failed += check_symbol("libprofapi.so", "aclprofInit", &part);
	failed += check_symbol("libms_tools_ext.so", "mstxMarkA", &part);
	failed += check_symbol("libmsprofiler.so", "mstxMarkA", &part);
	failed += check_symbol("libprofapi.so", "mstxMarkA", &part);
	failed += check_symbol("libplatform.so", "aclplatformGetDeviceInfo", &part);
	failed += check_symbol("libacl_rtc.so", "aclrtcCompileProg", &part);
	failed += check_symbol("libc_sec.so", "memcpy_s", &part);
	failed += check_symbol("libnnopbase.so", "aclCreateTensor", &tensor);
	failed += check_symbol("libacl_op_compiler.so", "aclCreateTensor", &tensor_compiler);
	failed += check_symbol("libacl_cblas.so", "aclblasGemmEx", &part);
	failed += check_symbol("libacl_dvpp.so", "acldvppMalloc", &part);
	failed += check_symbol("libopapi.so", "aclnnAdd", &add);
	if (failed == 0 && (init != init_rt || init != init_impl || init != init_runtime ||
			    tensor != tensor_compiler)) {
		printf("two facades lead to two copies\n");
		failed++;
	}
	failed += check_close();
	return failed != 0;
}
