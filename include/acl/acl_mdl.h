/* SPDX-License-Identifier: MIT */
/*
 * DOC: Offline models
 *
 * This implementation runs captured models only, see acl/rt/model.h. Programs include the name.
 */
#ifndef ACL_ACL_MDL_H
#define ACL_ACL_MDL_H

#include "acl/acl_base.h"

#endif /* ACL_ACL_MDL_H */
