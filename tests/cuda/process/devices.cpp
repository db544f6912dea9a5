// SPDX-License-Identifier: MIT
/*
 * DOC: attributes of devices and addresses, and what the header has for programs to test
 */
#include "support/fixture.h"

#include <cstring>

using namespace cuda_test;

namespace {

class Devices : public ContextTest {};
using DevicesWithoutContext = DriverTest;

CUresult attribute(int number, int *value)
{
	return cuDeviceGetAttribute(value, static_cast<CUdevice_attribute>(number), 0);
}

template <class T> T of(CUpointer_attribute attribute, CUdeviceptr address)
{
	T value = {};

	EXPECT_OK(cuPointerGetAttribute(&value, attribute, address));
	return value;
}

} // namespace

TEST_F(DevicesWithoutContext, EveryAttributeHasAnAnswer)
{
	int value = 0;

	for (int number = 1; number < CU_DEVICE_ATTRIBUTE_MAX; ++number) {
		value = -77;
		EXPECT_EQ(attribute(number, &value), CUDA_SUCCESS) << "attribute " << number;
		EXPECT_GE(value, -1) << "attribute " << number;
	}
	for (int number : {-1, 0, static_cast<int>(CU_DEVICE_ATTRIBUTE_MAX), 1 << 20})
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, attribute(number, &value));
}

TEST_F(DevicesWithoutContext, WhatTheDeviceLacksIsZero)
{
	for (CUdevice_attribute lacking :
	     {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH, CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT,
	      CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH,
	      CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH,
	      CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED,
	      CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED, CU_DEVICE_ATTRIBUTE_NUMA_CONFIG,
	      CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR}) {
		int value = -77;

		EXPECT_OK(attribute(lacking, &value));
		EXPECT_EQ(value, 0) << "attribute " << lacking;
	}
}

TEST_F(DevicesWithoutContext, OldNamesOfAttributes)
{
	EXPECT_EQ(CU_DEVICE_ATTRIBUTE_SHARED_MEMORY_PER_BLOCK,
		  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
	EXPECT_EQ(CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED,
		  CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED);
	EXPECT_EQ(CU_DEVICE_P2P_ATTRIBUTE_ACCESS_ACCESS_SUPPORTED,
		  CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED);
}

/* Programs and other headers of the interface ask for these macros. */
TEST_F(DevicesWithoutContext, MacrosThatProgramsTest)
{
#if !defined(__cuda_cuda_h__) || !defined(CU_UUID_HAS_BEEN_DEFINED) || \
	!defined(CU_IPC_HANDLE_SIZE) || !defined(CUDAAPI) || !defined(CUDA_CB)
	FAIL() << "a macro is missing";
#endif
	EXPECT_EQ(CU_DEVICE_CPU, -1);
	EXPECT_EQ(CU_DEVICE_INVALID, -2);
}

TEST_F(Devices, AttributesOfAMapping)
{
	const Words words(16);
	const CUdeviceptr inside = words + 4;

	EXPECT_EQ(of<CUdeviceptr>(CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR, inside),
		  of<CUdeviceptr>(CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, inside));
	EXPECT_EQ(of<size_t>(CU_POINTER_ATTRIBUTE_MAPPING_SIZE, inside),
		  of<size_t>(CU_POINTER_ATTRIBUTE_RANGE_SIZE, inside));
	EXPECT_NE(of<unsigned long long>(CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID, inside), 0u);
	EXPECT_EQ(of<int>(CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE, inside), 0);
}
