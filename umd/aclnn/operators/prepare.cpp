// SPDX-License-Identifier: MIT
/*
 * DOC: First phase of a tensor operator
 *
 * It finds the objects of the program's handles. Then the rule builds the descriptor in the executor.
 */
#include <algorithm>
#include <cstring>
#include <iterator>

#include <fmt/format.h>

#include "umd/acl/acl_error.h"
#include "umd/acl/dump/dump.h"
#include "umd/aclnn/asked.h"
#include "umd/aclnn/description.h"
#include "umd/aclnn/executor.h"
#include "umd/aclnn/rules/plan.h"
#include "umd/core/process/check.h"

namespace umd {

/* As find_object(). Return: whether the object exists. */
template <class T> static bool find(const T *&value, const char *name, const char *caller)
{
	value = find_object(value, name, caller);
	return value;
}

static bool find_members(const aclTensorList &list, const char *name, const char *caller)
{
	for (uint64_t k = 0; k < list.size; k++) {
		if (peek_plain(list.values[k])) [[likely]]
			continue;
		const std::string member = std::string(name) + "[" + std::to_string(k) + "]";
		return find_object(list.values[k], member.c_str(), caller);
	}
	return true;
}

/* Replaces a handle by its object. Return: whether the object exists. */
static bool find_argument(Form form, Argument &argument, const char *name, const char *caller)
{
	switch (form) {
	case Form::TENSOR:
		return find(argument.tensor, name, caller);
	case Form::TENSORS:
		return find(argument.tensors, name, caller) &&
		       find_members(*argument.tensors, name, caller);
	case Form::SCALAR:
		return find(argument.scalar, name, caller);
	case Form::INTEGERS:
		return find(argument.integers, name, caller);
	case Form::REALS:
		return find(argument.reals, name, caller);
	case Form::TEXT:
	case Form::INTEGER:
	case Form::REAL:
		break;
	}
	return true;
}

/* With UNPU_CHECK: refuses a number that is no value of cubeMathType. The device computes the same with each value. */
static base::Status check_word(const char *caller, const ArgumentRow &row, const Argument &argument)
{
	constexpr int64_t LAST = 3;
	const bool is_word = row.form == Form::INTEGER && strcmp(row.name, "cubeMathType") == 0;
	if (!is_word || (argument.integer >= 0 && argument.integer <= LAST))
		return base::Status::OK;
	return check::misuse(
		base::Status::INVALID_ENUM,
		fmt::format("{}: cubeMathType is {}; it must be 0 (KEEP_DTYPE), 1 "
			    "(ALLOW_FP32_DOWN_PRECISION), 2 (USE_FP16) or 3 (USE_HF32)",
			    caller, argument.integer));
}

/* Replaces the handles by their objects. */
static aclnnStatus find_arguments(const OperatorRow &row, Argument *arguments)
{
	const char *const caller = operator_name(row.number);

	for (size_t i = 0; i < row.arguments.size(); i++) {
		const ArgumentRow &argument = row.arguments[i];
		const bool is_pointer =
			argument.form != Form::INTEGER && argument.form != Form::REAL;
		if (is_pointer && !arguments[i].tensor) {
			if (!argument.is_optional)
				return refuse_missing(
					(std::string(caller) + ": " + argument.name).c_str());
			continue;
		}
		if (!find_argument(argument.form, arguments[i], argument.name, caller))
			return wrong_parameter;
		if (check::is_on() &&
		    check_word(caller, argument, arguments[i]) != base::Status::OK)
			return wrong_parameter;
	}
	return OK;
}

/* With UNPU_CHECK: checks that no operand ends behind the bytes that the program asked for. */
static aclnnStatus check_all_asked(const Plan &plan)
{
	for (const Plan::Operand &operand : plan.operands()) {
		const OperatorRow &row = plan.row();
		if (operand.view.base != 0 &&
		    check_asked(operator_name(row.number), row.arguments[operand.argument].name,
				operand.wire()) != base::Status::OK)
			return wrong_parameter;
	}
	return OK;
}

/* Whether a result of the operator may be exactly the same view as another operand (Documentation/operators.rst). */
static bool may_write_over(const OperatorRow &row)
{
	constexpr aclnnStatus (*RULES[])(Plan &) = {
		plan_elementwise, plan_gelu,	plan_prelu,    plan_copy,   plan_cast,
		plan_triangle,	  plan_softmax, plan_rms_norm, plan_rotary, plan_scatter};
	return std::ranges::find(RULES, row.rule) != std::end(RULES);
}

/* With UNPU_CHECK: checks that no result overlaps another operand, or another result. An argument that is the result
 * and an operand is one by itself. */
static aclnnStatus check_all_apart(const Plan &plan)
{
	const OperatorRow &row = plan.row();
	const auto operands = plan.operands();
	for (const Plan::Operand &to : operands) {
		for (const Plan::Operand &other : operands) {
			const bool is_result = other.access & UNPU_ACCESS_WRITE;
			if (!(to.access & UNPU_ACCESS_WRITE) || to.argument == other.argument ||
			    to.view.base == 0 || other.view.base == 0 ||
			    (is_result && other.argument < to.argument))
				continue;
			if (check_apart(operator_name(row.number),
					{row.arguments[to.argument].name, to.wire()},
					{row.arguments[other.argument].name, other.wire()},
					!is_result && may_write_over(row)) != base::Status::OK)
				return wrong_parameter;
		}
	}
	return OK;
}

static aclnnStatus run(const OperatorRow &row, const Argument *arguments, aclOpExecutor &made)
{
	Plan plan(row, arguments, find_member, made);
	const aclnnStatus status = plan.run();
	if (status == OK) {
		if (!check::is_on() || made.is_empty) [[likely]]
			return OK;
		made.unusual |= aclOpExecutor::CHECKED;
		const aclnnStatus asked = check_all_asked(plan);
		return asked == OK ? check_all_apart(plan) : asked;
	}
	(void)set_error(status == missing_parameter ? base::Status::NULL_POINTER
						    : base::Status::INVALID_ARGUMENT,
			std::string(operator_name(row.number)) + ": " + plan.sentence());
	return status;
}

aclnnStatus prepare_tensor(const OperatorRow &row, Argument *arguments, uint64_t *workspace_bytes,
			   aclOpExecutor **executor)
{
	if (!workspace_bytes || !executor)
		return refuse_missing((std::string(operator_name(row.number)) +
				       (workspace_bytes ? ": executor" : ": workspaceSize"))
					      .c_str());
	auto *made = make_executor();
	if (!made)
		return acl_error(base::Status::NO_MEMORY);
	made->number = row.number;
	made->kind = row.kind;
	made->row = &row;
	aclnnStatus status = find_arguments(row, arguments);
	if (status == OK)
		status = run(row, arguments, *made);
	if (status != OK) {
		executors().destroy(*made);
		return status;
	}
	if (operators_watched.load()) [[unlikely]]
		describe(row, arguments, *made);
	*workspace_bytes = 0;
	*executor = static_cast<aclOpExecutor *>(Executors::pointer(*made));
	return OK;
}

} // namespace umd
