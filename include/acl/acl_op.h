/* SPDX-License-Identifier: MIT */
/*
 * DOC: Single operators of offline models
 *
 * This implementation runs operators through aclnnop only. The header exists because programs include
 * it.
 */
#ifndef ACL_ACL_OP_H
#define ACL_ACL_OP_H

#include "acl/acl_base.h"

#endif /* ACL_ACL_OP_H */
