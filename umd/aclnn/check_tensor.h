// SPDX-License-Identifier: MIT
#pragma once

#include "aclnn/acl_meta.h"

namespace umd {

/* check_tensor() - with UNPU_CHECK: whether the words of a new tensor exist, and its view lies in its storage. Context:
 * check::is_on()
 * Return: @handle; with `error` NULL if not, and the tensor is destroyed. */
[[gnu::cold]] aclTensor *check_tensor(const aclTensor &tensor, aclTensor *handle);

/* count_leftovers() - the list of objects that a program did not free gets the number of live tensors, scalars,
 * arrays, lists and executors from now on. */
void count_leftovers();

} // namespace umd
