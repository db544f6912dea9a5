// SPDX-License-Identifier: MIT
#pragma once

#include "base/status.h"
#include "reach.h"

struct aclOpExecutor;

namespace umd {

/* check_asked() - with UNPU_CHECK: whether the view ends behind the bytes that the program asked for, in the slack
 * of its allocation. @caller, @name: the operator and the tensor, for the sentence. Context: check::is_on(); the
 * view has an address, and check_reach() has passed it
 * Return: OK; with `error` INVALID_ARGUMENT if it does. */
base::Status check_asked(const char *caller, const char *name, const WireView &view);

/* struct NamedView - an operand, and its name for sentences. */
struct NamedView {
	const char *name;
	WireView view;
};

/* check_apart() - with UNPU_CHECK: whether a result overlaps another operand, so that its values are undefined. Views
 * with gaps are not compared: their elements may lie between each other. @may_be_same: the operator may write the
 * result over exactly this operand. Context: check::is_on()
 * Return: OK; with `error` INVALID_ARGUMENT if it does. */
base::Status check_apart(const char *caller, const NamedView &result, const NamedView &other,
			 bool may_be_same);

/* check_operands() - with UNPU_CHECK: whether a task of @stream may use the operands of a prepared call, as
 * check::check_use(). Context: check::is_on()
 * Return: OK; with `error` INVALID_ARGUMENT if not. */
base::Status check_operands(const aclOpExecutor &executor, const void *stream);

} // namespace umd
