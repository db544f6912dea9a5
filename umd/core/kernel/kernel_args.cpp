// SPDX-License-Identifier: MIT
/**
 * DOC: Lists of arguments of kernels
 *
 * A program builds the arguments of a launch one by one. The image says how many parameters a kernel has and of how
 * many bytes, so a wrong argument is refused when it is added, not when the kernel runs.
 */
#include "kernel_args.h"

#include <cstring>
#include <new>

#include <fmt/format.h>

#include "base/os/thread.h"
#include "umd/core/process/error.h"

namespace umd {

using base::Result;
using base::Status;

/* The most bytes of data of all place holders of a list. */
static constexpr uint64_t MOST_DATA = uint64_t{2} << 20;

static Status refuse(std::string why)
{
	return set_error(Status::INVALID_ARGUMENT, std::move(why));
}

static void begin(KernelArgs &list, const KernelFunction &function)
{
	list = {};
	list.magic = KernelArgs::MAGIC;
	list.function = function.handle;
	list.args_bytes = function.info().args_bytes;
}

namespace {

/* struct Lists - the lists that the thread began last, in a ring. */
struct Lists {
	std::array<OwnedKernelArgs *, LISTS_OF_A_THREAD> lists{};
	size_t next = 0;

	~Lists()
	{
		for (OwnedKernelArgs *list : lists) {
			if (list)
				OwnedKernelArgs::table().destroy(*list);
		}
	}
};

/* A library that is opened by dlopen() has little room for thread_local data, so this is a pointer. */
thread_local constinit Lists *lists_of_thread = nullptr;
thread_local constinit base::AtThreadExit leaver;

void leave(base::AtThreadExit &, bool in_fork)
{
	if (!in_fork)
		delete lists_of_thread;
	lists_of_thread = nullptr;
}

/* Return: nullptr: there is no memory. */
Lists *own_lists()
{
	if (!lists_of_thread) {
		leaver.run = leave;
		lists_of_thread = new (std::nothrow) Lists;
		(void)base::at_thread_exit(leaver);
	}
	return lists_of_thread;
}

} // namespace

Result<void *> begin_kernel_args(const KernelFunction &function)
{
	Lists *const mine = own_lists();
	if (!mine)
		return set_error(Status::NO_MEMORY,
				 "no memory for a list of arguments; free some of the host's");
	OwnedKernelArgs *&place = mine->lists[mine->next++ % LISTS_OF_A_THREAD];
	if (place)
		OwnedKernelArgs::table().destroy(*place);
	place = OwnedKernelArgs::table().create();
	if (!place)
		return set_error(Status::NO_RESOURCE,
				 "too many lists of arguments; end threads that have made some");
	begin(place->list, function);
	place->data.clear();
	place->values.assign(function.info().args_bytes, std::byte{0});
	return OwnedKernelArgs::Table::pointer(*place);
}

size_t kernel_args_bytes(size_t user_bytes)
{
	return padded_args(user_bytes) + MAX_KERNEL_ARGS * sizeof(uint64_t);
}

Status begin_kernel_args_in(const KernelFunction &function, void *list, void *memory,
			    size_t memory_bytes)
{
	if (reinterpret_cast<uintptr_t>(list) % alignof(KernelArgs) != 0)
		return refuse(fmt::format("argsHandle {} must begin at a multiple of {}",
					  fmt::ptr(list), alignof(KernelArgs)));
	const uint32_t needed = function.info().args_bytes;
	if (memory_bytes < needed)
		return refuse(
			fmt::format("actualArgsSize is {}; the arguments of kernel {} need {} "
				    "bytes",
				    memory_bytes, function.info().name, needed));
	auto &args = *static_cast<KernelArgs *>(list);
	begin(args, function);
	args.memory = static_cast<std::byte *>(memory);
	args.memory_bytes = memory_bytes;
	args.used_bytes = needed;
	memset(memory, 0, needed);
	return Status::OK;
}

/* A handle of the table is no address: the bits above the user's addresses are set. */
Result<ArgsEdit> ArgsEdit::find(void *handle)
{
	if (!handle)
		return set_error(Status::NULL_POINTER, "argsHandle is NULL");
	const auto word = reinterpret_cast<uintptr_t>(handle);
	const bool is_owned = word >> 48 != 0;
	if (is_owned) {
		if (OwnedKernelArgs *owned = OwnedKernelArgs::table().get(handle))
			return ArgsEdit(owned->list, owned);
	} else if (word % alignof(KernelArgs) == 0) {
		auto &list = *static_cast<KernelArgs *>(handle);
		if (list.magic == KernelArgs::MAGIC)
			return ArgsEdit(list, nullptr);
	}
	return set_error(
		Status::INVALID_HANDLE,
		fmt::format("argsHandle {} is no list of arguments that was begun; a thread "
			    "keeps its last {} lists",
			    fmt::ptr(handle), LISTS_OF_A_THREAD));
}

Status ArgsEdit::find_function(Held<KernelFunction> &function) const
{
	function = umd::find_function(reinterpret_cast<const void *>(list_.function));
	return function ? Status::OK : function.status();
}

Status ArgsEdit::add(size_t bytes, bool is_place, uint32_t &number)
{
	Held<KernelFunction> function;
	TRY(find_function(function));
	const KernelEntry &entry = function->info();
	if (list_.has_data)
		return refuse("an argument can't follow $kernel_args_get_place_holder_buffer; add "
			      "all of them before that call");
	if (list_.count >= entry.params.size() || list_.count >= MAX_KERNEL_ARGS)
		return refuse(fmt::format("kernel {} has {} parameters, and the list has as many "
					  "arguments",
					  entry.name, entry.params.size()));
	const unpu_kernel_param_info &param = entry.params[list_.count];
	if (bytes != param.bytes)
		return refuse(
			fmt::format("argument {} of kernel {} has {} bytes; its parameter has "
				    "{}",
				    list_.count, entry.name, bytes, param.bytes));
	list_.params[list_.count] = {param.offset, param.bytes, is_place, 0, nullptr};
	list_.is_final = 0;
	number = list_.count++;
	return Status::OK;
}

Status ArgsEdit::append(const void *value, size_t bytes, uint32_t &number)
{
	TRY(add(bytes, false, number));
	memcpy(values() + list_.params[number].offset, value, bytes);
	return Status::OK;
}

Status ArgsEdit::append_place(uint32_t &number)
{
	return add(sizeof(uint64_t), true, number);
}

Status ArgsEdit::check_number(uint32_t number) const
{
	if (number < list_.count)
		return Status::OK;
	return set_error(
		Status::INVALID_HANDLE,
		fmt::format("paramHandle is none of the {} arguments of the list", list_.count));
}

Status ArgsEdit::place(uint32_t number, size_t bytes, void *&data)
{
	TRY(check_number(number));
	KernelArgs::Param &param = list_.params[number];
	if (!param.is_place)
		return refuse(fmt::format("argument {} is no place holder; add it by "
					  "$kernel_args_append_place_holder",
					  number));
	if (param.data)
		return refuse(fmt::format("argument {} has its memory already; "
					  "$kernel_args_get_place_holder_buffer gives it once",
					  number));
	if (bytes == 0 || bytes > MOST_DATA - list_.data_bytes)
		return refuse(
			fmt::format("dataSize is {}; it must be 1 to {}, less {} bytes of the "
				    "other place holders",
				    bytes, MOST_DATA, list_.data_bytes));
	const size_t room = padded_args(bytes);
	if (owned_) {
		owned_->data.push_back(std::make_unique<std::byte[]>(room));
		param.data = owned_->data.back().get();
	} else {
		if (room > list_.memory_bytes - list_.used_bytes)
			return refuse(
				fmt::format("dataSize is {}; {} bytes of userHostMem are left",
					    bytes, list_.memory_bytes - list_.used_bytes));
		param.data = list_.memory + list_.used_bytes;
		list_.used_bytes += room;
	}
	param.data_bytes = static_cast<uint32_t>(bytes);
	list_.data_bytes += room;
	list_.has_data = 1;
	data = param.data;
	return Status::OK;
}

Status ArgsEdit::update(uint32_t number, const void *value, size_t bytes)
{
	TRY(check_number(number));
	const KernelArgs::Param &param = list_.params[number];
	if (param.is_place)
		return refuse(fmt::format("argument {} is a place holder; write into its memory "
					  "instead",
					  number));
	if (bytes != param.bytes)
		return refuse(fmt::format("paramSize is {}; argument {} has {} bytes", bytes,
					  number, param.bytes));
	memcpy(values() + param.offset, value, bytes);
	list_.is_final = 0;
	return Status::OK;
}

Status ArgsEdit::finish()
{
	Held<KernelFunction> function;
	TRY(find_function(function));
	const size_t wanted = function->info().params.size();
	if (list_.count != wanted)
		return refuse(fmt::format("the list has {} arguments; kernel {} has {} parameters",
					  list_.count, function->info().name, wanted));
	for (uint32_t i = 0; i < list_.count; i++) {
		if (list_.params[i].is_place && !list_.params[i].data)
			return refuse(
				fmt::format("argument {} is a place holder without memory; call "
					    "$kernel_args_get_place_holder_buffer",
					    i));
	}
	list_.is_final = 1;
	return Status::OK;
}

Status ArgsEdit::pack(const KernelFunction &function, std::vector<std::byte> &packed,
		      std::vector<KernelPlace> &places, size_t &args_bytes) const
{
	if (list_.function != function.handle)
		return refuse("argsHandle is a list for another kernel than funcHandle; begin one "
			      "for this kernel");
	if (!list_.is_final)
		return refuse("argsHandle was not ended by $kernel_args_finalize; call that first");
	args_bytes = list_.args_bytes;
	packed.assign(values(), values() + args_bytes);
	for (uint32_t i = 0; i < list_.count; i++) {
		const KernelArgs::Param &param = list_.params[i];
		if (!param.is_place)
			continue;
		const size_t at = packed.size();
		packed.resize(at + padded_args(param.data_bytes));
		memcpy(packed.data() + at, param.data, param.data_bytes);
		places.push_back({param.offset, static_cast<uint32_t>(at)});
	}
	return Status::OK;
}

} // namespace umd
