// SPDX-License-Identifier: MIT
/**
 * DOC: Operands of kernels
 *
 * The recorder knows the parameters of a kernel, not what the kernel does with them. So the record of a
 * launch has the whole allocation to which each pointer points, as memory that the kernel may read and write.
 * After the kernel has run, the device reports which bytes it has accessed.
 */
#include "kernel_operands.h"
#include "notes.h"

#include <algorithm>
#include <cstring>

#include "kernels/abi/image.h"
#include "umd/core/device/open_device.h"

namespace umd {

using recorder::Operand;
using recorder::Operands;
using recorder::Role;

/* It is unknown whether the kernel reads the memory, so memory that was never written is no mistake here. */
static void add(Operands &operands, const drv::Bo &bo, san::Access access, Role role)
{
	Operand &operand = operands.add(bo.va, bo.asked_bytes(), access, role);
	operand.flags |= san::OPERAND_PARTIAL | san::OPERAND_SCRATCH;
}

void add_kernel_operands(Operands &operands, const KernelImage &image, const void *words,
			 size_t bytes)
{
	struct unpu_kernel_launch head;
	const DeviceHold device = image.device().hold();
	if (!device || bytes < sizeof(head))
		return;
	memcpy(&head, words, sizeof(head));
	const bool is_elsewhere = head.flags & UNPU_KERNEL_LAUNCH_ARGS_IN_MEMORY;
	if (is_elsewhere || head.entry >= image.entries().size())
		return;
	const auto *args = static_cast<const std::byte *>(words) + sizeof(head);
	std::vector<drv::Bo> reached;
	for (const unpu_kernel_param_info &param : image.entries()[head.entry].params) {
		uint64_t address = 0;
		if (param.kind != UNPU_KERNEL_PARAM_POINTER ||
		    param.offset + sizeof(address) > bytes - sizeof(head))
			continue;
		memcpy(&address, args + param.offset, sizeof(address));
		const drv::Bo bo = device->memory().lookup(address);
		if (bo.bytes != 0)
			reached.push_back(bo);
	}
	for (const drv::Bo &bo : reached)
		add(operands, bo, san::Access::READ, Role::INPUT);
	for (const drv::Bo &bo : reached)
		add(operands, bo, san::Access::WRITE, Role::OUTPUT);
}

uint32_t kernel_label(recorder::Recorder &recorder, const KernelImage &image, uint32_t entry)
{
	return entry < image.entries().size()
		       ? recorder.name("kernel " + image.entries()[entry].name)
		       : 0;
}

static void add_access(Operands &operands, const unpu_kernel_access &access)
{
	static constexpr san::Access DOES[] = {san::Access::READ, san::Access::WRITE,
					       san::Access::REDUCE};
	if (access.kind >= std::size(DOES))
		return;
	const bool reads = access.kind == UNPU_KERNEL_ACCESS_READ;
	Operand &operand = operands.add(access.start, access.bytes, DOES[access.kind],
					reads ? Role::INPUT : Role::OUTPUT);
	operand.flags |= access.flags & UNPU_KERNEL_ACCESS_BEYOND ? san::OPERAND_BEYOND
								  : san::OPERAND_BLOCKS;
	if (access.flags & UNPU_KERNEL_ACCESS_OWN)
		operand.flags |= san::OPERAND_SCRATCH;
	if (access.flags & UNPU_KERNEL_ACCESS_PARTIAL)
		operand.flags |= san::OPERAND_PARTIAL | san::OPERAND_SCRATCH;
	if (access.count != 1) {
		operand.ndim = 1;
		operand.dims[0] = {access.count, static_cast<int64_t>(access.stride)};
	}
}

static void note_kernel_accesses(uint64_t observer, const void *accesses, size_t bytes)
{
	recorder::Recorder *recorder = recorder::Recorder::get();
	if (!recorder)
		return;
	const size_t count = bytes / sizeof(unpu_kernel_access);
	const auto *at = static_cast<const std::byte *>(accesses);
	for (size_t first = 0; first < count; first += Operands::MOST) {
		Operands operands;
		for (size_t i = first; i < std::min(count, first + Operands::MOST); i++) {
			unpu_kernel_access access;
			memcpy(&access, at + i * sizeof(access), sizeof(access));
			add_access(operands, access);
		}
		recorder->write({.kind = san::Kind::OBSERVED,
				 .object = observer,
				 .value = first / Operands::MOST,
				 .site = recorder::NO_SITE},
				&operands);
	}
}

void recorder::observe_kernels()
{
	observer.note_kernel_accesses.fill(note_kernel_accesses);
}

} // namespace umd
