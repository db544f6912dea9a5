/* SPDX-License-Identifier: MIT */
/*
 * DOC: DumpTensor
 */
#ifndef UNPU_ASCENDC_PRINT_DUMP_H
#define UNPU_ASCENDC_PRINT_DUMP_H

#include "unpu_ascendc/print/print.h"
#include "unpu_ascendc/tensor/global_tensor.h"
#include "unpu_ascendc/tensor/local_tensor.h"

namespace unpu::lang {

template <class T> inline void dump_element(const T &value)
{
	if constexpr (std::is_same_v<T, AscendC::int4b_t>)
		print("%d", int(int8_t(value)));
	else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>)
		print("%lld", static_cast<long long>(value));
	else if constexpr (std::is_integral_v<T>)
		print("%llu", static_cast<unsigned long long>(value));
	else
		print("%f", static_cast<double>(static_cast<float>(value)));
}

template <class T>
inline void dump(const T *elements, uint64_t address, const char *position, uint32_t desc,
		 uint32_t count)
{
	print("DumpTensor: desc=%u, addr=%llx, data_type=%s, position=%s, dump_size=%u\n[", desc,
	      static_cast<unsigned long long>(address), type_name<T>(), position, count);
	for (uint32_t i = 0; i < count; i++) {
		print(i ? ", " : "");
		if constexpr (std::is_same_v<T, AscendC::int4b_t>)
			dump_element(AscendC::int4b_t(
				get_int4(reinterpret_cast<const unsigned char *>(elements), i)));
		else
			dump_element(elements[i]);
	}
	print("]\n");
}

} // namespace unpu::lang

namespace AscendC {

template <typename T>
void DumpTensor(const LocalTensor<T> &tensor, uint32_t desc, uint32_t count, UNPU_WHERE)
{
	if constexpr (ASCENDC_DUMP != 0) {
		unpu::lang::require_local("DumpTensor", "the tensor", tensor.address_,
					  unpu::lang::bytes_of<T>(count), 1, where);
		unpu::lang::dump(
			static_cast<const T *>(tensor.data()), tensor.address_.bufferAddr,
			unpu::lang::memory_name(unpu::lang::memory_of(tensor.GetPosition())), desc,
			count);
	}
}
template <typename T>
void DumpTensor(const GlobalTensor<T> &tensor, uint32_t desc, uint32_t count, UNPU_WHERE)
{
	if constexpr (ASCENDC_DUMP != 0) {
		const uint64_t address = reinterpret_cast<uint64_t>(tensor.GetPhyAddr());

		unpu::lang::note_global_copy(address, unpu::lang::bytes_of<T>(count),
					     unpu::lang::Access::READ, "DumpTensor",
					     tensor.origin(), where);
		unpu::lang::dump(static_cast<const T *>(tensor.GetPhyAddr()), address, "GM", desc,
				 count);
	}
}
template <typename T>
void DumpTensor(const LocalTensor<T> &tensor, uint32_t desc, uint32_t count, const ShapeInfo &,
		UNPU_WHERE)
{
	DumpTensor(tensor, desc, count, where);
}
template <typename T>
void DumpTensor(const GlobalTensor<T> &tensor, uint32_t desc, uint32_t count, const ShapeInfo &,
		UNPU_WHERE)
{
	DumpTensor(tensor, desc, count, where);
}

} // namespace AscendC

#endif /* UNPU_ASCENDC_PRINT_DUMP_H */
