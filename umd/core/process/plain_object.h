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
 * T has `static constexpr const char *NAME`, its name in error messages.
 */
template <Kind KIND_OF_T> struct PlainObject {
	static constexpr Kind KIND = KIND_OF_T;
	static constexpr bool IS_RARE = true;

	HandleWord handle;
};

template <class T> using PlainTable = HandleTable<T, T::KIND>;

/** refuse_handle() - NULL_POINTER for NULL, else INVALID_HANDLE, and sets the error message.
 * @caller: the function of the interface
 * @argument: the argument that has the value @handle
 * @noun: the kind of object that the argument has to be */
[[gnu::cold]] base::Status refuse_handle(const char *caller, const char *argument,
					 const void *handle, const char *noun);

/** refuse_new_object() - returns NO_MEMORY and sets the error message. */
base::Status refuse_new_object(const char *caller, const char *noun);

/** make_plain() - makes an object. Its fields may have values of an earlier object. Return: nullptr if there
 * is no memory; sets the error message. */
template <class T> T *make_plain(const char *caller = __builtin_FUNCTION())
{
	T *const object = Process::own<PlainTable<T>>().create();
	if (!object) [[unlikely]]
		(void)refuse_new_object(caller, T::NAME);
	return object;
}

/** handle_of() - the handle that the program gets. */
template <class T> T *handle_of(const T &object)
{
	return static_cast<T *>(PlainTable<T>::pointer(object));
}

/** peek_plain() - the live object of @handle, or nullptr. It is inlined, because first phases of operators
 * call it often. */
template <class T> [[gnu::always_inline]] inline T *peek_plain(const T *handle)
{
	const auto *table = Process::find<PlainTable<T>>();
	return table ? table->get(handle) : nullptr;
}

/** find_plain() - as peek_plain(). Return: the result of refuse_handle() if there is no such object. */
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
