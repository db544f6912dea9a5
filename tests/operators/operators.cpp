// SPDX-License-Identifier: MIT
/*
 * DOC: The operators that the driver can call
 *
 * A table from the name of each operator to its two phases. For each parameter of the first phase, the driver takes
 * an argument of the parameter's type from the case.
 */
#include "operators.h"

#include <cstdio>
#include <tuple>

#include "operator_rows.h"

namespace {

/* take() - the next argument, or where a result of the first phase goes, as a parameter of type P. */
template <class P> P take(Arguments &arguments, Prepared &prepared)
{
	if constexpr (std::is_same_v<P, uint64_t *>)
		return &prepared.workspace_bytes;
	else if constexpr (std::is_same_v<P, aclOpExecutor **>)
		return &prepared.executor;
	else
		return arguments.next().as<P>();
}

template <class... P>
aclnnStatus prepare(aclnnStatus (*function)(P...), Arguments &arguments, Prepared &prepared)
{
	/* Braces: the parameters are taken from left to right. */
	const std::tuple<P...> values{take<P>(arguments, prepared)...};
	return std::apply(function, values);
}

template <auto FUNCTION> aclnnStatus prepare_by(Arguments &arguments, Prepared &prepared)
{
	return prepare(FUNCTION, arguments, prepared);
}

constexpr Operator OPERATORS_BY_NAME[] = {
#define ROW(name) {#name, prepare_by<aclnn##name##GetWorkspaceSize>, aclnn##name},
	OPERATORS(ROW)
#undef ROW
};

} // namespace

const Operator *find_operator(std::string_view name)
{
	for (const Operator &row : OPERATORS_BY_NAME)
		if (name == row.name)
			return &row;
	return nullptr;
}
