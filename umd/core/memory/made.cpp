// SPDX-License-Identifier: MIT
/**
 * DOC: Objects that a program makes
 */
#include "made.h"

#include "umd/core/object/context_object.h"

namespace umd::check {

void made(const void *object, const char *kind, uint64_t bytes, const void *site)
{
	if (!is_on()) [[likely]]
		return;
	OwnedObjects::get().add(object, {kind, bytes, umd::chosen_device(), Site::here(site)});
}

void taken(const void *object, const char *kind, uint64_t bytes, const void *site, int32_t device)
{
	if (!is_on()) [[likely]]
		return;
	const int32_t owner = device >= 0 ? device : umd::chosen_device();
	OwnedObjects::get().add_reference(object, {kind, bytes, owner, Site::here(site)});
}

} // namespace umd::check
