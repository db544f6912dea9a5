// SPDX-License-Identifier: MIT
/**
 * DOC: Launches of kernels
 *
 * A launch is a packet with a descriptor, like a tensor operator. Arguments in memory of the host become part
 * of the descriptor. The runtime puts them into memory of its own if they are long, or if they name data that
 * travels with them. The device reads arguments in the program's own device memory when the task runs,
 * because an earlier task of the stream may write them.
 */
#include "kernel_launch.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include <fmt/format.h>

#include "drv/packet/cookie.h"
#include "drv/packet/packets.h"
#include "hal/options.h"
#include "kernel_binary.h"
#include "umd/core/context/find_stream.h"
#include "umd/core/device/kernel_leftovers.h"
#include "umd/core/device/open_device.h"
#include "umd/core/process/call.h"
#include "umd/core/process/error.h"
#include "umd/core/process/mode.h"
#include "umd/core/record/observer.h"
#include "umd/core/report/kernel_output.h"
#include "umd/core/stream/stream.h"

namespace umd {

using base::Result;
using base::Status;

/* The most bytes of arguments in a descriptor, and the most bytes of arguments together with the data that
 * they point to. */
static constexpr size_t MOST_INLINE = UNPU_KERNEL_MAX_BYTES - sizeof(KernelHead);
static constexpr size_t MOST_HOST = size_t{4} << 20;

Result<std::shared_ptr<KernelMemory>> KernelMemory::allocate(OpenDevice &open, uint64_t bytes)
{
	drv::Device &device = *open.device;
	std::string why;
	auto bo = device.memory().allocate(drv::Place::DEVICE, bytes, UNPU_PAGE_4K, why);
	if (!bo)
		return set_error(bo.status(),
				 fmt::format("no memory for {} bytes of a kernel's arguments or "
					     "of a copy of its binary: {}",
					     bytes, why));
	return std::shared_ptr<KernelMemory>(
		new KernelMemory(open, bo->va, bytes, device.space().aperture(bo->va, bytes)));
}

uint64_t KernelMemory::show() const
{
	if (recorder::is_on() && !is_shown_.exchange(true))
		recorder::observer.note_allocation(
			{reinterpret_cast<const void *>(va_), bytes_, san::ALLOC_DEFINED});
	return va_;
}

KernelMemory::~KernelMemory()
{
	if (is_shown_.load())
		recorder::observer.begin_free(reinterpret_cast<const void *>(va_), "$free")
			.publish();
	KernelLeftovers::get().add_memory(device_, va_);
}

namespace {

/* struct CheckLevel - UNPU_KERNEL_CHECK: how much the device checks while a kernel runs. */
struct CheckLevel {
	CheckLevel() : text(hal::environment("UNPU_KERNEL_CHECK"))
	{
		is_valid = text.empty() || (text.size() == 1 && text[0] >= '0' && text[0] <= '3');
		level = text.empty() || !is_valid ? 1 : static_cast<uint32_t>(text[0] - '0');
	}

	std::string text;
	bool is_valid;
	uint32_t level;
};

} // namespace

static Status refuse(const KernelLaunch &launch, const std::string &why)
{
	return set_error(
		Status::INVALID_ARGUMENT,
		fmt::format("kernel {}: {}", launch.image->entries()[launch.entry].name, why));
}

static Status check_args(const KernelLaunch &launch)
{
	const KernelEntry &entry = launch.image->entries()[launch.entry];
	if (launch.args_bytes < entry.needed_bytes())
		return refuse(launch,
			      fmt::format("argsSize is {}; its {} parameters need {} bytes: each "
					  "begins at a multiple of 8",
					  launch.args_bytes, entry.params.size(),
					  entry.needed_bytes()));
	if (launch.args_bytes > UNPU_KERNEL_WIRE_MAX_ARGS)
		return refuse(launch, fmt::format("argsSize is {}; the most are {}",
						  launch.args_bytes, UNPU_KERNEL_WIRE_MAX_ARGS));
	if (launch.host.size() > MOST_HOST)
		return refuse(launch, fmt::format("the arguments and their data have {} bytes; the "
						  "most are {}",
						  launch.host.size(), MOST_HOST));
	for (const KernelPlace &place : launch.places) {
		const size_t bytes = launch.host.size();
		if (place.address % 8 != 0 || uint64_t{place.address} + 8 > bytes ||
		    place.data % 8 != 0 || place.data > bytes)
			return refuse(launch,
				      fmt::format("a place holder has addrOffset {} and dataOffset "
						  "{}; they must be multiples of 8 within the {} "
						  "bytes of arguments and data",
						  place.address, place.data, launch.host.size()));
	}
	return Status::OK;
}

static Status check_launch(OpenDevice &open, const KernelLaunch &launch)
{
	const CheckLevel &check = Process::own<CheckLevel>();
	if (!check.is_valid)
		return refuse(launch, fmt::format("UNPU_KERNEL_CHECK is \"{}\"; it must be 0 to 3",
						  check.text));
	if (!launch.image->device().is(open))
		return set_error(Status::INVALID_HANDLE,
				 "the kernel's binary is loaded on another device than that of the "
				 "stream, or its device was reset since; load the binary on the "
				 "device of the stream");
	if (launch.blocks == 0 || launch.blocks > UNPU_KERNEL_WIRE_MAX_BLOCKS)
		return refuse(launch, fmt::format("numBlocks is {}; it must be 1 to {}",
						  launch.blocks, UNPU_KERNEL_WIRE_MAX_BLOCKS));
	return check_args(launch);
}

/* Checks arguments that are in the program's device memory. */
static Status check_memory(drv::Device &device, const KernelLaunch &launch)
{
	drv::Place place;
	const KernelEntry &entry = launch.image->entries()[launch.entry];
	const uint64_t bytes = std::max<uint64_t>(padded_args(launch.args_bytes), entry.args_bytes);
	if (launch.va % 8 == 0 && device.reaches(launch.va, bytes, place))
		return Status::OK;
	return refuse(launch,
		      fmt::format("argsData {:#x} must be {} bytes of device or pinned memory "
				  "that begin at a multiple of 8",
				  launch.va, bytes));
}

static void put_head(KernelWords &words, drv::Device &device, const KernelLaunch &launch,
		     bool saturates)
{
	const KernelEntry &entry = launch.image->entries()[launch.entry];
	KernelHead head{};
	head.image = launch.image->number();
	head.entry = launch.entry;
	head.blocks = launch.blocks;
	head.args_bytes = static_cast<uint32_t>(
		std::max<size_t>(padded_args(launch.args_bytes), entry.args_bytes));
	head.timeout_ns = launch.attributes.timeout_ns;
	head.tiling_key = launch.tiling_key;
	head.flags = saturates ? UNPU_KERNEL_LAUNCH_SATURATE : 0;
	head.flags |= check::is_on() ? UNPU_KERNEL_LAUNCH_EXACT : 0;
	head.check = Process::own<CheckLevel>().level;
	head.objects = device.memory().freed_objects();
	head.observer = recorder::observer.next_command();
	words.resize(sizeof(head) / sizeof(uint64_t));
	memcpy(words.data(), &head, sizeof(head));
}

static void name_memory(KernelWords &words, uint64_t va)
{
	auto &head = *reinterpret_cast<KernelHead *>(words.data());
	head.flags |= UNPU_KERNEL_LAUNCH_ARGS_IN_MEMORY;
	head.args_va = va;
}

/* Puts the arguments and their data into memory of the runtime, and the addresses of the data into both copies. */
static Status place_data(OpenDevice &open, const KernelLaunch &launch, KernelWords &words,
			 std::vector<std::byte> &args)
{
	const size_t bytes = std::max(launch.host.size(), args.size());
	auto memory = TRY(KernelMemory::allocate(open, bytes));
	words.memory = std::move(memory);
	std::byte *const to = words.memory->data();
	memcpy(to, launch.host.data(), launch.host.size());
	for (const KernelPlace &place : launch.places) {
		const uint64_t address = words.memory->va() + place.data;
		memcpy(to + place.address, &address, sizeof(address));
	}
	memcpy(args.data(), to, std::min(args.size(), launch.args_bytes));
	return Status::OK;
}

Result<std::shared_ptr<KernelWords>> make_kernel_words(OpenDevice &open, const KernelLaunch &launch,
						       bool saturates)
{
	TRY(check_launch(open, launch));
	auto words = std::make_shared<KernelWords>();
	words->image = launch.image;
	words->entry = launch.entry;
	words->function = launch.function;
	words->attributes = launch.attributes;
	put_head(*words, *open.device, launch, saturates);
	if (words->head().args_bytes == 0)
		return words;
	if (launch.va != 0) {
		TRY(check_memory(*open.device, launch));
		name_memory(*words, launch.va);
		return words;
	}
	std::vector<std::byte> args(words->head().args_bytes);
	memcpy(args.data(), launch.host.data(), launch.args_bytes);
	const bool is_long = args.size() > MOST_INLINE;
	if (is_long || !launch.places.empty())
		TRY(place_data(open, launch, *words, args));
	if (is_long) {
		name_memory(*words, words->memory->va());
		return words;
	}
	const size_t head = words->size();
	words->resize(head + args.size() / sizeof(uint64_t));
	memcpy(words->data() + head, args.data(), args.size());
	return words;
}

unpu_packet kernel_packet_of(const KernelWords &words)
{
	const auto cookie = drv::cookie_call(static_cast<uint8_t>(Call::LAUNCH_KERNEL));
	return drv::kernel_packet(cookie, words.size() * sizeof(uint64_t));
}

const KernelWords *kernel_words(const GraphTask &task)
{
	if (task.packet.opcode != UNPU_OP_KERNEL)
		return nullptr;
	return static_cast<const KernelWords *>(task.tensor.get());
}

/* While calls are recorded, each launch reports its accesses, and the device keeps only a limited number of
 * these reports. So they are fetched here, and not only at a synchronisation, which also prints the output of
 * kernels. */
static void take_output_in_time(drv::Device &device)
{
	static constexpr uint64_t LAUNCHES = 128;
	static constinit std::atomic<uint64_t> launches{0};
	if (launches.fetch_add(1) % LAUNCHES == LAUNCHES - 1)
		print_kernel_output(device);
}

/* The place of the launch that a failure's cookie would name. @fence: fence of its packet, or empty */
static uint64_t place_of(const Stream &stream, const drv::Fence &fence)
{
	if (fence.empty())
		return RecentLaunches::NOWHERE;
	return drv::cookie_place(stream.channel->index(), stream.channel->task_number(fence));
}

/* Keeps the arguments of the launch for the function that the program has set for failures of the binary. */
static Status enqueue_kept(Stream &stream, const std::shared_ptr<const KernelWords> &words)
{
	const unpu_packet packet = kernel_packet_of(*words);
	const auto *handle = reinterpret_cast<const void *>(words->image->binary());
	const Held<KernelBinary> binary(KernelBinary::table(), handle);
	if (!binary || !binary->keeps_launches.load())
		return enqueue_tensor(stream, packet, words);
	drv::Fence fence;
	binary->launches.begin(words);
	const Status status = enqueue_tensor(stream, packet, words, &fence);
	binary->launches.end(place_of(stream, fence));
	return status;
}

Status launch_kernel(void *stream, const KernelLaunch &launch)
{
	const auto found = TRY(find_stream(stream, true));
	auto words = TRY(make_kernel_words(*found->context->open, launch, found->saturates));
	if (recorder::is_on()) [[unlikely]]
		take_output_in_time(found->context->device());
	const Status status = KernelBinary::any_keeps_launches.load()
				      ? enqueue_kept(*found, words)
				      : enqueue_tensor(*found, kernel_packet_of(*words), words);
	words = std::shared_ptr<KernelWords>();
	KernelLeftovers::release();
	return status;
}

} // namespace umd
