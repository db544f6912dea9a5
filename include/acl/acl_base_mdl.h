/* SPDX-License-Identifier: MIT */
/*
 * DOC: Base types of offline models
 *
 * There are none: offline models are outside this implementation. Programs include the name.
 */
#ifndef ACL_ACL_BASE_MDL_H
#define ACL_ACL_BASE_MDL_H

#include "acl/acl_base_rt.h"

#endif /* ACL_ACL_BASE_MDL_H */
