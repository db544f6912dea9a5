// SPDX-License-Identifier: MIT
/*
 * DOC: clients that stay, with AscendCL
 */
#include "acl/acl.h"
#include "clients.h"
#include "survivor.h"

namespace stress {

namespace {

/* The objects of a round, which are lost with the device. */
struct Objects {
	aclrtStream a = nullptr;
	aclrtStream b = nullptr;
	aclrtEvent event = nullptr;
	aclmdlRI model = nullptr;
	void *x = nullptr;
	void *y = nullptr;
};

class AclSurvivor final : public Survivor {
public:
	using Survivor::Survivor;

private:
	bool init() override { return aclInit(nullptr) == ACL_SUCCESS; }
	bool open() override { return aclrtSetDevice(0) == ACL_SUCCESS && make() == End::GOOD; }
	End work(unsigned char value) override;
	End replay(unsigned char value) override;
	End rebuild() override;
	int synchronise() override { return aclrtSynchronizeDevice(); }
	std::vector<int> after_death() override;
	int lost() const override { return ACL_ERROR_RT_LOST_HEARTBEAT; }
	const char *why() override
	{
		const char *text = aclGetRecentErrMsg();

		return text ? text : "";
	}
	void drop() override;
	bool reset() override { return aclrtResetDeviceForce(0) == ACL_SUCCESS; }
	void finish() override
	{
		(void)aclrtResetDeviceForce(0);
		(void)aclFinalize();
	}

	End make();
	End load(int value);

	Objects own_;
};

End AclSurvivor::make()
{
	own_ = {};
	STRESS_CALL(aclrtCreateStream(&own_.a));
	STRESS_CALL(aclrtCreateStream(&own_.b));
	STRESS_CALL(aclrtCreateEvent(&own_.event));
	STRESS_CALL(aclrtMalloc(&own_.x, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY));
	STRESS_CALL(aclrtMalloc(&own_.y, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY));
	STRESS_CALL(aclmdlRICaptureBegin(own_.a, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
	/* Past here the capture has to end, whatever comes. */
	const aclError copied = aclrtMemcpyAsync(own_.y, kBytes, own_.x, kBytes,
						 ACL_MEMCPY_DEVICE_TO_DEVICE, own_.a);
	const aclError ended = aclmdlRICaptureEnd(own_.a, &own_.model);

	STRESS_CALL(copied);
	STRESS_CALL(ended);
	return End::GOOD;
}

End AclSurvivor::load(int value)
{
	STRESS_CALL(aclrtMemcpy(host_.data(), kBytes, own_.y, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
	return look(value);
}

End AclSurvivor::work(unsigned char value)
{
	STRESS_CALL(aclrtMemsetAsync(own_.x, kBytes, value, kBytes, own_.a));
	STRESS_CALL(aclrtRecordEvent(own_.event, own_.a));
	STRESS_CALL(aclrtStreamWaitEvent(own_.b, own_.event));
	STRESS_CALL(aclrtMemcpyAsync(own_.y, kBytes, own_.x, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE,
				     own_.b));
	STRESS_CALL(aclrtSynchronizeStream(own_.b));
	return load(value);
}

End AclSurvivor::replay(unsigned char value)
{
	STRESS_CALL(aclrtMemsetAsync(own_.x, kBytes, value, kBytes, own_.a));
	STRESS_CALL(aclmdlRIExecuteAsync(own_.model, own_.a));
	STRESS_CALL(aclrtSynchronizeDevice());
	return load(value);
}

End AclSurvivor::rebuild()
{
	void *more = nullptr;
	aclrtStream stream = nullptr;

	STRESS_CALL(aclrtCreateStream(&stream));
	STRESS_CALL(aclrtMalloc(&more, size_t{8} << 20, ACL_MEM_MALLOC_NORMAL_ONLY));
	STRESS_CALL(aclrtFree(more));
	STRESS_CALL(aclrtDestroyStream(stream));
	return End::GOOD;
}

std::vector<int> AclSurvivor::after_death()
{
	std::vector<int> codes = {aclrtSynchronizeDevice()};

	if (own_.a)
		codes.push_back(aclrtSynchronizeStream(own_.a));
	if (own_.a && own_.x)
		codes.push_back(aclrtMemsetAsync(own_.x, kBytes, 1, kBytes, own_.a));
	return codes;
}

void AclSurvivor::drop()
{
	if (own_.model)
		(void)aclmdlRIDestroy(own_.model);
	if (own_.event)
		(void)aclrtDestroyEvent(own_.event);
}

} // namespace

int stay(Board &board, unsigned number, unsigned seed)
{
	return AclSurvivor(board, board.seats[number], seed).run();
}

} // namespace stress
