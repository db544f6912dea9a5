// SPDX-License-Identifier: MIT
/*
 * DOC: what devices do in one step
 */
#include "support/child_process.h"

using namespace conformance;

TEST(TwoDevices, TellTheirAtomicOperations)
{
	if (!alone("devices=2,memory=64M"))
		return;
	const aclrtAtomicOperation operations[] = {
		ACL_RT_ATOMIC_OPERATION_INTEGER_ADD, ACL_RT_ATOMIC_OPERATION_CAS,
		ACL_RT_ATOMIC_OPERATION_DMA_ADD, ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_EXCH};
	uint32_t own[4] = {77, 77, 77, 77};
	uint32_t peer[4] = {77, 77, 77, 77};
	constexpr uint32_t kAllBits = 0x1ff;

	EXPECT_OK(aclrtDeviceGetHostAtomicCapabilities(own, operations, 4, 0));
	EXPECT_OK(aclrtDeviceGetP2PAtomicCapabilities(peer, operations, 4, 0, 1));
	for (int i = 0; i < 4; ++i) {
		EXPECT_EQ(own[i] & ~kAllBits, 0u);
		EXPECT_EQ(peer[i] & ~kAllBits, 0u);
	}
	EXPECT_OK(aclrtDeviceGetHostAtomicCapabilities(own, operations, 1, 1));
}

TEST(TwoDevices, RefuseAtomicOperationsThatAreNone)
{
	if (!alone("devices=2,memory=64M"))
		return;
	const aclrtAtomicOperation good = ACL_RT_ATOMIC_OPERATION_CAS;
	uint32_t bits = 77;

	for (const int number : {-1, 13, 29, 33, 39, 45}) {
		const auto strange = raw_enum<aclrtAtomicOperation>(number);

		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "operations[0]",
			     aclrtDeviceGetHostAtomicCapabilities(&bits, &strange, 1, 0));
		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "operations[0]",
			     aclrtDeviceGetP2PAtomicCapabilities(&bits, &strange, 1, 0, 1));
	}
	EXPECT_EQ(bits, 77u);
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "count",
		     aclrtDeviceGetHostAtomicCapabilities(&bits, &good, 0, 0));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "count",
		     aclrtDeviceGetP2PAtomicCapabilities(&bits, &good, 0, 0, 1));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "capabilities",
		     aclrtDeviceGetHostAtomicCapabilities(nullptr, &good, 1, 0));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "operations",
		     aclrtDeviceGetP2PAtomicCapabilities(&bits, nullptr, 1, 0, 1));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "2",
		     aclrtDeviceGetHostAtomicCapabilities(&bits, &good, 1, 2));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "2",
		     aclrtDeviceGetP2PAtomicCapabilities(&bits, &good, 1, 0, 2));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "two devices",
		     aclrtDeviceGetP2PAtomicCapabilities(&bits, &good, 1, 1, 1));
}
