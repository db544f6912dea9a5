// SPDX-License-Identifier: MIT
/*
 * DOC: Entry points with a missing argument
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 */
#pragma once

/* clang-format off */

/* X(function, argument, call): @call has NULL for the argument. */
#define MISSING_ARGUMENTS(X) \
	X(aclnnExpGetWorkspaceSize, "self", \
	  aclnnExpGetWorkspaceSize(nullptr, tensor, &workspace, &executor)) \
	X(aclnnExpGetWorkspaceSize, "out", \
	  aclnnExpGetWorkspaceSize(tensor, nullptr, &workspace, &executor)) \
	X(aclnnInplaceExpGetWorkspaceSize, "selfRef", \
	  aclnnInplaceExpGetWorkspaceSize(nullptr, &workspace, &executor)) \
	X(aclnnSubGetWorkspaceSize, "self", \
	  aclnnSubGetWorkspaceSize(nullptr, tensor, scalar, tensor, &workspace, &executor)) \
	X(aclnnSubGetWorkspaceSize, "other", \
	  aclnnSubGetWorkspaceSize(tensor, nullptr, scalar, tensor, &workspace, &executor)) \
	X(aclnnSubGetWorkspaceSize, "alpha", \
	  aclnnSubGetWorkspaceSize(tensor, tensor, nullptr, tensor, &workspace, &executor)) \
	X(aclnnSubGetWorkspaceSize, "out", \
	  aclnnSubGetWorkspaceSize(tensor, tensor, scalar, nullptr, &workspace, &executor)) \
	X(aclnnInplaceSubGetWorkspaceSize, "selfRef", \
	  aclnnInplaceSubGetWorkspaceSize(nullptr, tensor, scalar, &workspace, &executor)) \
	X(aclnnInplaceSubGetWorkspaceSize, "other", \
	  aclnnInplaceSubGetWorkspaceSize(tensor, nullptr, scalar, &workspace, &executor)) \
	X(aclnnInplaceSubGetWorkspaceSize, "alpha", \
	  aclnnInplaceSubGetWorkspaceSize(tensor, tensor, nullptr, &workspace, &executor))
