// SPDX-License-Identifier: MIT
/**
 * DOC: User objects, which graphs keep alive
 *
 * The reference counts have their own lock. The references of a destroyed executable graph are dropped
 * when the device has finished its work. Any thread may find that out, and it may hold any locks at
 * that time.
 */
#include "base/sync/mutex.h"
#include "graph_objects.h"
#include "umd/core/process/thread_state.h"

namespace umd::cuda {

constinit base::Mutex references_mutex{"references of user objects"};

static CUresult find_object(CUuserObject handle, unsigned count, UserObject *&object)
{
	object = graph_tables().user_objects.get(handle);
	if (!object)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("object {} is not live; cuUserObjectCreate makes one",
					  fmt::ptr(handle)));
	if (count == 0)
		return refuse(CUDA_ERROR_INVALID_VALUE, "count is 0; it must be positive");
	return CUDA_SUCCESS;
}

/* Drops @count references. If they were the last ones, destroys the handle and adds the object to
 * @gone. */
static void drop(UserObject &object, uint64_t count, std::vector<UserObject> &gone)
	REQUIRES(references_mutex)
{
	object.references -= count;
	if (object.references > 0)
		return;
	gone.push_back(object);
	graph_tables().user_objects.destroy(object);
}

void retain_all(const UserObjects &objects)
{
	std::lock_guard lock(references_mutex);
	for (const auto &[handle, count] : objects) {
		auto *object =
			graph_tables().user_objects.get(reinterpret_cast<const void *>(handle));
		if (object)
			object->references += count;
	}
}

std::vector<UserObject> release_all(const UserObjects &objects)
{
	std::vector<UserObject> gone;
	std::lock_guard lock(references_mutex);
	for (const auto &[handle, count] : objects) {
		auto *object =
			graph_tables().user_objects.get(reinterpret_cast<const void *>(handle));
		if (object)
			drop(*object, count, gone);
	}
	return gone;
}

void destroy_user_objects(const std::vector<UserObject> &gone)
{
	bool &inside = ThreadState::mine().is_in_host_function;
	bool before = inside;
	inside = true;
	for (const UserObject &object : gone)
		object.destroy(object.pointer);
	inside = before;
}

} // namespace umd::cuda

using namespace umd::cuda;

CUresult cuUserObjectCreate(CUuserObject *object_out, void *ptr, CUhostFn destroy,
			    unsigned int initialRefcount, unsigned int flags)
{
	TRY(enter());
	if (!object_out || !destroy)
		return null_argument(object_out ? "destroy" : "object_out");
	if (initialRefcount == 0 || initialRefcount > INT32_MAX)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("initialRefcount is {}; it must be 1 to {}",
					  initialRefcount, INT32_MAX));
	if (flags != CU_USER_OBJECT_NO_DESTRUCTOR_SYNC)
		return refuse(
			CUDA_ERROR_INVALID_VALUE,
			fmt::format("flags is {:#x}; it must be NO_DESTRUCTOR_SYNC (1)", flags));
	std::lock_guard lock(references_mutex);
	UserObject *object = graph_tables().user_objects.create();
	if (!object)
		return refuse(CUDA_ERROR_OUT_OF_MEMORY, "too many user objects; release some");
	object->pointer = ptr;
	object->destroy = destroy;
	object->references = initialRefcount;
	*object_out = reinterpret_cast<CUuserObject>(object->handle.now());
	return CUDA_SUCCESS;
}

CUresult cuUserObjectRetain(CUuserObject object, unsigned int count)
{
	TRY(enter());
	std::lock_guard lock(references_mutex);
	UserObject *found = nullptr;
	TRY(find_object(object, count, found));
	found->references += count;
	return CUDA_SUCCESS;
}

CUresult cuUserObjectRelease(CUuserObject object, unsigned int count)
{
	TRY(enter());
	std::vector<UserObject> gone;
	{
		std::lock_guard lock(references_mutex);
		UserObject *found = nullptr;
		TRY(find_object(object, count, found));
		if (count > found->references)
			return refuse(CUDA_ERROR_INVALID_VALUE,
				      fmt::format("count is {}, but there are {} references", count,
						  found->references));
		drop(*found, count, gone);
	}
	destroy_user_objects(gone);
	return CUDA_SUCCESS;
}

CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned int count,
				 unsigned int flags)
{
	TRY(enter());
	std::unique_lock lock(graphs_mutex());
	GraphObject *keeper = nullptr;
	UserObject *found = nullptr;
	TRY(find_graph(graph, keeper));
	std::lock_guard references(references_mutex);
	TRY(find_object(object, count, found));
	if (flags > CU_GRAPH_USER_OBJECT_MOVE)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("flags is {:#x}; it must be 0 or MOVE (1)", flags));
	if (flags == CU_GRAPH_USER_OBJECT_MOVE && count > found->references)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("count is {}, but there are {} references", count,
					  found->references));
	if (flags != CU_GRAPH_USER_OBJECT_MOVE)
		found->references += count;
	outermost(*keeper).user_objects[found->handle] += count;
	return CUDA_SUCCESS;
}

CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned int count)
{
	TRY(enter());
	std::vector<UserObject> gone;
	{
		std::unique_lock lock(graphs_mutex());
		GraphObject *keeper = nullptr;
		UserObject *found = nullptr;
		TRY(find_graph(graph, keeper));
		std::lock_guard references(references_mutex);
		TRY(find_object(object, count, found));
		UserObjects &objects = outermost(*keeper).user_objects;
		auto held = objects.find(found->handle);
		if (held == objects.end() || held->second < count)
			return refuse(CUDA_ERROR_INVALID_VALUE,
				      fmt::format("count is {}, more references than the graph has",
						  count));
		held->second -= count;
		if (held->second == 0)
			objects.erase(held);
		drop(*found, count, gone);
	}
	destroy_user_objects(gone);
	return CUDA_SUCCESS;
}
