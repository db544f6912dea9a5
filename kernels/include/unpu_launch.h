/* SPDX-License-Identifier: MIT */
/*
 * DOC: Launches of kernels
 *
 * Only unpu_entry.h includes this header. In the host object a kernel has a body of one statement: it names the
 * image that holds the kernel. A launch calls it to find the image, so a file may also launch a kernel that
 * another file defines. In the image a launch does nothing, but one of a template makes the entry of what it
 * launches.
 */
#ifndef UNPU_LAUNCH_H
#define UNPU_LAUNCH_H

#include "unpu_entry.h"

namespace unpu {

/* One row of the table that the driver adds to an image. */
struct TableRow {
	struct unpu_kernel_entry *entry;
	const struct unpu_kernel_entry *cube; /* what cube cores run; it may be the same */
	uint64_t type;
};

} /* namespace unpu */

extern "C" {
extern const struct unpu::TableRow unpu_kernel_table[] __attribute__((visibility("hidden")));
extern const uint64_t unpu_kernel_table_rows __attribute__((visibility("hidden")));
}

namespace unpu {

inline void attach(const struct unpu_kernel_services *given)
{
	lang::services = given;
}

/* The body of unpu_kernel_image(), which the driver adds to the text of the image. */
inline const struct unpu_kernel_image *make_image()
{
	static struct unpu_kernel_image image;
	image = {UNPU_KERNEL_IMAGE_VERSION, sizeof(image), nullptr, &attach};
	for (uint64_t i = unpu_kernel_table_rows; i-- != 0;) {
		struct unpu_kernel_entry *entry = unpu_kernel_table[i].entry;
		const struct unpu_kernel_entry *cube = unpu_kernel_table[i].cube;
		entry->type = static_cast<uint32_t>(unpu_kernel_table[i].type);
		if (cube != entry) {
			entry->flags |= UNPU_KERNEL_HAS_CUBE_RUN;
			entry->run_cube = cube->run;
		}
		entry->next = image.entries;
		image.entries = entry;
	}
	return &image;
}

/* The image of this file, registered by the driver's code at the end of the text of the host object. */
namespace {
void *file_image [[maybe_unused]];
}

/* The image of the kernel that has been called last in this thread. */
inline thread_local void *called_image = nullptr;

/* Converts as a call of a function of the device does: any pointer to any other, numbers without a warning. */
template <typename To, typename From> To convert(From &&from)
{
	return (To)from;
}

template <auto F> struct Launch;

template <typename... P, void (*F)(P...)> struct Launch<F> {
	uint32_t blocks;
	void *stream;

	template <typename... A> int operator()(A &&...args) const
	{
		static_assert(sizeof...(A) == sizeof...(P),
			      "the launch does not have one argument for each parameter");
		if constexpr (IS_IMAGE)
			return 0;
		else
			return pack(std::index_sequence_for<P...>(), convert<P>(args)...);
	}

private:
	template <size_t... I> int pack(std::index_sequence<I...>, P... value) const
	{
		using Table = Layout<P...>;
		alignas(16) unsigned char bytes[Table::TABLE.bytes + 8] = {};
		(memcpy(bytes + Table::TABLE.row[I].offset, &value, sizeof(value)), ...);
		F(Slot<P>().value()...);
		return static_cast<int>(unpu_launch_kernel(called_image, NAME_OF<F>.text, blocks,
							   stream, bytes, Table::TABLE.bytes));
	}
};

/* What NAME<<<blocks, l2ctrl, stream>>> becomes. */
template <auto F>
Launch<F> launch(uint32_t blocks, const void * = nullptr, const void *stream = nullptr)
{
	return {blocks, const_cast<void *>(stream)};
}

/* The same for NAME<arguments>: the image gets the entry of what is launched. */
template <auto F>
Launch<F> launch_instance(uint32_t blocks, const void * = nullptr, const void *stream = nullptr)
{
	if constexpr (IS_IMAGE)
		(void)&Entry<F>::entry;
	return {blocks, const_cast<void *>(stream)};
}

/* Parameter of aclrtlaunch_NAME(): an untyped pointer, a number, or a pointer to the struct. */
template <typename T>
using StubParam = std::conditional_t<std::is_pointer<T>::value, void *,
				     std::conditional_t<is_scalar<T>(), T, T *>>;

template <typename T> T from_stub(StubParam<T> given)
{
	if constexpr (std::is_pointer<T>::value)
		return (T)given;
	else if constexpr (is_scalar<T>())
		return given;
	else
		return *given;
}

template <auto F, size_t I> struct ParamOf;
template <size_t I, typename First, typename... Rest> struct Pick {
	using type = typename Pick<I - 1, Rest...>::type;
};
template <typename First, typename... Rest> struct Pick<0, First, Rest...> {
	using type = First;
};
template <typename... P, void (*F)(P...), size_t I> struct ParamOf<F, I> {
	using type = typename Pick<I, P...>::type;
};

} /* namespace unpu */

#endif /* UNPU_LAUNCH_H */
