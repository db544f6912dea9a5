// SPDX-License-Identifier: MIT
/**
 * DOC: Plain objects
 *
 * Objects that only describe something: tensors, data buffers, configurations. They belong to no context, and one
 * thread at a time changes or destroys one. The type of the interface is the type of the object: a program has a handle
 * as a T *, and find_plain() gives the object. So a pointer that is no handle, or a stale one, is never read.
 */
#pragma once

#include "base/result.h"
#include "process.h"
#include "umd/core/handle/handle.h"

namespace umd {

/**
 * struct PlainObject - the base of such an object T.
 *
 * T has `static constexpr const char *NAME`, the noun of its sentences.
 */
template <Kind KIND_OF_T> struct PlainObject {
	static constexpr Kind KIND = KIND_OF_T;
	static constexpr bool IS_RARE = true;

	HandleWord handle;
};

template <class T> using PlainTable = HandleTable<T, T::KIND>;

/** refuse_handle() - NULL_POINTER for NULL, else INVALID_HANDLE, with the error sentence set.
 * @caller: the function of the interface
 * @argument: its argument, which got @handle
 * @noun: what the argument has to be */
[[gnu::cold]] base::Status refuse_handle(const char *caller, const char *argument,
					 const void *handle, const char *noun);

/** refuse_new_object() - NO_MEMORY with the error sentence set. */
base::Status refuse_new_object(const char *caller, const char *noun);

/** make_plain() - an object whose fields are what an earlier one left. Return: nullptr, with the error sentence set. */
template <class T> T *make_plain(const char *caller = __builtin_FUNCTION())
{
	T *const object = Process::own<PlainTable<T>>().create();
	if (!object) [[unlikely]]
		(void)refuse_new_object(caller, T::NAME);
	return object;
}

/** handle_of() - what the program gets. */
template <class T> T *handle_of(const T &object)
{
	return static_cast<T *>(PlainTable<T>::pointer(object));
}

/** peek_plain() - the live object of @handle, or nullptr. Small, and first phases of operators call it often. */
template <class T> [[gnu::always_inline]] inline T *peek_plain(const T *handle)
{
	const auto *table = Process::find<PlainTable<T>>();
	return table ? table->get(handle) : nullptr;
}

/** find_plain() - as peek_plain(). Return: that of refuse_handle() where there is none. */
template <class T>
base::Result<T *> find_plain(const T *handle, const char *argument,
			     const char *caller = __builtin_FUNCTION())
{
	if (T *const object = peek_plain(handle)) [[likely]]
		return object;
	return refuse_handle(caller, argument, handle, T::NAME);
}

/** retire_plain() - as find_plain(), and makes @handle stale. The caller frees what the object owns, then calls
 * free_plain(). */
template <class T>
base::Result<T *> retire_plain(const T *handle, const char *argument,
			       const char *caller = __builtin_FUNCTION())
{
	T *const object = peek_plain(handle);
	if (object && PlainTable<T>::retire(*object, handle)) [[likely]]
		return object;
	return refuse_handle(caller, argument, handle, T::NAME);
}

template <class T> void free_plain(T &object)
{
	Process::own<PlainTable<T>>().recycle(object);
}

} // namespace umd
