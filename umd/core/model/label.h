// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "umd/core/handle/handle.h"
#include "umd/core/process/process.h"

namespace umd {

/** struct Label - a position in the task list of a stream, to which tasks of its model can jump. */
struct Label {
	static constexpr bool IS_RARE = true;
	HandleWord handle;
	uint64_t stream = 0; /* handle of the stream in which it is placed, or 0 */
};

/** struct LabelList - labels by number. */
struct LabelList {
	static constexpr bool IS_RARE = true;
	HandleWord handle;
	std::vector<uint64_t> labels; /* handles of the labels */

	using Table = HandleTable<LabelList, Kind::LABEL_LIST>;
	/** table() - all label lists of the process. */
	static Table &table();
};

inline LabelList::Table &LabelList::table()
{
	return Process::own<Table>();
}

/** MAX_LABELS - the most labels of a process, and of a list. */
constexpr uint32_t MAX_LABELS = 65535;

/** create_label() - creates a label. Return: NO_RESOURCE. */
base::Result<Label *> create_label();

/** label_handle() - the API handle of a label. */
void *label_handle(const Label &label);

/** find_label() - the label of an API handle. Return: NULL_POINTER, INVALID_HANDLE. */
base::Result<Label *> find_label(const void *handle);

/** destroy_label() - makes the handle stale. Lists and models that were made with the label keep it.
 * Return: false if another thread destroyed the label first, so that @handle is stale. */
bool destroy_label(Label &label, const void *handle);

/** create_label_list() - @handles: API handles of labels.
 * Return: INVALID_ARGUMENT for none or too many, as find_label(), NO_RESOURCE. */
base::Result<LabelList *> create_label_list(std::span<void *const> handles);

/** find_label_list() - the list of an API handle. Return: NULL_POINTER, INVALID_HANDLE. */
base::Result<LabelList *> find_label_list(const void *handle);

} // namespace umd
