/* SPDX-License-Identifier: MIT */
/*
 * DOC: Base types of offline models
 *
 * This implementation has no offline models, so this header is empty. It exists because programs
 * include it.
 */
#ifndef ACL_ACL_BASE_MDL_H
#define ACL_ACL_BASE_MDL_H

#include "acl/acl_base_rt.h"

#endif /* ACL_ACL_BASE_MDL_H */
