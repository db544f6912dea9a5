// SPDX-License-Identifier: MIT
/*
 * DOC: Operators by name
 */
#pragma once

#include <string_view>

#include "arguments.h"

/* struct Prepared - what a first phase returns. */
struct Prepared {
	uint64_t workspace_bytes = 0;
	aclOpExecutor *executor = nullptr;
};

/* struct Operator - the two phases of an operator. */
struct Operator {
	const char *name;
	aclnnStatus (*prepare)(Arguments &arguments, Prepared &prepared);
	aclnnStatus (*launch)(void *workspace, uint64_t bytes, aclOpExecutor *executor,
			      aclrtStream stream);
};

/* find_operator() - Return: nullptr if there is no such operator. */
const Operator *find_operator(std::string_view name);
