// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL tensor items and sets of items
 */
#include <algorithm>
#include <new>

#include "acl/acl.h"
#include "tensor_items.h"
#include "umd/acl/front.h"

using base::Status;
using umd::acl_return;
using umd::null_argument;
using umd::set_error;

acltdtTensorType acltdtGetTensorTypeFromItem(const acltdtDataItem *dataItem)
{
	return dataItem ? dataItem->kind : ACL_TENSOR_DATA_UNDEFINED;
}

aclDataType acltdtGetDataTypeFromItem(const acltdtDataItem *dataItem)
{
	return dataItem ? dataItem->type : ACL_DT_UNDEFINED;
}

void *acltdtGetDataAddrFromItem(const acltdtDataItem *dataItem)
{
	return dataItem ? dataItem->data : nullptr;
}

size_t acltdtGetDataSizeFromItem(const acltdtDataItem *dataItem)
{
	return dataItem ? dataItem->size : 0;
}

size_t acltdtGetDimNumFromItem(const acltdtDataItem *dataItem)
{
	return dataItem ? dataItem->dims.size() : 0;
}

aclError acltdtGetSliceInfoFromItem(const acltdtDataItem *dataItem, size_t *sliceNum,
				    size_t *sliceId)
{
	if (!dataItem || !sliceNum || !sliceId)
		return acl_return(null_argument(!dataItem   ? "dataItem"
						: !sliceNum ? "sliceNum"
							    : "sliceId"));
	*sliceNum = dataItem->slices;
	*sliceId = dataItem->slice;
	return ACL_SUCCESS;
}

aclError acltdtGetDimsFromItem(const acltdtDataItem *dataItem, int64_t *dims, size_t dimNum)
{
	if (!dataItem || (!dims && dimNum > 0))
		return acl_return(null_argument(dataItem ? "dims" : "dataItem"));
	if (dimNum < dataItem->dims.size())
		return acl_return(set_error(Status::NULL_POINTER,
					    fmt::format("dimNum is {}; the item has {} dimensions",
							dimNum, dataItem->dims.size())));
	std::copy(dataItem->dims.begin(), dataItem->dims.end(), dims);
	return ACL_SUCCESS;
}

static bool has_data(acltdtTensorType kind)
{
	return kind == ACL_TENSOR_DATA_TENSOR || kind == ACL_TENSOR_DATA_SLICE_TENSOR ||
	       kind == ACL_TENSOR_DATA_END_TENSOR;
}

static Status check_item(acltdtTensorType kind, const int64_t *dims, size_t count, const void *data,
			 size_t size)
{
	constexpr size_t MAX_DIMS = 128;
	if (kind < ACL_TENSOR_DATA_TENSOR || kind > ACL_TENSOR_DATA_END_TENSOR)
		return set_error(Status::INVALID_ENUM,
				 fmt::format("tdtType is {}; it must be 0 to 4, one of "
					     "acltdtTensorType",
					     static_cast<int>(kind)));
	if (count > MAX_DIMS)
		return set_error(
			Status::INVALID_ENUM,
			fmt::format("dimNum is {}; it must not be more than {}", count, MAX_DIMS));
	if (!dims && count > 0)
		return null_argument("dims");
	if (!data && size > 0)
		return null_argument("data");
	if (has_data(kind) || size == 0)
		return Status::OK;
	return set_error(Status::INVALID_ENUM,
			 fmt::format("size is {}; an item of kind {} has no data", size,
				     static_cast<int>(kind)));
}

acltdtDataItem *acltdtCreateDataItem(acltdtTensorType tdtType, const int64_t *dims, size_t dimNum,
				     aclDataType dataType, void *data, size_t size)
{
	Status status = check_item(tdtType, dims, dimNum, data, size);
	if (status != Status::OK) {
		(void)acl_return(status);
		return nullptr;
	}
	auto *item = new (std::nothrow) acltdtDataItem;
	if (!item) {
		(void)acl_return(
			set_error(Status::NO_MEMORY,
				  "no memory is left for an item; free some of the host's"));
		return nullptr;
	}
	item->kind = tdtType;
	item->type = dataType;
	item->dims.assign(dims, dims + dimNum);
	item->data = data;
	item->size = size;
	return item;
}

aclError acltdtDestroyDataItem(acltdtDataItem *dataItem)
{
	if (!dataItem)
		return acl_return(null_argument("dataItem"));
	delete dataItem;
	return ACL_SUCCESS;
}

acltdtDataset *acltdtCreateDataset()
{
	auto *set = new (std::nothrow) acltdtDataset;
	if (!set)
		(void)acl_return(set_error(Status::NO_MEMORY,
					   "no memory is left for a set; free some of the host's"));
	return set;
}

aclError acltdtDestroyDataset(acltdtDataset *dataset)
{
	if (!dataset)
		return acl_return(null_argument("dataset"));
	delete dataset;
	return ACL_SUCCESS;
}

acltdtDataItem *acltdtGetDataItem(const acltdtDataset *dataset, size_t index)
{
	return dataset && index < dataset->items.size() ? dataset->items[index] : nullptr;
}

aclError acltdtAddDataItem(acltdtDataset *dataset, acltdtDataItem *dataItem)
{
	if (!dataset || !dataItem)
		return acl_return(null_argument(dataset ? "dataItem" : "dataset"));
	if (!dataset->owned.empty())
		return acl_return(set_error(Status::RESERVED_FLAG,
					    "dataset was received; items are added only to sets "
					    "that the program made"));
	dataset->items.push_back(dataItem);
	return ACL_SUCCESS;
}

size_t acltdtGetDatasetSize(const acltdtDataset *dataset)
{
	return dataset ? dataset->items.size() : 0;
}

const char *acltdtGetDatasetName(const acltdtDataset *dataset)
{
	return dataset ? dataset->name.c_str() : nullptr;
}
