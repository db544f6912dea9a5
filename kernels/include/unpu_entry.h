/* SPDX-License-Identifier: MIT */
/*
 * DOC: Entries and launches
 *
 * unpu-ascendcc includes this header first in each file with kernels. The driver then writes two texts of the
 * preprocessed file: the text of the device image, in which each kernel has an Entry, and the text of the
 * host object, in which each kernel has no body and NAME<<<blocks, l2ctrl, stream>>>(...) has become
 * unpu::launch<&NAME>(blocks, l2ctrl, stream)(...).
 *
 * The driver replaces the word __unpu_pass__ by 1 in the text of the image and by 0 in the text of the host
 * object; kernel_operator.h is used without the driver in CPU mode only.
 */
#ifndef UNPU_ENTRY_H
#define UNPU_ENTRY_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "kernels/abi/block.h"
#include "kernels/abi/image.h"
#include "unpu_ascendc/core/services.h"
#include "unpu_marks.h"

#ifdef UNPU_ASCENDCC
#include "unpu/kernel.h"
#define UNPU_KERNEL_PASS __unpu_pass__
#else
#define UNPU_KERNEL_PASS 1
#endif

namespace unpu {

inline constexpr bool IS_IMAGE = UNPU_KERNEL_PASS;
inline constexpr uint32_t TYPE_OF_CODE =
	0xffffffffu; /* the driver finds the type by the code of the kernel */
inline constexpr uint64_t SYSTEM_WORKSPACE_BYTES = 16u << 20;
inline constexpr uint32_t MAX_PARAMS = UNPU_KERNEL_MAX_PARAMS;

#if defined(HAVE_WORKSPACE)
inline constexpr uint32_t WORKSPACE_FLAG = UNPU_KERNEL_HAS_WORKSPACE;
#else
inline constexpr uint32_t WORKSPACE_FLAG = 0;
#endif
#if defined(HAVE_TILING)
inline constexpr uint32_t TILING_FLAG = UNPU_KERNEL_HAS_TILING;
#else
inline constexpr uint32_t TILING_FLAG = 0;
#endif
#if defined(UNPU_ASCEND310P)
inline constexpr uint32_t CHIP_FLAG = UNPU_KERNEL_HAS_UB_310P;
#else
inline constexpr uint32_t CHIP_FLAG = 0;
#endif
#if defined(ASCENDC_DUMP) && ASCENDC_DUMP + 0 == 0
inline constexpr uint32_t ENTRY_FLAGS = WORKSPACE_FLAG | TILING_FLAG | CHIP_FLAG;
#else
inline constexpr uint32_t ENTRY_FLAGS =
	WORKSPACE_FLAG | TILING_FLAG | CHIP_FLAG | UNPU_KERNEL_HAS_DUMP;
#endif

template <typename T> constexpr bool is_scalar()
{
	return std::is_arithmetic<T>::value || std::is_enum<T>::value || IsNumber<T>::value;
}

template <typename T> constexpr uint32_t kind_of()
{
	static_assert(!std::is_reference<T>::value,
		      "a kernel cannot take a parameter by reference");
	static_assert(std::is_trivially_copyable<T>::value,
		      "a parameter of a kernel must be trivially copyable");
	if (std::is_pointer<T>::value)
		return UNPU_KERNEL_PARAM_POINTER;
	return is_scalar<T>() ? UNPU_KERNEL_PARAM_SCALAR : UNPU_KERNEL_PARAM_STRUCT;
}

/* Layout of the arguments of a kernel with parameters @P: image.h. */
template <typename... P> struct Layout {
	static constexpr uint32_t COUNT = sizeof...(P);
	static_assert(COUNT <= MAX_PARAMS, "a kernel takes at most 64 parameters");

	struct Table {
		struct unpu_kernel_param row[COUNT + 1];
		uint32_t bytes;
	};

	static constexpr Table make()
	{
		Table table{};
		const uint32_t kinds[COUNT + 1] = {kind_of<P>()...};
		const uint32_t sizes[COUNT + 1] = {static_cast<uint32_t>(sizeof(P))...};
		for (uint32_t i = 0; i < COUNT; i++) {
			table.row[i] = {kinds[i], sizes[i], table.bytes, 0};
			table.bytes += (sizes[i] + 7u) & ~7u;
		}
		return table;
	}

	static constexpr Table TABLE = make();
	static_assert(TABLE.bytes <= UNPU_KERNEL_MAX_ARGS_BYTES,
		      "the arguments of a kernel take at most 65536 bytes");
};

template <typename T> struct Slot {
	alignas(T) unsigned char bytes[sizeof(T)] = {};

	T &value() { return *reinterpret_cast<T *>(bytes); }
};

template <typename T> Slot<T> read_slot(const unsigned char *from)
{
	Slot<T> slot;
	memcpy(slot.bytes, from, sizeof(T));
	return slot;
}

/* The name of F with its template arguments, cut out of what the compiler calls this function. */
struct Name {
	char text[UNPU_KERNEL_MAX_NAME];
};

template <auto F> constexpr Name make_name()
{
	const char *text = __PRETTY_FUNCTION__;
	const char *end = text;
	while (*end != '\0')
		end++;
	while (text != end && !(text[0] == 'F' && text[1] == ' ' && text[2] == '='))
		text++;
	text += 3;
	while (*text == ' ' || *text == '&' || *text == '(')
		text++;
	while (end != text && end[-1] != ']')
		end--;
	end--;
	if (end[-1] == ')' && text[-1] == '&')
		end--;
	Name name{};
	for (uint32_t i = 0; text != end && i + 1 < UNPU_KERNEL_MAX_NAME; i++)
		name.text[i] = *text++;
	return name;
}

template <auto F> inline constexpr Name NAME_OF = make_name<F>();

/* A parameter of the kernel; the workspace loses its first part, which belongs to the language. */
template <typename T, uint32_t I, uint32_t COUNT> T argument(const unsigned char *from)
{
	Slot<T> slot = read_slot<T>(from);
	constexpr uint32_t BEHIND = TILING_FLAG != 0 ? 2 : 1;
	if constexpr (WORKSPACE_FLAG != 0 && std::is_pointer<T>::value && I + BEHIND == COUNT) {
		const auto workspace = reinterpret_cast<uint64_t>(slot.value());
		lang::services->block()->workspace = workspace;
		return reinterpret_cast<T>(workspace + SYSTEM_WORKSPACE_BYTES);
	} else {
		static_assert(BEHIND != 0, "used in all cases");
		return slot.value();
	}
}

/* In the namespace of run_kernel(), which a file without kernel_operator.h need not have. */
namespace lang {
template <auto F> struct KernelCall;
template <typename... P, void (*F)(P...)> struct KernelCall<F> {
	const unsigned char *args;

	void operator()() const { call(std::index_sequence_for<P...>()); }

private:
	template <size_t... I> void call(std::index_sequence<I...>) const
	{
		F(argument<P, I, sizeof...(P)>(args + Layout<P...>::TABLE.row[I].offset)...);
	}
};
} /* namespace lang */

/* Entry<&F> - the entry of kernel F in the image. */
template <auto F> struct Entry;

template <typename... P, void (*F)(P...)> struct Entry<F> {
	static void run(const unsigned char *args)
	{
		/* The language's frame, found by the argument's namespace when the file has it. */
		run_kernel(lang::KernelCall<F>{args});
	}

	static struct unpu_kernel_entry entry;
};

template <typename... P, void (*F)(P...)>
struct unpu_kernel_entry Entry<F>::entry __attribute__((used)) = {
	NAME_OF<F>.text, &Entry<F>::run, Layout<P...>::TABLE.row, Layout<P...>::COUNT,
		Layout<P...>::TABLE.bytes, TYPE_OF_CODE, ENTRY_FLAGS, nullptr, nullptr,
};

/* What the driver reads of a kernel in the object of the image; it never gets into the image. */
struct Shape {
	const struct unpu_kernel_entry *entry;
	uint32_t count;
	unsigned char kind[MAX_PARAMS];
};

template <typename... P> constexpr Shape make_shape(const struct unpu_kernel_entry *entry)
{
	Shape shape{};
	const uint32_t kinds[sizeof...(P) + 1] = {kind_of<P>()...};
	shape.entry = entry;
	shape.count = sizeof...(P);
	for (uint32_t i = 0; i < shape.count; i++)
		shape.kind[i] = static_cast<unsigned char>(kinds[i]);
	return shape;
}

template <auto F> struct ShapeOf;
template <typename... P, void (*F)(P...)> struct ShapeOf<F> {
	static constexpr Shape get() { return make_shape<P...>(&Entry<F>::entry); }
};

} /* namespace unpu */

#ifdef UNPU_ASCENDCC
#include "unpu_launch.h"
#endif

#endif /* UNPU_ENTRY_H */
