// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL random tasks
 *
 * The device draws. Numbers of the task that stand in device memory are gathered there, in the task's
 * parameter memory, by small copies ahead of it on the stream.
 */
#include <cstring>

#include "drv/cookie.h"
#include "drv/packets.h"
#include "front.h"
#include "umd/copy.h"

using base::Result;
using base::Status;
using umd::acl_return;
using umd::null_argument;
using umd::Runtime;
using umd::set_error;

/* enum Slot - words of the parameter memory, in the device's order. */
enum Slot : unsigned { SLOT_A, SLOT_B, SLOT_SEED, SLOT_COUNT, SLOTS };

/* struct Number - one number of a task, as it was given. */
struct Number {
	const char *name;
	const aclrtRandomParaInfo *info;
	uint64_t most_bytes; /* that it may have */
};

/* struct RandomTask - a task on its way to the device. */
struct RandomTask {
	unpu_operator op{};
	unpu_dtype dtype = UNPU_DTYPE_F32;
	uint64_t element_bytes = 0;
	Number numbers[SLOTS] = {};
};

static constexpr uint64_t WORD = sizeof(uint64_t);
static constexpr uint64_t BLOCK_BYTES = SLOTS * WORD;

static uint64_t number(const void *address)
{
	return reinterpret_cast<uint64_t>(address);
}

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

/* The numbers by which the distribution is described. */
static Status set_distribution(RandomTask &task, const aclrtRandomNumFuncParaInfo &what)
{
	const auto &info = what.paramInfo;
	switch (what.funcType) {
	case ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK:
		task.op.parameters[0] = UNPU_RANDOM_MASK;
		task.numbers[SLOT_A] = {"dropoutRation", &info.dropoutBitmaskInfo.dropoutRation, 0};
		return Status::OK;
	case ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS:
		task.op.parameters[0] = UNPU_RANDOM_UNIFORM;
		task.numbers[SLOT_A] = {"min", &info.uniformDisInfo.min, 0};
		task.numbers[SLOT_B] = {"max", &info.uniformDisInfo.max, 0};
		return Status::OK;
	case ACL_RT_RANDOM_NUM_FUNC_TYPE_NORMAL_DIS:
	case ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS:
		task.op.parameters[0] = what.funcType == ACL_RT_RANDOM_NUM_FUNC_TYPE_NORMAL_DIS
						? UNPU_RANDOM_NORMAL
						: UNPU_RANDOM_TRUNCATED;
		task.numbers[SLOT_A] = {"mean", &info.normalDisInfo.mean, 0};
		task.numbers[SLOT_B] = {"stddev", &info.normalDisInfo.stddev, 0};
		return Status::OK;
	}
	return set_error(Status::INVALID_ENUM,
			 fmt::format("taskInfo->randomNumFuncParaInfo.funcType is {}; it must be "
				     "ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK (0) to "
				     "_TRUNCATED_NORMAL_DIS (3)",
				     static_cast<int>(what.funcType)));
}

/* Parameters have the size of an element; seed and count up to a word. */
static Status check_number(const Number &given, uint64_t element_bytes)
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

static uint64_t value_of(const aclrtRandomParaInfo &info)
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
	return set_error(
		Status::INVALID_ARGUMENT,
		fmt::format("taskInfo->{}: the {} bytes from {:#x} are not inside one live "
			    "allocation of the stream's device",
			    name, bytes, address));
}

static Result<uint64_t> result_bytes(const RandomTask &task)
{
	uint64_t count = value_of(*task.numbers[SLOT_COUNT].info);
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
	for (const Number &given : task.numbers) {
		if (given.info && given.info->isAddr)
			return true;
	}
	return false;
}

static Result<RandomTask> read_task(const aclrtRandomNumTaskInfo &info)
{
	RandomTask task;
	task.op.kind = UNPU_OPERATOR_RANDOM;
	TRY(set_distribution(task, info.randomNumFuncParaInfo));
	TRY(set_type(task, info.dataType));
	task.numbers[SLOT_SEED] = {"randomSeed", &info.randomSeed, WORD};
	task.numbers[SLOT_COUNT] = {"randomNum", &info.randomNum, WORD};
	for (const Number &given : task.numbers) {
		if (given.info)
			TRY(check_number(given, task.element_bytes));
	}
	if (any_in_memory(task) && !info.randomParaAddr)
		return set_error(
			Status::INVALID_ARGUMENT,
			fmt::format(
				"taskInfo->randomParaAddr is NULL; a task with a number given by "
				"its address needs {} bytes of device memory there",
				BLOCK_BYTES));
	return task;
}

static void set_operand(unpu_operand &operand, const void *address, uint32_t dtype, uint32_t access)
{
	operand.address = number(address);
	operand.dtype = dtype;
	operand.access = access;
}

static Status check_places(drv::Device &device, const RandomTask &task,
			   const aclrtRandomNumTaskInfo &info)
{
	const Number &count = task.numbers[SLOT_COUNT];
	/* How much is drawn is not known yet when that stands in memory. */
	auto bytes = count.info->isAddr ? Result<uint64_t>(1) : result_bytes(task);
	if (!bytes)
		return bytes.status();
	if (*bytes > 0)
		TRY(check_memory(device, "randomResultAddr", number(info.randomResultAddr), *bytes,
				 1));
	TRY(check_memory(device, "randomCounterAddr", number(info.randomCounterAddr), 2 * WORD,
			 WORD));
	for (const Number &given : task.numbers) {
		if (given.info && given.info->isAddr)
			TRY(check_memory(device, given.name, value_of(*given.info),
					 given.info->size, 1));
	}
	if (any_in_memory(task))
		TRY(check_memory(device, "randomParaAddr", number(info.randomParaAddr), BLOCK_BYTES,
				 WORD));
	return Status::OK;
}

/* Puts each number into its word of the parameter memory, in stream order. */
static Status gather(umd::Stream &stream, const RandomTask &task, uint64_t block)
{
	auto cookie = drv::cookie_call(static_cast<uint8_t>(umd::Call::RANDOM));
	for (unsigned i = 0; i < SLOTS; i++) {
		const aclrtRandomParaInfo *info = task.numbers[i].info;
		bool there = info && info->isAddr;
		uint64_t word = block + i * WORD;
		uint64_t value = info && !there ? value_of(*info) : 0;
		TRY(umd::enqueue(stream, drv::value_write_packet(cookie, word, value, WORD)));
		if (there)
			TRY(umd::enqueue(stream, drv::copy_packet(cookie, word, value_of(*info),
								  info->size)));
	}
	return Status::OK;
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
	if (any_in_memory(task)) {
		op.noperands = 3;
		set_operand(op.operands[2], info.randomParaAddr, UNPU_DTYPE_I64, UNPU_ACCESS_READ);
		TRY(gather(stream, task, number(info.randomParaAddr)));
	} else {
		for (unsigned i = 0; i < SLOTS; i++) {
			if (task.numbers[i].info)
				op.parameters[1 + i] = value_of(*task.numbers[i].info);
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
	auto task = read_task(*taskInfo);
	if (!task)
		return acl_return(task.status());
	TRY_VALUE(found, umd::find_stream(stream, true));
	Status status = check_places(found->context->device(), *task, *taskInfo);
	return acl_return(status == Status::OK ? enqueue_task(*found, *task, *taskInfo) : status);
}
