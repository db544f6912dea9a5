// SPDX-License-Identifier: MIT
/**
 * DOC: Python frames for the sanitizer and strict mode
 *
 * The stack of the machine shows the interpreter, whatever a program in Python does. So while the library records or
 * checks, each call first tells it the innermost Python frames. They are read before the call releases the GIL, as
 * frames are objects.
 *
 * A call from the same place costs a look-up: a stack is known by its code objects and lines, and its text is kept. The
 * table holds references to the code objects, so that no other object gets their addresses.
 */
#include "frame.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace binding {

namespace {

constexpr size_t MOST_FRAMES = 8;
constexpr size_t MOST_BYTES = 4096;
constexpr size_t PLACES = 8192; /* a power of two */
constexpr size_t MOST_KEPT = PLACES / 2;

/* The innermost frames of a thread. */
struct Frames {
	Owned codes[MOST_FRAMES];
	int lines[MOST_FRAMES]{};
	size_t count = 0;
};

struct Kept {
	Frames frames;
	unpu_san_stack stack{};
};

/* The following belong to the thread that has the GIL. What is kept stays. */
Kept *table[PLACES];
size_t kept_count = 0;
PyObject *back_name = nullptr;

uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 32;
}

void read_frames(Frames &frames)
{
	if (!back_name)
		back_name = PyUnicode_InternFromString("f_back");
	PyObject *innermost = reinterpret_cast<PyObject *>(PyEval_GetFrame());
	Owned at(new_reference(innermost));
	while (back_name && at && at.get() != Py_None && frames.count < MOST_FRAMES) {
		auto *frame = reinterpret_cast<PyFrameObject *>(at.get());
		frames.codes[frames.count] =
			Owned(reinterpret_cast<PyObject *>(PyFrame_GetCode(frame)));
		frames.lines[frames.count++] = PyFrame_GetLineNumber(frame);
		at = Owned(PyObject_GetAttr(at.get(), back_name));
	}
	PyErr_Clear();
}

bool are_equal(const Frames &a, const Frames &b)
{
	bool equal = a.count == b.count;
	for (size_t i = 0; equal && i < a.count; i++)
		equal = a.codes[i].get() == b.codes[i].get() && a.lines[i] == b.lines[i];
	return equal;
}

/* The place of the stack in the table, or the empty one where it may be kept. */
Kept *&place_of(const Frames &frames)
{
	uint64_t hash = frames.count;
	for (size_t i = 0; i < frames.count; i++)
		hash = mix(mix(hash, reinterpret_cast<uintptr_t>(frames.codes[i].get())),
			   static_cast<uint64_t>(frames.lines[i]));
	size_t at = hash % PLACES;
	while (table[at] && !are_equal(table[at]->frames, frames))
		at = (at + 1) % PLACES;
	return table[at];
}

/* Adds a frame as "FILE:LINE FUNCTION"; the module itself is no function. Return: the new end, or @at without room. */
char *add_frame(char *at, const char *end, PyObject *code, int number)
{
	const Line line = line_of(code, number);
	const bool is_module = strcmp(line.function, "<module>") == 0;
	const auto room = static_cast<size_t>(end - at);
	const int bytes = snprintf(at, room, "%s:%d%s%s\n", line.file, line.number,
				   is_module ? "" : " ", is_module ? "" : line.function);
	if (bytes > 0 && static_cast<size_t>(bytes) < room)
		return at + bytes;
	*at = '\0';
	return at;
}

/* The stack in words, whose text is to be freed. */
unpu_san_stack describe(const Frames &frames)
{
	char text[MOST_BYTES];
	char *end = text;
	text[0] = '\0';
	for (size_t i = 0; i < frames.count; i++)
		end = add_frame(end, text + sizeof(text), frames.codes[i].get(), frames.lines[i]);
	uint64_t key = 0;
	for (const char *c = text; *c; c++)
		key = mix(key, static_cast<unsigned char>(*c));
	return {key, strdup(text)};
}

/* Keeps the stack at @place, which is empty. Return: false without memory. */
bool keep(Kept *&place, Frames &frames)
{
	auto *made = new (std::nothrow) Kept;
	if (!made)
		return false;
	made->stack = describe(frames);
	made->frames = std::move(frames);
	place = made;
	kept_count++;
	return true;
}

} // namespace

void CallSite::tell()
{
	Frames frames;
	read_frames(frames);
	if (frames.count == 0)
		return;
	Kept *&place = place_of(frames);
	const unpu_san_stack *stack = &own_;
	if (place || (kept_count < MOST_KEPT && keep(place, frames)))
		stack = &place->stack;
	else
		own_ = describe(frames);
	if (!stack->frames)
		return;
	before_ = unpu_san_set_stack(stack);
	is_told_ = true;
}

void CallSite::forget()
{
	(void)unpu_san_set_stack(before_);
	free(const_cast<char *>(own_.frames));
}

} // namespace binding
