// SPDX-License-Identifier: MIT
/**
 * DOC: Objects that a program makes
 */
#include "made.h"

#include "umd/core/object/context_object.h"

namespace umd::check {

static Owned describe(const char *kind, uint64_t bytes, const void *site, int32_t device)
{
	return {kind, bytes, device >= 0 ? device : umd::chosen_device(), Site::here(site)};
}

void made(const void *object, const char *kind, uint64_t bytes, const void *site, int32_t device)
{
	if (is_on()) [[unlikely]]
		OwnedObjects::get().add(object, describe(kind, bytes, site, device));
}

void taken(const void *object, const char *kind, uint64_t bytes, const void *site, int32_t device)
{
	if (is_on()) [[unlikely]]
		OwnedObjects::get().add_reference(object, describe(kind, bytes, site, device));
}

} // namespace umd::check
