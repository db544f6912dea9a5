// SPDX-License-Identifier: MIT
#pragma once

#include "python/call/python_api.h"
#include "python/call/sequence.h"

namespace binding {

/** keep_bytes() - in checking mode, keeps a reference to an object whose address the program asks for. */
void keep_bytes(PyObject *bytes);

/** enum class Use - what a call does with the memory at an address. */
enum class Use { READ, WRITE };

/**
 * check_kept_bytes() - in checking mode, reports a call that reads from, or writes into, a bytes object that the
 * program let go.
 * Return: false with an error set when the report failed.
 */
bool check_kept_bytes(const void *address, const char *function, Use use = Use::READ);

/** check_kept_bytes() - the same for a list of addresses. */
template <class Address>
bool check_kept_bytes(const Sequence<Address> &addresses, const char *function, Use use = Use::READ)
{
	for (size_t i = 0; i < addresses.size(); i++) {
		if (!check_kept_bytes(addresses.data()[i], function, use))
			return false;
	}
	return true;
}

} // namespace binding
