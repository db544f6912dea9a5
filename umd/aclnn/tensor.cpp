// SPDX-License-Identifier: MIT
/*
 * DOC: Tensors
 *
 * Functions that create, read and destroy tensors. Creation only refuses what an aclTensor can't
 * represent. Programs create tensors with NULL data, with types that no operator supports, with garbage
 * in the strides of dims of size 1 and with storage dims that are no sizes; each operator checks
 * whether that matters.
 */
#include <algorithm>
#include <new>
#include <string>

#include "check_tensor.h"
#include "objects.h"
#include "umd/core/process/mode.h"

namespace {

bool any_negative(const int64_t *values, uint64_t n)
{
	return std::any_of(values, values + n, [](int64_t value) { return value < 0; });
}

/* fill_packed_strides() - strides of a dense tensor. With a dim of size 0 no stride is ever used, so
 * the product may wrap. */
void fill_packed_strides(aclTensor &tensor)
{
	uint64_t stride = 1;

	for (unsigned d = tensor.ndim; d-- > 0;) {
		tensor.strides[d] = static_cast<int64_t>(stride);
		stride *= static_cast<uint64_t>(tensor.dims[d]);
	}
}

/* copy_out() - gives the caller a new array, which the caller owns. */
aclnnStatus copy_out(const int64_t *from, unsigned n, int64_t **to, uint64_t *count)
{
	int64_t *copy = new (std::nothrow) int64_t[n];

	if (!copy)
		return umd::refuse("no memory for " + std::to_string(n) + " dims");
	std::copy_n(from, n, copy);
	*to = copy;
	*count = n;
	return OK;
}

} // namespace

aclTensor *aclCreateTensor(const int64_t *viewDims, uint64_t viewDimsNum, aclDataType dataType,
			   const int64_t *stride, int64_t offset, aclFormat format,
			   const int64_t *storageDims, uint64_t storageDimsNum, void *tensorData)
{
	if (viewDimsNum > umd::max_dims || storageDimsNum > umd::max_dims)
		return umd::refuse_to_create("a tensor has at most 8 dims, not " +
					     std::to_string(std::max(viewDimsNum, storageDimsNum)));
	if ((!viewDims && viewDimsNum > 0) || (!storageDims && storageDimsNum > 0))
		return umd::refuse_to_create("the dims of a tensor are NULL but not 0 in number; "
					     "pass the dims, or 0 as their number");
	if (any_negative(viewDims, viewDimsNum))
		return umd::refuse_to_create("a dim of a tensor is negative; dims are 0 or more");

	aclTensor *tensor = umd::make_plain<aclTensor>();
	if (!tensor)
		return nullptr;
	tensor->ndim = static_cast<unsigned>(viewDimsNum);
	tensor->storage_ndim = static_cast<unsigned>(storageDimsNum);
	tensor->dtype = dataType;
	tensor->format = format;
	tensor->offset = offset;
	tensor->data = tensorData;
	std::copy_n(viewDims, viewDimsNum, tensor->dims);
	std::copy_n(storageDims, storageDimsNum, tensor->storage_dims);
	if (stride)
		std::copy_n(stride, viewDimsNum, tensor->strides);
	else
		fill_packed_strides(*tensor);
	aclTensor *const handle = umd::handle_of(*tensor);
	return umd::check::is_on() ? umd::check_tensor(*tensor, handle) : handle;
}

aclnnStatus aclDestroyTensor(const aclTensor *tensor)
{
	/* As free(), it does nothing with NULL. */
	if (!tensor)
		return OK;
	const auto ended = umd::retire_plain(tensor, "tensor");
	if (!ended)
		return umd::wrong_parameter;
	umd::free_plain(**ended);
	return OK;
}

aclnnStatus aclGetViewShape(const aclTensor *tensor, int64_t **viewDims, uint64_t *viewDimsNum)
{
	if (!tensor || !viewDims || !viewDimsNum)
		return umd::refuse_missing("tensor, viewDims or viewDimsNum");
	const aclTensor *const found = umd::find_object(tensor, "tensor");
	if (!found)
		return umd::wrong_parameter;
	return copy_out(found->dims, found->ndim, viewDims, viewDimsNum);
}

aclnnStatus aclGetStorageShape(const aclTensor *tensor, int64_t **storageDims,
			       uint64_t *storageDimsNum)
{
	if (!tensor || !storageDims || !storageDimsNum)
		return umd::refuse_missing("tensor, storageDims or storageDimsNum");
	const aclTensor *const found = umd::find_object(tensor, "tensor");
	if (!found)
		return umd::wrong_parameter;
	return copy_out(found->storage_dims, found->storage_ndim, storageDims, storageDimsNum);
}

aclnnStatus aclGetViewStrides(const aclTensor *tensor, int64_t **stridesValue, uint64_t *stridesNum)
{
	if (!tensor || !stridesValue || !stridesNum)
		return umd::refuse_missing("tensor, stridesValue or stridesNum");
	const aclTensor *const found = umd::find_object(tensor, "tensor");
	if (!found)
		return umd::wrong_parameter;
	return copy_out(found->strides, found->ndim, stridesValue, stridesNum);
}

aclnnStatus aclGetViewOffset(const aclTensor *tensor, int64_t *offset)
{
	if (!tensor || !offset)
		return umd::refuse_missing("tensor or offset");
	const aclTensor *const found = umd::find_object(tensor, "tensor");
	if (!found)
		return umd::wrong_parameter;
	*offset = found->offset;
	return OK;
}

aclnnStatus aclGetFormat(const aclTensor *tensor, aclFormat *format)
{
	if (!tensor || !format)
		return umd::refuse_missing("tensor or format");
	const aclTensor *const found = umd::find_object(tensor, "tensor");
	if (!found)
		return umd::wrong_parameter;
	*format = found->format;
	return OK;
}

aclnnStatus aclGetDataType(const aclTensor *tensor, aclDataType *dataType)
{
	if (!tensor || !dataType)
		return umd::refuse_missing("tensor or dataType");
	const aclTensor *const found = umd::find_object(tensor, "tensor");
	if (!found)
		return umd::wrong_parameter;
	*dataType = found->dtype;
	return OK;
}
