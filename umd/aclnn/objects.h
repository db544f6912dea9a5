// SPDX-License-Identifier: MIT
/*
 * DOC: Operand objects
 *
 * The types behind the opaque pointers of aclnn/acl_meta.h. Each object owns copies of everything that it was
 * created from, except tensor data. A program has handles. The entry points find the objects, and pass them to all
 * other functions.
 */
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "aclnn/acl_meta.h"
#include "uapi/operator.h"
#include "umd/core/process/error.h"
#include "umd/core/process/plain_object.h"

namespace umd {

inline constexpr uint64_t max_dims = UNPU_OPERATOR_MAX_DIMS;

/* Error codes of operator calls for a missing and for a wrong argument. */
inline constexpr aclnnStatus missing_parameter = 161001;
inline constexpr aclnnStatus wrong_parameter = 161002;

/* refuse_missing() - sets the error message "@what is NULL". */
inline aclnnStatus refuse_missing(const char *what)
{
	(void)set_error(base::Status::NULL_POINTER, std::string(what) + " is NULL");
	return missing_parameter;
}

/* refuse() - sets the error message @text. */
inline aclnnStatus refuse(std::string text)
{
	(void)set_error(base::Status::INVALID_ARGUMENT, std::move(text));
	return wrong_parameter;
}

/* refuse_unsupported() - sets the error message "@name is not supported: @why". */
aclnnStatus refuse_unsupported(const char *name, const char *why);

/* refuse_to_create() - as refuse(), for functions that return an object. */
inline std::nullptr_t refuse_to_create(std::string text)
{
	(void)refuse(std::move(text));
	return nullptr;
}

/* find_object() - the live object of @handle. Return: NULL, and the error message is set. */
template <class T>
[[gnu::always_inline]] inline T *find_object(const T *handle, const char *argument,
					     const char *caller = __builtin_FUNCTION())
{
	if (T *const object = peek_plain(handle)) [[likely]]
		return object;
	(void)refuse_handle(caller, argument, handle, T::NAME);
	return nullptr;
}

/* struct Array - an array of fixed size. */
template <class T> struct Array {
	std::unique_ptr<T[]> values;
	uint64_t size;
};

} // namespace umd

struct aclTensor : umd::PlainObject<umd::Kind::TENSOR> {
	static constexpr const char *NAME = "tensor";

	int64_t dims[umd::max_dims];
	int64_t strides[umd::max_dims];
	unsigned ndim;
	unsigned storage_ndim;
	aclDataType dtype;
	aclFormat format;
	int64_t offset;
	void *data;
	int64_t storage_dims[umd::max_dims];
};

/*
 * The value in each form that an operator may need. @real is exact for all types except 64-bit
 * integers. @integer has the bits of an ACL_UINT64.
 */
struct aclScalar : umd::PlainObject<umd::Kind::SCALAR> {
	static constexpr const char *NAME = "scalar";

	aclDataType dtype;
	bool is_floating;
	double real;
	int64_t integer;
};

namespace umd {

/* has_elements() - whether no dim is 0. */
inline bool has_elements(const int64_t *dims, unsigned ndim)
{
	return std::find(dims, dims + ndim, 0) == dims + ndim;
}

/*
 * form_of() - a hash of the type, shape, strides and offset of a tensor. The
 * stride of a dim of size 1 is never used, so it does not count.
 */
inline uint64_t form_of(const aclTensor &tensor)
{
	uint64_t form = static_cast<uint64_t>(tensor.dtype) << 8 | tensor.ndim;
	const auto add = [&form](int64_t number) {
		form = (form ^ static_cast<uint64_t>(number)) * 0x9e3779b97f4a7c15;
		form ^= form >> 32;
	};
	add(tensor.offset);
	for (unsigned d = 0; d < tensor.ndim; d++) {
		add(tensor.dims[d]);
		add(tensor.dims[d] == 1 ? 0 : tensor.strides[d]);
	}
	return form;
}

/* exact_integer() - the value of a scalar that is an integer. */
inline __int128 exact_integer(const aclScalar &scalar)
{
	return scalar.dtype == ACL_UINT64 ? __int128(static_cast<uint64_t>(scalar.integer))
					  : scalar.integer;
}

/* has_fraction() - whether the value of a scalar is not representable as an integer of 64 bits. */
inline bool has_fraction(const aclScalar &scalar)
{
	return scalar.is_floating && static_cast<double>(scalar.integer) != scalar.real;
}

} // namespace umd

struct aclIntArray : umd::PlainObject<umd::Kind::INT_ARRAY>, umd::Array<int64_t> {
	static constexpr const char *NAME = "array of integers";
};
struct aclFloatArray : umd::PlainObject<umd::Kind::FLOAT_ARRAY>, umd::Array<float> {
	static constexpr const char *NAME = "array of floats";
};
struct aclBoolArray : umd::PlainObject<umd::Kind::BOOL_ARRAY>, umd::Array<bool> {
	static constexpr const char *NAME = "array of truth values";
};

/* The values of a list are the handles of its members. */
struct aclTensorList : umd::PlainObject<umd::Kind::TENSOR_LIST>, umd::Array<const aclTensor *> {
	static constexpr const char *NAME = "list of tensors";
};
struct aclScalarList : umd::PlainObject<umd::Kind::SCALAR_LIST>, umd::Array<const aclScalar *> {
	static constexpr const char *NAME = "list of scalars";
};

namespace umd {

/* find_member() - the object of a member of a list. Context: the entry point found all of them. */
inline const aclTensor &find_member(const aclTensor *handle)
{
	/* Objects are never freed, so there is one even if another thread has just destroyed the tensor. */
	return *Process::find<PlainTable<aclTensor>>()->find(handle);
}

} // namespace umd
