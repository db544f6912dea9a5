// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL attributes of devices
 *
 * The values come from the device itself (Documentation/adr/0020). An attribute of a unit that the
 * device does not have is 0.
 */
#include <cstring>
#include <iterator>

#include <strings.h>

#include "acl/acl.h"
#include "chip.h"
#include "hal/topology.h"
#include "umd/acl/facts.h"
#include "umd/core/device/devices.h"

using base::Result;
using base::Status;
using umd::acl_return;
using umd::Devices;
using umd::Facts;
using umd::null_argument;
using umd::set_error;

namespace umd {

Result<Facts> read_facts(int32_t index)
{
	Facts facts;
	Status status = Devices::get().with_device(index, false, [&](drv::Device &device) {
		auto info = device.info();
		if (!info)
			return set_error(info.status(),
					 fmt::format("device {} does not answer: {}", index,
						     base::status_sentence(info.status())));
		const unpu_bar &bar = device.hal().bar();
		facts.info = *info;
		facts.soc_name =
			std::string(bar.soc_name, strnlen(bar.soc_name, sizeof(bar.soc_name)));
		facts.memory_bytes = bar.memory_bytes;
		facts.instance = bar.instance;
		facts.number = bar.device_index;
		facts.node = bar.numa_node;
		return Status::OK;
	});
	if (status != Status::OK)
		return status;
	return facts;
}

} // namespace umd

static int64_t as_value(uint64_t number)
{
	return static_cast<int64_t>(number);
}

static Result<int64_t> attribute(aclrtDevAttr attr, const Facts &facts)
{
	switch (attr) {
	case ACL_DEV_ATTR_AICPU_CORE_NUM:
		return int64_t{1}; /* the command processor */
	case ACL_DEV_ATTR_AICORE_CORE_NUM:
	case ACL_DEV_ATTR_CUBE_CORE_NUM:
		return as_value(facts.cores().cube);
	case ACL_DEV_ATTR_VECTOR_CORE_NUM:
		return as_value(facts.cores().vector);
	case ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE:
		return as_value(facts.info.local_bytes);
	case ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE:
		return as_value(facts.memory_bytes);
	case ACL_DEV_ATTR_L2_CACHE_SIZE:
		return as_value(facts.info.shared_bytes);
	case ACL_DEV_ATTR_PHY_CHIP_ID:
		return as_value(facts.number);
	case ACL_DEV_ATTR_HD_CONNECT_TYPE:
		return int64_t{ACL_HOST_DEVICE_CONNECT_TYPE_PCIE};
	case ACL_DEV_ATTR_DEVICE_FORM_FACTOR:
		return int64_t{ACL_DEVICE_FORM_FACTOR_PCIE_CARD};
	case ACL_DEV_ATTR_NPU_ARCH:
		return int64_t{umd::find_arch(facts.soc_name)};
	case ACL_DEV_ATTR_WARP_SIZE: /* the device has no SIMT cores */
	case ACL_DEV_ATTR_MAX_THREAD_PER_VECTOR_CORE:
	case ACL_DEV_ATTR_MAX_GRID_DIM_X:
	case ACL_DEV_ATTR_MAX_GRID_DIM_Y:
	case ACL_DEV_ATTR_MAX_GRID_DIM_Z:
	case ACL_DEV_ATTR_MAX_BLOCK_PER_GRID:
	case ACL_DEV_ATTR_MAX_THREADS_PER_BLOCK:
	case ACL_DEV_ATTR_MAX_BLOCK_DIM_X:
	case ACL_DEV_ATTR_MAX_BLOCK_DIM_Y:
	case ACL_DEV_ATTR_MAX_BLOCK_DIM_Z:
	case ACL_DEV_ATTR_SMP_ID: /* the device is one chip on one board, not part of a larger machine */
	case ACL_DEV_ATTR_SUPER_POD_DEVICE_ID:
	case ACL_DEV_ATTR_SUPER_POD_SERVER_ID:
	case ACL_DEV_ATTR_SUPER_POD_ID:
	case ACL_DEV_ATTR_MAINBOARD_ID:
	case ACL_DEV_ATTR_CUST_OP_PRIVILEGE:
	case ACL_DEV_ATTR_IS_VIRTUAL: /* the program gets a whole device, never a part of one */
		return int64_t{0};
	}
	return set_error(
		Status::INVALID_ARGUMENT,
		fmt::format(
			"attr is {}, which is none of aclrtDevAttr in acl/rt/device/device_info.h",
			static_cast<int>(attr)));
}

aclError aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attr, int64_t *value)
{
	if (!value)
		return acl_return(null_argument("value"));
	auto facts = TRY(umd::read_facts(umd::device_index(deviceId)));
	auto answer = TRY(attribute(attr, facts));
	*value = answer;
	return ACL_SUCCESS;
}

aclError aclGetDeviceCapability(uint32_t deviceId, aclDeviceInfo deviceInfo, int64_t *value)
{
	if (!value)
		return acl_return(null_argument("value"));
	aclrtDevAttr attr{};
	switch (deviceInfo) {
	case ACL_DEVICE_INFO_AI_CORE_NUM:
		attr = ACL_DEV_ATTR_AICORE_CORE_NUM;
		break;
	case ACL_DEVICE_INFO_VECTOR_CORE_NUM:
		attr = ACL_DEV_ATTR_VECTOR_CORE_NUM;
		break;
	case ACL_DEVICE_INFO_L2_SIZE:
		attr = ACL_DEV_ATTR_L2_CACHE_SIZE;
		break;
	default:
		return acl_return(
			set_error(Status::INVALID_ENUM,
				  fmt::format("deviceInfo is {}; it must be "
					      "ACL_DEVICE_INFO_AI_CORE_NUM (0), _VECTOR_CORE_NUM "
					      "(1) or _L2_SIZE (2)",
					      static_cast<int>(deviceInfo))));
	}
	return aclrtGetDeviceInfo(deviceId, attr, value);
}

aclError aclrtGetDeviceCapability(int32_t deviceId, aclrtDevFeatureType devFeatureType,
				  int32_t *value)
{
	if (!value)
		return acl_return(null_argument("value"));
	switch (devFeatureType) {
	case ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV:
	case ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV:
		break;
	default:
		return acl_return(set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("devFeatureType is {}; it must be "
				    "ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV (1) or "
				    "ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV (21)",
				    static_cast<int>(devFeatureType))));
	}
	TRY(umd::read_facts(deviceId));
	/* The device has no kernels that another task could update, and no queues of buffers. */
	*value = ACL_DEV_FEATURE_NOT_SUPPORT;
	return ACL_SUCCESS;
}

aclError aclrtCheckArchCompatibility(const char *socVersion, int32_t *canCompatible)
{
	if (!socVersion)
		return acl_return(null_argument("socVersion"));
	if (!canCompatible)
		return acl_return(null_argument("canCompatible"));
	const std::string &here = Devices::get().soc_name();
	aclplatformNpuArch arch = umd::find_arch(here);
	bool same = arch != DAV_RESV && arch == umd::find_arch(socVersion);
	*canCompatible = same || here == socVersion;
	return ACL_SUCCESS;
}

aclError aclrtGetDevicesTopo(uint32_t deviceId, uint32_t otherDeviceId, uint64_t *value)
{
	if (!value)
		return acl_return(null_argument("value"));
	auto one = TRY(umd::read_facts(umd::device_index(deviceId)));
	auto other = TRY(umd::read_facts(umd::device_index(otherDeviceId)));
	/* The memory of both devices is host memory: their link is the memory bus of one NUMA node, or
	 * the link between two nodes. */
	bool near = hal::numa_nodes() == 1 || (one.node >= 0 && one.node == other.node);
	*value = near ? ACL_RT_DEVS_TOPOLOGY_PHB : ACL_RT_DEVS_TOPOLOGY_SYS;
	return ACL_SUCCESS;
}

aclError aclrtDeviceGetUuid(int32_t deviceId, aclrtUuid *uuid)
{
	if (!uuid)
		return acl_return(null_argument("uuid"));
	auto facts = TRY(umd::read_facts(deviceId));
	constexpr char MARK[] = {'u', 'n', 'p', 'u'};
	static_assert(sizeof(facts.instance) + sizeof(MARK) + sizeof(facts.number) ==
		      sizeof(uuid->bytes));
	char *at = uuid->bytes;
	memcpy(at, &facts.instance, sizeof(facts.instance));
	memcpy(at + sizeof(facts.instance), MARK, sizeof(MARK));
	memcpy(at + sizeof(facts.instance) + sizeof(MARK), &facts.number, sizeof(facts.number));
	return ACL_SUCCESS;
}

/* "dddd:bb:dd.f" and the terminating zero. */
static constexpr int32_t BUS_ID_BYTES = 13;

/* The device is on no PCI bus. Its number is put into domain ffff, which no real device uses. */
static std::string bus_id(uint32_t number)
{
	return fmt::format("ffff:00:{:02x}.0", number);
}

aclError aclrtDeviceGetPCIBusId(int32_t deviceId, char *pciBusId, int32_t len)
{
	if (!pciBusId)
		return acl_return(null_argument("pciBusId"));
	if (len < BUS_ID_BYTES)
		return acl_return(
			set_error(Status::INVALID_ARGUMENT,
				  fmt::format("len is {}; dddd:bb:dd.f and its end take {} bytes",
					      len, BUS_ID_BYTES)));
	auto facts = TRY(umd::read_facts(deviceId));
	std::string text = bus_id(facts.number);
	memcpy(pciBusId, text.c_str(), text.size() + 1);
	return ACL_SUCCESS;
}

aclError aclrtDeviceGetByPCIBusId(const char *pciBusId, int32_t *deviceId)
{
	if (!pciBusId)
		return acl_return(null_argument("pciBusId"));
	if (!deviceId)
		return acl_return(null_argument("deviceId"));
	auto devices = TRY(Devices::get().visible_devices());
	for (uint32_t user = 0; user < devices.count(); user++) {
		if (strcasecmp(pciBusId, bus_id(devices.logic(user)).c_str()) != 0)
			continue;
		*deviceId = static_cast<int32_t>(user);
		return ACL_SUCCESS;
	}
	return acl_return(
		set_error(Status::INVALID_ARGUMENT,
			  fmt::format("pciBusId '{}' is not one of this program's devices; "
				      "aclrtDeviceGetPCIBusId tells theirs, as {}",
				      pciBusId, bus_id(devices.logic(0)))));
}
