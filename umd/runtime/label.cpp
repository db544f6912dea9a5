// SPDX-License-Identifier: MIT
/**
 * DOC: Labels
 *
 * A label is known by its handle to the tasks that name it; where it is, the stream's tasks say.
 */
#include "umd/label.h"

#include <fmt/format.h>

#include "umd/error.h"
#include "umd/runtime.h"

namespace umd {

using base::Result;
using base::Status;

Result<Label *> create_label()
{
	Runtime &runtime = Runtime::get();
	TRY(runtime.check_fork());
	Label *label = nullptr;
	if (runtime.label_count.fetch_add(1) < MAX_LABELS)
		label = runtime.labels.create();
	if (label) {
		label->stream = 0;
		return label;
	}
	runtime.label_count--;
	return set_error(Status::NO_RESOURCE,
			 fmt::format("a process has {} labels, and all are in use; destroy one "
				     "first",
				     MAX_LABELS));
}

Result<Label *> find_label(const void *handle)
{
	if (!handle)
		return set_error(Status::NULL_POINTER, "label is NULL");
	if (Label *label = Runtime::get().labels.get(handle))
		return label;
	TRY(Runtime::get().check_fork());
	return set_error(Status::INVALID_HANDLE,
			 fmt::format("label {} is not a live label: it was destroyed, or is "
				     "something else",
				     fmt::ptr(handle)));
}

bool destroy_label(Label &label, const void *handle)
{
	Runtime &runtime = Runtime::get();
	if (!runtime.labels.retire(label, handle))
		return false;
	runtime.labels.recycle(label);
	runtime.label_count--;
	return true;
}

Result<LabelList *> create_label_list(std::span<void *const> handles)
{
	if (handles.empty() || handles.size() > MAX_LABELS)
		return set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("num is {}; it must be 1 to {}", handles.size(), MAX_LABELS));
	std::vector<uint64_t> labels;
	for (const void *handle : handles) {
		auto label = find_label(handle);
		if (!label)
			return label.status();
		labels.push_back((*label)->handle);
	}
	LabelList *list = Runtime::get().label_lists.create();
	if (!list)
		return set_error(Status::NO_RESOURCE, "too many lists of labels; destroy some");
	list->labels = std::move(labels);
	return list;
}

Result<LabelList *> find_label_list(const void *handle)
{
	if (!handle)
		return set_error(Status::NULL_POINTER, "labelList is NULL");
	if (LabelList *list = Runtime::get().label_lists.get(handle))
		return list;
	TRY(Runtime::get().check_fork());
	return set_error(Status::INVALID_HANDLE,
			 fmt::format("labelList {} is not a live list of labels: it was destroyed, "
				     "or is something else",
				     fmt::ptr(handle)));
}

} // namespace umd
