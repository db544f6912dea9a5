// SPDX-License-Identifier: MIT
/*
 * DOC: what tests of virtual memory share
 */
#ifndef UNPU_TESTS_CUDA_VMM_H
#define UNPU_TESTS_CUDA_VMM_H

#include "support/fixture.h"

namespace cuda_test {

constexpr size_t kUnit = size_t{2} << 20;

inline CUmemAllocationProp properties(CUmemLocationType type = CU_MEM_LOCATION_TYPE_DEVICE,
				      int id = 0)
{
	CUmemAllocationProp prop = {};

	prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
	prop.location.type = type;
	prop.location.id = id;
	return prop;
}

inline CUmemAccessDesc access_of(CUmemAccess_flags flags,
				 CUmemLocationType type = CU_MEM_LOCATION_TYPE_DEVICE, int id = 0)
{
	CUmemAccessDesc desc = {};

	desc.location.type = type;
	desc.location.id = id;
	desc.flags = flags;
	return desc;
}

inline CUresult set_access(CUdeviceptr address, size_t size, const CUmemAccessDesc &desc)
{
	return cuMemSetAccess(address, size, &desc, 1);
}

inline unsigned long long access_at(CUdeviceptr address, const CUmemLocation &location)
{
	unsigned long long flags = 77;

	EXPECT_OK(cuMemGetAccess(&flags, &location, address));
	return flags;
}

inline CUmemGenericAllocationHandle create(size_t size,
					   const CUmemAllocationProp &prop = properties())
{
	CUmemGenericAllocationHandle handle = 0;

	EXPECT_OK(cuMemCreate(&handle, size, &prop, 0));
	return handle;
}

class Reservation {
public:
	explicit Reservation(size_t size, size_t alignment = 0, CUdeviceptr wish = 0) : size_(size)
	{
		EXPECT_OK(cuMemAddressReserve(&address_, size, alignment, wish, 0));
	}
	~Reservation() { EXPECT_OK(cuMemAddressFree(address_, size_)); }
	Reservation(const Reservation &) = delete;
	Reservation &operator=(const Reservation &) = delete;

	operator CUdeviceptr() const { return address_; }

private:
	CUdeviceptr address_ = 0;
	size_t size_;
};

/* Memory that is mapped, and has no other reference. */
class Mapped {
public:
	Mapped(CUdeviceptr address, size_t size, const CUmemAllocationProp &prop = properties())
		: address_(address), size_(size)
	{
		const CUmemGenericAllocationHandle handle = create(size, prop);

		EXPECT_OK(cuMemMap(address, size, 0, handle, 0));
		EXPECT_OK(cuMemRelease(handle));
	}
	~Mapped() { EXPECT_OK(cuMemUnmap(address_, size_)); }
	Mapped(const Mapped &) = delete;
	Mapped &operator=(const Mapped &) = delete;

private:
	CUdeviceptr address_;
	size_t size_;
};

inline uint32_t word_at(CUdeviceptr address)
{
	uint32_t word = 0;

	EXPECT_OK(cuMemcpyDtoH(&word, address, sizeof(word)));
	return word;
}

template <class T> T attribute(CUpointer_attribute attribute, CUdeviceptr address)
{
	T value = {};

	EXPECT_OK(cuPointerGetAttribute(&value, attribute, address));
	return value;
}

} // namespace cuda_test

#endif
