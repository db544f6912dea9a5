// SPDX-License-Identifier: MIT
/*
 * DOC: headers of operators with a scalar
 *
 * Programs include the header of the operator with two tensors, and find the one with a scalar in it as well.
 */
#include <type_traits>

#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_clamp.h"
#include "aclnnop/aclnn_div.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_pow.h"
#include "aclnnop/aclnn_sub.h"

#define IS_DECLARED(name) static_assert(std::is_function_v<decltype(aclnn##name)>)

IS_DECLARED(InplaceAdds);
IS_DECLARED(ClampMin);
IS_DECLARED(InplaceClampMax);
IS_DECLARED(InplaceDivs);
IS_DECLARED(InplaceMuls);
IS_DECLARED(Muls);
IS_DECLARED(PowScalarTensor);
IS_DECLARED(InplaceSubs);
