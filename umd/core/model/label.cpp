// SPDX-License-Identifier: MIT
/**
 * DOC: Labels
 *
 * Tasks refer to a label by its handle. The position of a label is a step in a stream's task list.
 */
#include "label.h"

#include <fmt/format.h>

#include "umd/core/process/error.h"
#include "umd/core/process/process.h"

namespace umd {

using base::Result;
using base::Status;

namespace {

struct Labels {
	HandleTable<Label, Kind::LABEL> table;
	std::atomic<uint32_t> count{0};

	static Labels &get() { return Process::own<Labels>(); }
};

} // namespace

void *label_handle(const Label &label)
{
	return Labels::get().table.pointer(label);
}

Result<Label *> create_label()
{
	Labels &labels = Labels::get();
	TRY(Process::check_fork());
	Label *label = nullptr;
	if (labels.count.fetch_add(1) < MAX_LABELS)
		label = labels.table.create();
	if (label) {
		label->stream = 0;
		return label;
	}
	labels.count--;
	return set_error(Status::NO_RESOURCE,
			 fmt::format("a process has {} labels, and all are in use; destroy one "
				     "first",
				     MAX_LABELS));
}

Result<Label *> find_label(const void *handle)
{
	if (!handle)
		return set_error(Status::NULL_POINTER, "label is NULL");
	if (Label *label = Labels::get().table.get(handle))
		return label;
	TRY(Process::check_fork());
	return set_error(Status::INVALID_HANDLE,
			 fmt::format("label {} is not a live label: it was destroyed, or is "
				     "something else",
				     fmt::ptr(handle)));
}

bool destroy_label(Label &label, const void *handle)
{
	Labels &labels = Labels::get();
	if (!labels.table.retire(label, handle))
		return false;
	labels.table.recycle(label);
	labels.count--;
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
		auto label = TRY(find_label(handle));
		labels.push_back(label->handle);
	}
	LabelList *list = LabelList::table().create();
	if (!list)
		return set_error(Status::NO_RESOURCE, "too many lists of labels; destroy some");
	list->labels = std::move(labels);
	return list;
}

Result<LabelList *> find_label_list(const void *handle)
{
	if (!handle)
		return set_error(Status::NULL_POINTER, "labelList is NULL");
	if (LabelList *list = LabelList::table().get(handle))
		return list;
	TRY(Process::check_fork());
	return set_error(Status::INVALID_HANDLE,
			 fmt::format("labelList {} is not a live list of labels: it was destroyed, "
				     "or is something else",
				     fmt::ptr(handle)));
}

} // namespace umd
