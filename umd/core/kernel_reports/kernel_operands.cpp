// SPDX-License-Identifier: MIT
/**
 * DOC: Operands of kernels
 *
 * The recorder knows the parameters of a kernel, not what the kernel does with them. So a record has the whole
 * allocation behind each pointer, and that the kernel may read and write any byte of it.
 */
#include "kernel_operands.h"

#include <cstring>

#include "kernels/abi/image.h"

namespace umd {

using recorder::Operand;
using recorder::Operands;
using recorder::Role;

static void add(Operands &operands, const drv::Bo &bo, san::Access access, Role role)
{
	Operand &operand = operands.add(bo.va, bo.bytes, access, role);
	operand.flags |= san::OPERAND_PARTIAL;
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

} // namespace umd
