// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "recent_launches.h"
#include "umd/core/handle/handle.h"
#include "umd/core/handle/held.h"
#include "umd/core/object/context_object.h"
#include "umd/core/object/kernel_image.h"

namespace umd {

class KernelMemory;
struct FaultInfo;

/** struct KernelFunction - a kernel that a program may launch. */
struct KernelFunction {
	static constexpr bool IS_RARE = true;
	HandleWord handle;
	KernelImageRef image;
	uint32_t entry = 0; /* index in the image */
	uint64_t tiling_key = 0;

	const KernelEntry &info() const { return image->entries()[entry]; }

	/* For the table; see HandleTable. */
	void on_idle() { image.reset(); }
	bool is_scarce() const { return true; }

	using Table = HandleTable<KernelFunction, Kind::FUNCTION>;
	/** table() - all functions of the process. */
	static Table &table();
};

inline KernelFunction::Table &KernelFunction::table()
{
	return Process::own<Table>();
}

/** class FunctionList - the functions of one image, each made at its first use. */
class FunctionList {
public:
	/** get() - the function of an entry. @tiling_key: the key that the kernel gets
	 * Return: NO_RESOURCE. */
	base::Result<KernelFunction *> get(const KernelImageRef &image, uint32_t entry,
					   uint64_t tiling_key);

	/** end() - makes all handles stale, and drops the image in each function that no thread uses. */
	void end();

private:
	KernelFunction *find_or_make(const KernelImageRef &image, uint32_t entry,
				     uint64_t tiling_key);

	base::Mutex mutex_{"FunctionList::mutex_"};
	std::map<std::pair<uint32_t, uint64_t>, KernelFunction *> functions_ GUARDED_BY(mutex_);
};

/** struct KernelBinary - a file of kernels that a program has loaded in a context. */
struct KernelBinary {
	static constexpr bool IS_RARE = true;
	HandleWord handle;
	uint64_t context = 0; /* handle of the context */

	base::Mutex mutex{"KernelBinary::mutex"};
	/* file contents of a binary that is not loaded yet */
	std::vector<std::byte> contents GUARDED_BY(mutex);
	std::shared_ptr<KernelImage> image GUARDED_BY(mutex);
	std::shared_ptr<KernelMemory> copy
		GUARDED_BY(mutex); /* copy of the file in device memory; a lazy binary has none */
	std::function<void(const FaultInfo &)> on_fault GUARDED_BY(mutex);
	std::atomic<bool> keeps_launches{false}; /* the program has set a function for failures */
	RecentLaunches launches;
	FunctionList functions;

	/* Whether the program has ever set such a function for any binary. */
	static inline constinit std::atomic<bool> any_keeps_launches{false};

	/** drop() - drops image and functions. */
	void drop();

	/* For the table; see HandleTable. */
	void on_idle() { drop(); }
	bool is_scarce() const { return true; }

	using Table = HandleTable<KernelBinary, Kind::BINARY>;
	/** table() - all binaries of the process. */
	static Table &table();
};

inline KernelBinary::Table &KernelBinary::table()
{
	return Process::own<Table>();
}

/** read_kernel_file() - the bytes of a file with an image of kernels. Return: BAD_PATH, INVALID_ARGUMENT. */
base::Result<std::vector<std::byte>> read_kernel_file(const char *path);

/** load_binary() - loads kernels in the current context.
 * @lazily: load the kernels at the first use of one of them; the call then only copies the file
 * Return: NO_CONTEXT, NO_RESOURCE, as KernelImage::load(). */
base::Result<KernelBinary *> load_binary(std::span<const std::byte> contents, bool lazily);

/** find_binary(), find_function() - find an object by its handle. Return: NULL_POINTER, INVALID_HANDLE; set
 * the error message. */
Held<KernelBinary> find_binary(const void *handle);
Held<KernelFunction> find_function(const void *handle);

/** unload_binary() - makes the handles of the binary and of its functions stale. Launches that are queued still run.
 * @handle: what the caller used. Return: WRONG_CONTEXT, INVALID_HANDLE if another thread was first. */
base::Status unload_binary(KernelBinary &binary, const void *handle);

/** image_of() - loads a binary that was loaded lazily. Return: as KernelImage::load(). */
base::Result<KernelImageRef> image_of(KernelBinary &binary);

/** device_copy() - the address of the file's copy in device memory; 0 for a binary that was loaded lazily. */
uint64_t device_copy(KernelBinary &binary);

/** loaded_image() - the binary's image, or nullptr if it is not loaded yet. */
KernelImageRef loaded_image(KernelBinary &binary);

/** function_by_name() - finds a function. @name: name of an entry; "NAME_KEY" with a number KEY also means
 * entry NAME with this tiling key. Return: INVALID_ARGUMENT, as image_of(). */
base::Result<KernelFunction *> function_by_name(KernelBinary &binary, const std::string &name);

/** function_by_key() - finds the entry whose name ends in "_KEY". If there is none and the image has
 * only one entry, it is that entry, with this tiling key.
 * Return: INVALID_ARGUMENT, as image_of(). */
base::Result<KernelFunction *> function_by_key(KernelBinary &binary, uint64_t key);

/** function_of() - the function of an entry of any loaded image; 0 if its binary is unloaded. */
uint64_t function_of(const KernelImageRef &image, uint32_t entry);

} // namespace umd
