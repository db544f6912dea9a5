/* SPDX-License-Identifier: MIT */
/*
 * DOC: The AscendCL interface
 *
 * Most programs include only this header. Names, numbers and signatures are those of interface
 * version 1.17.0; the implementation behind them is this project's.
 */
#ifndef ACL_ACL_H
#define ACL_ACL_H

#include "acl/acl_mdl.h"
#include "acl/acl_op.h"
#include "acl/acl_rt.h"

#endif /* ACL_ACL_H */
