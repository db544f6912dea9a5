// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL random tasks
 *
 * The device generates the random numbers. If a parameter of the task is in device memory, small copies
 * on the stream gather all parameters in the task's parameter memory before the task runs.
 */
#include <cstring>

#include "drv/packet/cookie.h"
#include "drv/packet/packets.h"
#include "random_task.h"
#include "umd/core/context/find_stream.h"
#include "umd/core/copy/copy.h"
#include "umd/core/memory/released.h"
#include "umd/core/process/call.h"
#include "umd/core/stream/task_list.h"
#include "umd/core/task/box.h"

using base::Result;
using base::Status;
using umd::acl_return;
using umd::null_argument;
using umd::number;
using umd::random_value;
using umd::RandomNumber;
using umd::RandomTask;
using umd::set_error;

static constexpr uint64_t WORD = umd::RANDOM_WORD;

static bool is_floating(unpu_dtype dtype)
{
	return dtype == UNPU_DTYPE_F32 || dtype == UNPU_DTYPE_F16 || dtype == UNPU_DTYPE_BF16;
}

static Status set_type(RandomTask &task, aclDataType type)
{
	static constexpr struct {
		aclDataType type;
		unpu_dtype dtype;
		uint64_t bytes;
	} TYPES[] = {{ACL_FLOAT, UNPU_DTYPE_F32, 4},  {ACL_FLOAT16, UNPU_DTYPE_F16, 2},
		     {ACL_BF16, UNPU_DTYPE_BF16, 2},  {ACL_INT32, UNPU_DTYPE_I32, 4},
		     {ACL_UINT32, UNPU_DTYPE_I32, 4}, {ACL_INT64, UNPU_DTYPE_I64, 8},
		     {ACL_UINT64, UNPU_DTYPE_I64, 8}};
	bool whole = task.op.parameters[0] == UNPU_RANDOM_UNIFORM;
	for (const auto &entry : TYPES) {
		if (entry.type != type || (!whole && !is_floating(entry.dtype)))
			continue;
		task.dtype = entry.dtype;
		task.element_bytes = entry.bytes;
		return Status::OK;
	}
	return set_error(
		Status::INVALID_ARGUMENT,
		fmt::format("taskInfo->dataType is {}; it must be FLOAT, FLOAT16 or BF16{}",
			    static_cast<int>(type),
			    whole ? ", or INT32, UINT32, INT64 or UINT64" : ""));
}

/* Sets the distribution and its parameters. */
static Status set_distribution(RandomTask &task, const aclrtRandomNumFuncParaInfo &what)
{
	const auto &info = what.paramInfo;
	switch (what.funcType) {
	case ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK:
		task.op.parameters[0] = UNPU_RANDOM_MASK;
		task.numbers[umd::SLOT_A] = {"dropoutRation",
					     &info.dropoutBitmaskInfo.dropoutRation, 0};
		return Status::OK;
	case ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS:
		task.op.parameters[0] = UNPU_RANDOM_UNIFORM;
		task.numbers[umd::SLOT_A] = {"min", &info.uniformDisInfo.min, 0};
		task.numbers[umd::SLOT_B] = {"max", &info.uniformDisInfo.max, 0};
		return Status::OK;
	case ACL_RT_RANDOM_NUM_FUNC_TYPE_NORMAL_DIS:
	case ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS:
		task.op.parameters[0] = what.funcType == ACL_RT_RANDOM_NUM_FUNC_TYPE_NORMAL_DIS
						? UNPU_RANDOM_NORMAL
						: UNPU_RANDOM_TRUNCATED;
		task.numbers[umd::SLOT_A] = {"mean", &info.normalDisInfo.mean, 0};
		task.numbers[umd::SLOT_B] = {"stddev", &info.normalDisInfo.stddev, 0};
		return Status::OK;
	}
	return set_error(Status::INVALID_ENUM,
			 fmt::format("taskInfo->randomNumFuncParaInfo.funcType is {}; it must be "
				     "ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK (0) to "
				     "_TRUNCATED_NORMAL_DIS (3)",
				     static_cast<int>(what.funcType)));
}

/* A parameter of the distribution has the size of an element. The seed and the count have 1, 2, 4 or 8
 * bytes. */
static Status check_number(const RandomNumber &given, uint64_t element_bytes)
{
	bool whole = given.most_bytes == WORD;
	uint64_t size = given.info->size;
	bool good =
		whole ? size == 1 || size == 2 || size == 4 || size == 8 : size == element_bytes;
	if (!good)
		return set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("taskInfo: {}.size is {}; it must be {}", given.name, size,
				    whole ? "1, 2, 4 or 8"
					  : fmt::format("that of an element, {}", element_bytes)));
	if (given.info->isAddr > 1)
		return set_error(
			Status::INVALID_ARGUMENT,
			fmt::format(
				"taskInfo: {}.isAddr is {}; it must be 0 (the number) or 1 (its "
				"address)",
				given.name, given.info->isAddr));
	return Status::OK;
}

uint64_t umd::random_value(const aclrtRandomParaInfo &info)
{
	uint64_t value = 0;
	memcpy(&value, info.valueOrAddr, info.isAddr ? sizeof(value) : info.size);
	return value;
}

static Status check_memory(drv::Device &device, const char *name, uint64_t address, uint64_t bytes,
			   uint64_t alignment)
{
	if (address % alignment != 0)
		return set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("taskInfo->{} is {:#x}; it must be aligned to {} bytes", name,
				    address, alignment));
	if (umd::side_of(reinterpret_cast<const void *>(address)) != umd::Side::HOST &&
	    device.memory().covers(address, bytes))
		return Status::OK;
	TRY(umd::ReleasedMemory::check(name, reinterpret_cast<const void *>(address)));
	return set_error(
		Status::INVALID_ARGUMENT,
		fmt::format("taskInfo->{}: the {} bytes from {:#x} are not inside one live "
			    "allocation of the stream's device",
			    name, bytes, address));
}

static Result<uint64_t> result_bytes(const RandomTask &task)
{
	uint64_t count = random_value(*task.numbers[umd::SLOT_COUNT].info);
	if (task.op.parameters[0] == UNPU_RANDOM_MASK)
		return count / 8 + (count % 8 != 0);
	uint64_t bytes = 0;
	if (__builtin_mul_overflow(count, task.element_bytes, &bytes))
		return set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("taskInfo->randomNum is {}; there is no memory of that "
				    "many elements",
				    count));
	return bytes;
}

static bool any_in_memory(const RandomTask &task)
{
	for (const RandomNumber &given : task.numbers) {
		if (given.info && given.info->isAddr)
			return true;
	}
	return false;
}

Status umd::set_seed_and_count(RandomTask &task, const aclrtRandomNumTaskInfo &info)
{
	task.numbers[SLOT_SEED] = {"randomSeed", &info.randomSeed, WORD};
	task.numbers[SLOT_COUNT] = {"randomNum", &info.randomNum, WORD};
	TRY(check_number(task.numbers[SLOT_SEED], task.element_bytes));
	return check_number(task.numbers[SLOT_COUNT], task.element_bytes);
}

static Result<RandomTask> read_task(const aclrtRandomNumTaskInfo &info)
{
	RandomTask task;
	task.op.kind = UNPU_OPERATOR_RANDOM;
	TRY(set_distribution(task, info.randomNumFuncParaInfo));
	TRY(set_type(task, info.dataType));
	TRY(umd::set_seed_and_count(task, info));
	for (const RandomNumber &given : task.numbers) {
		if (given.info)
			TRY(check_number(given, task.element_bytes));
	}
	if (any_in_memory(task) && !info.randomParaAddr)
		return set_error(
			Status::INVALID_ARGUMENT,
			fmt::format(
				"taskInfo->randomParaAddr is NULL; a task with a number given by "
				"its address needs {} bytes of device memory there",
				umd::RANDOM_BLOCK_BYTES));
	return task;
}

static void set_operand(unpu_operand &operand, const void *address, uint32_t dtype, uint32_t access)
{
	operand.address = number(address);
	operand.dtype = dtype;
	operand.access = access;
}

Status umd::check_random_places(drv::Device &device, const RandomTask &task,
				const aclrtRandomNumTaskInfo &info, bool block)
{
	const RandomNumber &count = task.numbers[umd::SLOT_COUNT];
	/* If the count is in device memory, the host does not know it yet and checks a single byte of
	 * the result. */
	auto bytes = TRY(count.info->isAddr ? Result<uint64_t>(1) : result_bytes(task));
	if (bytes > 0)
		TRY(check_memory(device, "randomResultAddr", number(info.randomResultAddr), bytes,
				 1));
	TRY(check_memory(device, "randomCounterAddr", number(info.randomCounterAddr), 2 * WORD,
			 WORD));
	for (const RandomNumber &given : task.numbers) {
		if (given.info && given.info->isAddr)
			TRY(check_memory(device, given.name, random_value(*given.info),
					 given.info->size, 1));
	}
	if (block)
		TRY(check_memory(device, "randomParaAddr", number(info.randomParaAddr),
				 umd::RANDOM_BLOCK_BYTES, WORD));
	return Status::OK;
}

umd::GatherPackets umd::gather_packets(uint64_t block, unsigned slot,
				       const aclrtRandomParaInfo *info)
{
	auto cookie = drv::cookie_call(static_cast<uint8_t>(Call::RANDOM));
	uint64_t word = block + slot * WORD;
	if (!info || !info->isAddr)
		return {drv::value_write_packet(cookie, word, info ? random_value(*info) : 0, WORD),
			drv::nop_packet(cookie)};
	return {drv::value_write_packet(cookie, word, 0, WORD),
		drv::copy_packet(cookie, word, random_value(*info), info->size)};
}

/* Enqueues tasks that put each number into its word of the parameter memory. A stream that collects its
 * tasks for a model also gets the copies that do nothing, because aclrtTaskUpdateAsync may replace
 * them. */
static Status gather(umd::Stream &stream, const RandomTask &task, uint64_t block)
{
	for (unsigned i = 0; i < umd::SLOTS; i++) {
		auto packets = umd::gather_packets(block, i, task.numbers[i].info);
		TRY(umd::enqueue(stream, packets.store));
		if (packets.copy.opcode != UNPU_OP_NOP || umd::collects(stream))
			TRY(umd::enqueue(stream, packets.copy));
	}
	return Status::OK;
}

static bool gathers(const umd::Stream &stream, const RandomTask &task,
		    const aclrtRandomNumTaskInfo &info)
{
	return any_in_memory(task) || (info.randomParaAddr && umd::collects(stream));
}

static Status enqueue_task(umd::Stream &stream, RandomTask &task,
			   const aclrtRandomNumTaskInfo &info)
{
	unpu_operator &op = task.op;
	bool mask = op.parameters[0] == UNPU_RANDOM_MASK;
	op.compute = task.dtype;
	op.noperands = 2;
	set_operand(op.operands[0], info.randomResultAddr, mask ? UNPU_DTYPE_U8 : task.dtype,
		    UNPU_ACCESS_WRITE);
	set_operand(op.operands[1], info.randomCounterAddr, UNPU_DTYPE_I64,
		    UNPU_ACCESS_READ | UNPU_ACCESS_WRITE);
	if (gathers(stream, task, info)) {
		op.noperands = 3;
		set_operand(op.operands[2], info.randomParaAddr, UNPU_DTYPE_I64, UNPU_ACCESS_READ);
		TRY(gather(stream, task, number(info.randomParaAddr)));
	} else {
		for (unsigned i = 0; i < umd::SLOTS; i++) {
			if (task.numbers[i].info)
				op.parameters[1 + i] = random_value(*task.numbers[i].info);
		}
	}
	auto cookie = drv::cookie_call(static_cast<uint8_t>(umd::Call::RANDOM));
	return umd::enqueue(stream, drv::operator_packet(cookie, 0), &op);
}

aclError aclrtRandomNumAsync(const aclrtRandomNumTaskInfo *taskInfo, const aclrtStream stream,
			     void *reserve)
{
	if (!taskInfo)
		return acl_return(null_argument("taskInfo"));
	if (reserve)
		return acl_return(
			set_error(Status::NULL_POINTER, "reserve is reserved; it must be NULL"));
	if (!taskInfo->randomResultAddr || !taskInfo->randomCounterAddr)
		return acl_return(null_argument(taskInfo->randomResultAddr
							? "taskInfo->randomCounterAddr"
							: "taskInfo->randomResultAddr"));
	auto task = TRY(read_task(*taskInfo));
	auto found = TRY(umd::find_stream(stream, true));
	Status status = umd::check_random_places(found->context->device(), task, *taskInfo,
						 gathers(*found, task, *taskInfo));
	return acl_return(status == Status::OK ? enqueue_task(*found, task, *taskInfo) : status);
}
