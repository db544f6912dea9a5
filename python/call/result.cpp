// SPDX-License-Identifier: MIT
/**
 * DOC: Results
 *
 * The Python objects of what C functions give back: integers for numbers, handles and addresses, str for text.
 */
#include "result.h"

#include <cstring>

namespace binding {

PyObject *give_text(const char *text)
{
	if (!text)
		return new_reference(Py_None);
	return PyUnicode_DecodeUTF8(text, static_cast<Py_ssize_t>(strlen(text)), "replace");
}

} // namespace binding
