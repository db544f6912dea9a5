// SPDX-License-Identifier: MIT
/*
 * DOC: Overloads of acl/acl_rt_api.h
 *
 * Each form in which programs call them compiles, and chooses what it should.
 */
#include <type_traits>

#include <gtest/gtest.h>

#include "acl/acl_rt_api.h"

namespace {

/* FITS - an expression of these types compiles; it is not evaluated. */
#define FITS(...) static_assert(std::is_same_v<decltype(__VA_ARGS__), aclError>)

[[maybe_unused]] int *number;
[[maybe_unused]] const char *text;
[[maybe_unused]] void *address;
[[maybe_unused]] const void *const_address;
[[maybe_unused]] aclrtStream stream;
[[maybe_unused]] aclrtEvent event;
[[maybe_unused]] size_t size;
[[maybe_unused]] aclrtMemcpyBatchAttr batch;
[[maybe_unused]] aclrtPtrAttributes attributes;
[[maybe_unused]] aclrtMemManagedLocation place;
[[maybe_unused]] uint64_t actual;

FITS(aclrtSynchronizeDevice(1));
FITS(aclrtSynchronizeStream(stream, 1));
FITS(aclrtSynchronizeEvent(event, 1));
FITS(aclrtStreamWaitEvent(stream, event, 1));
FITS(aclrtCreateStream(&stream, 0, 0));
FITS(aclrtSetOpExecuteTimeOut(1, &actual));
FITS(aclrtMalloc(&number, 4));
FITS(aclrtMalloc(&address, 4));
FITS(aclrtMalloc(&number, 4, ACL_MEM_MALLOC_HUGE_FIRST, nullptr));
FITS(aclrtMallocHost(&number, 4));
FITS(aclrtMemcpy(number, 4, text, 4, ACL_MEMCPY_DEFAULT));
FITS(aclrtMemcpy(number, 4, const_address, 4, ACL_MEMCPY_DEFAULT));
FITS(aclrtMemcpyAsync(number, 4, text, 4, ACL_MEMCPY_DEFAULT, stream));
FITS(aclrtMemcpy2d(number, 4, text, 4, 4, 1, ACL_MEMCPY_DEFAULT));
FITS(aclrtMemcpy2dAsync(number, 4, text, 4, 4, 1, ACL_MEMCPY_DEFAULT, stream));
FITS(aclrtMemcpyBatch(&number, &size, &number, &size, 1, batch));
FITS(aclrtMemcpyBatch(&number, &size, &number, &size, 1, &batch, &size, 1));
FITS(aclrtMemcpyBatch(&number, &size, &number, &size, 1, &batch, &size, 1, &size));
FITS(aclrtMemcpyBatchAsync(&number, &size, &number, &size, 1, batch, stream));
FITS(aclrtMemcpyBatchAsync(&number, &size, &number, &size, 1, &batch, &size, 1, stream));
FITS(aclrtMemcpyBatchAsync(&number, &size, &number, &size, 1, &batch, &size, 1, &size, stream));
FITS(aclrtPointerGetAttributes(number, &attributes));
FITS(aclrtHostRegister(number, 4, ACL_HOST_REGISTER_MAPPED, &number));
FITS(aclrtHostRegister(number, 4, 2U));
FITS(aclrtHostGetDevicePointer(number, &number, 0));
FITS(aclrtHostUnregister(number));
FITS(aclrtMemAllocManaged(&number, 4));
FITS(aclrtMemManagedPrefetchAsync(number, 4, place, 0, stream));
FITS(aclrtMemManagedPrefetchBatchAsync(&text, &size, 1, &place, &size, 1, 0, stream));
FITS(aclrtGetSymbolAddress(size, &address));
FITS(aclrtGetSymbolSize(size, &size));
FITS(aclrtMemcpyFromSymbol(number, 4, size, 4, 0, ACL_MEMCPY_DEFAULT));
FITS(aclrtMemcpyFromSymbolAsync(number, 4, size, 4, 0, ACL_MEMCPY_DEFAULT, stream));
FITS(aclrtMemcpyToSymbol(size, number, 4, 0, ACL_MEMCPY_DEFAULT));
FITS(aclrtMemcpyToSymbolAsync(size, number, 4, 0, ACL_MEMCPY_DEFAULT, stream));

/* With one argument it is the C function, which makes an event of the old kind. */
FITS(aclrtCreateEvent(&event));

/* Section 11: with a flag it makes one of the new kind, which was "recorded" all along (check 1). */
TEST(AbiOverloads, EventWithFlagIsOfTheNewKind)
{
	ASSERT_EQ(aclInit(nullptr), 0);
	ASSERT_EQ(aclrtSetDevice(0), 0);
	aclrtEvent old_kind, new_kind;
	ASSERT_EQ(aclrtCreateEvent(&old_kind), 0);
	ASSERT_EQ(aclrtCreateEvent(&new_kind, ACL_EVENT_SYNC), 0);
	aclrtEventRecordedStatus status;
	ASSERT_EQ(aclrtQueryEventStatus(old_kind, &status), 0);
	EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_NOT_READY);
	ASSERT_EQ(aclrtQueryEventStatus(new_kind, &status), 0);
	EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_COMPLETE);
	EXPECT_EQ(aclrtDestroyEvent(old_kind), 0);
	EXPECT_EQ(aclrtDestroyEvent(new_kind), 0);
	EXPECT_EQ(aclFinalize(), 0);
}

/* The templates lead to the C functions. */
TEST(AbiOverloads, TemplatesLeadToTheFunctions)
{
	int source = 7, copy = 0;
	ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
	ASSERT_EQ(aclrtSetDevice(0), 0);
	EXPECT_EQ(aclrtMemcpy(&copy, sizeof(copy), &source, sizeof(source), ACL_MEMCPY_DEFAULT), 0);
	EXPECT_EQ(copy, 7);
	EXPECT_EQ(aclrtSynchronizeStream(nullptr, 1000), 0);
	EXPECT_EQ(aclrtSynchronizeDevice(1000), 0);
	EXPECT_EQ(aclrtPointerGetAttributes(&copy, &attributes), 0);
	EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
	EXPECT_EQ(aclFinalize(), 0);
}

} // namespace
