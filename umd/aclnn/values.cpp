// SPDX-License-Identifier: MIT
/*
 * DOC: Scalars, arrays and lists
 *
 * The operands of operators that are not tensors. A scalar is decoded once, when it is created. A list
 * owns its members: destroying the list destroys them.
 */
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <type_traits>

#include "objects.h"

namespace {

/* to_integer() - rounds toward zero. A number that does not fit gives 0, and operators refuse such a
 * scalar. */
int64_t to_integer(double real)
{
	return std::fabs(real) < 0x1p63 ? static_cast<int64_t>(real) : 0;
}

template <class T> void decode(aclScalar &scalar, const void *value)
{
	T number;

	std::memcpy(&number, value, sizeof(number));
	scalar.is_floating = std::is_floating_point_v<T>;
	scalar.real = static_cast<double>(number);
	if constexpr (std::is_floating_point_v<T>)
		scalar.integer = to_integer(number);
	else
		scalar.integer = static_cast<int64_t>(number);
}

void decode_truth(aclScalar &scalar, const void *value)
{
	uint8_t bits;

	std::memcpy(&bits, value, sizeof(bits));
	const uint8_t truth = bits != 0;
	decode<uint8_t>(scalar, &truth);
}

void decode_bfloat(aclScalar &scalar, const void *value)
{
	uint16_t bits;

	std::memcpy(&bits, value, sizeof(bits));
	const float number = std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
	decode<float>(scalar, &number);
}

void decode_half(aclScalar &scalar, const void *value)
{
	uint16_t bits;

	std::memcpy(&bits, value, sizeof(bits));
	const int exponent = (bits >> 10) & 0x1f;
	const int mantissa = bits & 0x3ff;
	double number;
	if (exponent == 0x1f)
		number = mantissa ? NAN : INFINITY;
	else if (exponent == 0)
		number = std::ldexp(mantissa, -24);
	else
		number = std::ldexp(mantissa + 0x400, exponent - 25);
	number = std::copysign(number, bits & 0x8000 ? -1.0 : 1.0);
	decode<double>(scalar, &number);
}

/* decode_scalar() - Return: false for a type that a scalar can't have. */
bool decode_scalar(aclScalar &scalar, const void *value)
{
	switch (scalar.dtype) {
	case ACL_FLOAT:
		return decode<float>(scalar, value), true;
	case ACL_DOUBLE:
		return decode<double>(scalar, value), true;
	case ACL_FLOAT16:
		return decode_half(scalar, value), true;
	case ACL_BF16:
		return decode_bfloat(scalar, value), true;
	case ACL_INT8:
		return decode<int8_t>(scalar, value), true;
	case ACL_INT16:
		return decode<int16_t>(scalar, value), true;
	case ACL_INT32:
		return decode<int32_t>(scalar, value), true;
	case ACL_INT64:
		return decode<int64_t>(scalar, value), true;
	case ACL_BOOL:
		return decode_truth(scalar, value), true;
	case ACL_UINT8:
		return decode<uint8_t>(scalar, value), true;
	case ACL_UINT16:
		return decode<uint16_t>(scalar, value), true;
	case ACL_UINT32:
		return decode<uint32_t>(scalar, value), true;
	case ACL_UINT64:
		return decode<uint64_t>(scalar, value), true;
	default:
		return false;
	}
}

/* create_array() - an object of type A with copies of @value. */
template <class A, class T>
A *create_array(const T *value, uint64_t size, const char *caller = __builtin_FUNCTION())
{
	if (!value && size > 0)
		return umd::refuse_to_create("the values of an array are NULL but not 0 in number; "
					     "pass the values, or 0 as their number");
	if (size > SIZE_MAX / sizeof(T) / 2)
		return umd::refuse_to_create("an array of " + std::to_string(size) +
					     " elements is too large");
	std::unique_ptr<T[]> values(new (std::nothrow) T[size]);
	if (!values)
		return umd::refuse_to_create("no memory for an array of " + std::to_string(size) +
					     " elements");
	A *array = umd::make_plain<A>(caller);
	if (!array)
		return nullptr;
	std::copy_n(value, size, values.get());
	array->values = std::move(values);
	array->size = size;
	return umd::handle_of(*array);
}

template <class A, class T>
A *create_list(const T *const *value, uint64_t size, const char *caller = __builtin_FUNCTION())
{
	if (value && std::find(value, value + size, nullptr) != value + size)
		return umd::refuse_to_create("a member of a list is NULL; each must be an object");
	for (uint64_t i = 0; value && i < size; i++)
		if (!umd::find_object(value[i], "a member of value", caller))
			return nullptr;
	return create_array<A, const T *>(value, size, caller);
}

/* For scalars and arrays. As free(), it does nothing with NULL. */
template <class A>
aclnnStatus destroy(const A *object, const char *argument,
		    const char *caller = __builtin_FUNCTION())
{
	if (!object)
		return OK;
	const auto ended = umd::retire_plain(object, argument, caller);
	if (!ended)
		return umd::wrong_parameter;
	if constexpr (requires { (*ended)->values; })
		(*ended)->values.reset();
	umd::free_plain(**ended);
	return OK;
}

/* Destroys the list and each member that is left, also if the program has destroyed one before. */
template <class A>
aclnnStatus destroy_list(const A *list, const char *caller = __builtin_FUNCTION())
{
	if (!list)
		return OK;
	const auto ended = umd::retire_plain(list, "list", caller);
	if (!ended)
		return umd::wrong_parameter;
	aclnnStatus status = OK;
	for (uint64_t i = 0; i < (*ended)->size; i++)
		if (const aclnnStatus now =
			    destroy((*ended)->values[i], "a member of list", caller);
		    now != OK)
			status = now;
	(*ended)->values.reset();
	umd::free_plain(**ended);
	return status;
}

template <class A>
aclnnStatus get_size(const A *array, uint64_t *size, const char *argument,
		     const char *caller = __builtin_FUNCTION())
{
	if (!array || !size)
		return umd::refuse_missing("array, list or size");
	const A *const found = umd::find_object(array, argument, caller);
	if (!found)
		return umd::wrong_parameter;
	*size = found->size;
	return OK;
}

} // namespace

aclScalar *aclCreateScalar(void *value, aclDataType dataType)
{
	if (!value)
		return umd::refuse_to_create("the value of a scalar is NULL; pass a pointer to it");
	aclScalar decoded{};
	decoded.dtype = dataType;
	if (!decode_scalar(decoded, value))
		return umd::refuse_to_create("a scalar can't have type " +
					     std::to_string(dataType));
	aclScalar *scalar = umd::make_plain<aclScalar>();
	if (!scalar)
		return nullptr;
	scalar->dtype = decoded.dtype;
	scalar->is_floating = decoded.is_floating;
	scalar->real = decoded.real;
	scalar->integer = decoded.integer;
	return umd::handle_of(*scalar);
}

aclIntArray *aclCreateIntArray(const int64_t *value, uint64_t size)
{
	return create_array<aclIntArray>(value, size);
}

aclFloatArray *aclCreateFloatArray(const float *value, uint64_t size)
{
	return create_array<aclFloatArray>(value, size);
}

aclBoolArray *aclCreateBoolArray(const bool *value, uint64_t size)
{
	return create_array<aclBoolArray>(value, size);
}

aclTensorList *aclCreateTensorList(const aclTensor *const *value, uint64_t size)
{
	return create_list<aclTensorList>(value, size);
}

aclScalarList *aclCreateScalarList(const aclScalar *const *value, uint64_t size)
{
	return create_list<aclScalarList>(value, size);
}

aclnnStatus aclDestroyScalar(const aclScalar *scalar)
{
	return destroy(scalar, "scalar");
}

aclnnStatus aclDestroyIntArray(const aclIntArray *array)
{
	return destroy(array, "array");
}

aclnnStatus aclDestroyFloatArray(const aclFloatArray *array)
{
	return destroy(array, "array");
}

aclnnStatus aclDestroyBoolArray(const aclBoolArray *array)
{
	return destroy(array, "array");
}

aclnnStatus aclDestroyTensorList(const aclTensorList *list)
{
	return destroy_list(list);
}

aclnnStatus aclDestroyScalarList(const aclScalarList *list)
{
	return destroy_list(list);
}

aclnnStatus aclGetIntArraySize(const aclIntArray *array, uint64_t *size)
{
	return get_size(array, size, "array");
}

aclnnStatus aclGetFloatArraySize(const aclFloatArray *array, uint64_t *size)
{
	return get_size(array, size, "array");
}

aclnnStatus aclGetBoolArraySize(const aclBoolArray *array, uint64_t *size)
{
	return get_size(array, size, "array");
}

aclnnStatus aclGetTensorListSize(const aclTensorList *list, uint64_t *size)
{
	return get_size(list, size, "list");
}

aclnnStatus aclGetScalarListSize(const aclScalarList *list, uint64_t *size)
{
	return get_size(list, size, "list");
}
