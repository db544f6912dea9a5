// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "acl/acl_tdt.h"
#include "tensor_channel.h"

/* An item either points to the program's data, or owns received data. */
struct acltdtDataItem {
	acltdtTensorType kind = ACL_TENSOR_DATA_UNDEFINED;
	aclDataType type = ACL_DT_UNDEFINED;
	std::vector<int64_t> dims;
	void *data = nullptr;
	size_t size = 0;
	size_t slices = 0; /* number of slices of its tensor; 0 if the item is not a slice */
	size_t slice = 0;
	std::vector<std::byte> received;
};

struct acltdtDataset {
	std::string name;
	std::vector<acltdtDataItem *> items;
	std::vector<std::unique_ptr<acltdtDataItem>> owned; /* the items of a received set */
};
