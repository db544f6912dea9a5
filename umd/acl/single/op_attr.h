// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "acl/acl_op.h"
#include "models/ir/ir_model.h"
#include "umd/core/process/plain_object.h"

/** struct aclopAttr - the attributes of an operator, in the order of their names. */
struct aclopAttr : umd::PlainObject<umd::Kind::OP_ATTR> {
	static constexpr const char *NAME = "list of attributes";

	std::vector<models::ir::Attribute> values;
};
