/* SPDX-License-Identifier: MIT */
/*
 * DOC: a sum of vectors and a texture, written for a device that has kernels and textures
 *
 * It only has to compile: each type, number and field here is one that such programs name.
 */
#include <cuda.h>

CUresult vector_add(const char *path, CUdeviceptr a, CUdeviceptr b, CUdeviceptr c, int count,
		    CUstream stream);
CUresult make_texture(CUdeviceptr memory, size_t bytes, CUtexObject *texture);

CUresult vector_add(const char *path, CUdeviceptr a, CUdeviceptr b, CUdeviceptr c, int count,
		    CUstream stream)
{
	char log[64];
	CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_TARGET_FROM_CUCONTEXT};
	void *values[] = {log, NULL};
	void *arguments[] = {&a, &b, &c, &count};
	CUlaunchAttribute attribute = {.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
				       .value.clusterDim = {2, 1, 1}};
	CUlaunchConfig config = {1, 1, 1, 256, 1, 1, 0, stream, &attribute, 1};
	CUmodule module;
	CUfunction function;
	CUresult result;

	result = cuModuleLoadDataEx(&module, path, 2, options, values);
	if (result == CUDA_SUCCESS)
		result = cuModuleGetFunction(&function, module, "add");
	if (result == CUDA_SUCCESS)
		result = cuFuncSetAttribute(function,
					    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 65536);
	if (result == CUDA_SUCCESS)
		result = cuLaunchKernel(function, 1, 1, 1, 256, 1, 1, 0, stream, arguments, NULL);
	if (result == CUDA_SUCCESS)
		result = cuLaunchKernelEx(&config, function, arguments, NULL);
	return result == CUDA_SUCCESS ? cuModuleUnload(module) : result;
}

CUresult make_texture(CUdeviceptr memory, size_t bytes, CUtexObject *texture)
{
	CUDA_RESOURCE_DESC memory_of = {.resType = CU_RESOURCE_TYPE_LINEAR};
	CUDA_TEXTURE_DESC sampling = {.addressMode = {CU_TR_ADDRESS_MODE_CLAMP},
				      .filterMode = CU_TR_FILTER_MODE_LINEAR};
	CUDA_ARRAY3D_DESCRIPTOR shape = {
		64, 64, 1, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST};
	CUarray array;

	memory_of.res.linear.devPtr = memory;
	memory_of.res.linear.format = CU_AD_FORMAT_FLOAT;
	memory_of.res.linear.numChannels = 1;
	memory_of.res.linear.sizeInBytes = bytes;
	return cuArray3DCreate(&array, &shape) == CUDA_SUCCESS
		       ? cuTexObjectCreate(texture, &memory_of, &sampling, NULL)
		       : CUDA_ERROR_NOT_SUPPORTED;
}
