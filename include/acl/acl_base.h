/* SPDX-License-Identifier: MIT */
/*
 * DOC: Base of the AscendCL interface
 *
 * Types, handles and numbers that all parts of the interface use.
 */
#ifndef ACL_ACL_BASE_H
#define ACL_ACL_BASE_H

#include "acl/acl_base_mdl.h"
#include "acl/acl_base_rt.h"
#include "acl/error_codes/ge_error_codes.h"
#include "acl/error_codes/rt_error_codes.h"

#endif /* ACL_ACL_BASE_H */
