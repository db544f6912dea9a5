// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/result.h"
#include "kernel_binary.h"
#include "kernel_launch.h"

namespace umd {

constexpr uint32_t MAX_KERNEL_ARGS = 128;

/**
 * struct KernelArgs - a list of arguments that a program builds. It may be in memory of the program, which may copy
 * that memory; so it contains no object with a destructor. Context: one thread at a time.
 */
struct KernelArgs {
	/* One argument. @data: for a place holder: the bytes whose address becomes its value */
	struct Param {
		uint32_t offset;
		uint32_t bytes;
		uint32_t is_place;
		uint32_t data_bytes;
		std::byte *data;
	};

	uint64_t magic; /* MAGIC in a list that was begun */
	uint64_t function;
	std::byte *memory; /* memory of the program, else nullptr */
	uint64_t memory_bytes;
	uint64_t used_bytes; /* bytes of the arguments, and of data in memory of the program */
	uint64_t data_bytes; /* bytes of the data of all place holders */
	uint32_t count;
	uint32_t args_bytes;
	uint32_t is_final;
	uint32_t has_data; /* a place holder has its data, so no argument can follow */
	std::array<Param, MAX_KERNEL_ARGS> params;

	static constexpr uint64_t MAGIC = 0x7367726176706e75;
};

/** struct OwnedKernelArgs - a list in memory of the library. */
struct OwnedKernelArgs {
	static constexpr bool IS_RARE = true;
	HandleWord handle;
	KernelArgs list{};
	std::vector<std::byte> values; /* bytes of the arguments */
	std::vector<std::unique_ptr<std::byte[]>> data;

	using Table = HandleTable<OwnedKernelArgs, Kind::KERNEL_ARGS>;
	/** table() - all lists of the process. */
	static Table &table();
};

inline OwnedKernelArgs::Table &OwnedKernelArgs::table()
{
	return Process::own<Table>();
}

/* A thread keeps so many lists of its own; a new one takes the place of the oldest, whose handle becomes stale. */
constexpr size_t LISTS_OF_A_THREAD = 64;

/** begin_kernel_args() - begins a list in the library's memory. Return: its handle; NO_RESOURCE. */
base::Result<void *> begin_kernel_args(const KernelFunction &function);

/** begin_kernel_args_in() - begins a list in the program's memory. Return: INVALID_ARGUMENT; sets the error
 * message. */
base::Status begin_kernel_args_in(const KernelFunction &function, void *list, void *memory,
				  size_t memory_bytes);

/** kernel_args_bytes() - what begin_kernel_args_in() needs for @user_bytes bytes of arguments and data. */
size_t kernel_args_bytes(size_t user_bytes);

/** class ArgsEdit - changes a list, which is found by its handle or by its address in the program's
 * memory. */
class ArgsEdit {
public:
	/** find() - finds the list. Return: NULL_POINTER, INVALID_HANDLE. */
	static base::Result<ArgsEdit> find(void *handle);

	/** append() - adds an argument. @number: out, for the functions below
	 * Return: INVALID_ARGUMENT with an error message that names the argument and its size. */
	base::Status append(const void *value, size_t bytes, uint32_t &number);
	base::Status append_place(uint32_t &number);

	/** place() - gets memory for the data of a place holder. The kernel gets the address of that
	 * memory. */
	base::Status place(uint32_t number, size_t bytes, void *&data);

	/** update() - changes an argument. */
	base::Status update(uint32_t number, const void *value, size_t bytes);

	/** finish() - completes the list. Return: INVALID_ARGUMENT if arguments are missing. */
	base::Status finish();

	/** pack() - the arguments with their data, for a launch. @places: out, the place holders
	 * Return: INVALID_ARGUMENT if finish() was not called or the list is of another function. */
	base::Status pack(const KernelFunction &function, std::vector<std::byte> &packed,
			  std::vector<KernelPlace> &places, size_t &args_bytes) const;

private:
	ArgsEdit(KernelArgs &list, OwnedKernelArgs *owned) : list_(list), owned_(owned) {}

	std::byte *values() const { return owned_ ? owned_->values.data() : list_.memory; }
	base::Status add(size_t bytes, bool is_place, uint32_t &number);
	base::Status check_number(uint32_t number) const;
	base::Status find_function(Held<KernelFunction> &function) const;

	KernelArgs &list_;
	OwnedKernelArgs *owned_;
};

} // namespace umd
