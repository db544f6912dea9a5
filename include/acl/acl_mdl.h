/* SPDX-License-Identifier: MIT */
/*
 * DOC: Offline models
 *
 * This implementation runs captured models only, see acl/rt/model/model.h. The header exists because programs
 * include it.
 */
#ifndef ACL_ACL_MDL_H
#define ACL_ACL_MDL_H

#include "acl/acl_base.h"

#endif /* ACL_ACL_MDL_H */
