// SPDX-License-Identifier: MIT
/*
 * DOC: two processes and one memory
 *
 * Check 44, and the same for memory without an address: each process reads what the other writes. A
 * process that is not listed gets nothing. Also what each side keeps when the other is killed.
 */
#include "event/notify.h"
#include "support/child_process.h"

#include <algorithm>
#include <csignal>

using namespace conformance;

namespace {

constexpr size_t kBytes = size_t{1} << 20;
constexpr size_t kUnit = size_t{2} << 20;

std::vector<char> load(const void *from, size_t size)
{
	std::vector<char> bytes(size);

	EXPECT_OK(aclrtMemcpy(bytes.data(), size, from, size, ACL_MEMCPY_DEVICE_TO_HOST));
	return bytes;
}

bool holds_all(const void *from, size_t size, char value)
{
	const std::vector<char> bytes = load(from, size);

	return std::all_of(bytes.begin(), bytes.end(), [&](char byte) { return byte == value; });
}

/* Memory without an address, and addresses for it. */
class Physical {
public:
	explicit Physical(aclrtMemLocationType type = ACL_MEM_LOCATION_TYPE_DEVICE)
	{
		aclrtPhysicalMemProp prop = {};

		prop.memAttr =
			type == ACL_MEM_LOCATION_TYPE_DEVICE ? ACL_HBM_MEM_HUGE : ACL_DDR_MEM_HUGE;
		prop.location.type = type;
		EXPECT_OK(aclrtMallocPhysical(&handle_, kUnit, &prop, 0));
		map();
	}

	/* An imported one. */
	explicit Physical(aclrtDrvMemHandle handle) : handle_(handle) { map(); }

	~Physical()
	{
		EXPECT_OK(aclrtUnmapMem(address_));
		EXPECT_OK(aclrtReleaseMemAddress(address_));
		EXPECT_OK(aclrtFreePhysical(handle_));
	}

	Physical(const Physical &) = delete;
	Physical &operator=(const Physical &) = delete;

	aclrtDrvMemHandle handle() const { return handle_; }
	void *data() const { return address_; }
	void fill(char value) const { EXPECT_OK(aclrtMemset(address_, kUnit, value, kUnit)); }
	bool holds(char value) const { return holds_all(address_, kUnit, value); }

private:
	void map()
	{
		EXPECT_OK(aclrtReserveMemAddress(&address_, kUnit, 0, nullptr, 0));
		EXPECT_OK(aclrtMapMem(address_, kUnit, 0, handle_, 0));
	}

	aclrtDrvMemHandle handle_ = nullptr;
	void *address_ = nullptr;
};

Key export_memory(const DeviceBuffer &buffer, uint64_t flags = 0)
{
	Key key;

	EXPECT_OK(
		aclrtIpcMemGetExportKey(buffer.data(), buffer.size(), key.text, kKeyBytes, flags));
	return key;
}

uint64_t export_number(const Physical &memory, uint64_t flags = 0)
{
	uint64_t number = 0;

	EXPECT_OK(aclrtMemExportToShareableHandle(memory.handle(), ACL_MEM_HANDLE_TYPE_NONE, flags,
						  &number));
	return number;
}

aclrtDrvMemHandle import_number(uint64_t number)
{
	aclrtDrvMemHandle handle = nullptr;

	EXPECT_OK(aclrtMemImportFromShareableHandle(number, 0, &handle));
	return handle;
}

void list(const Key &key, int32_t pid)
{
	EXPECT_OK(aclrtIpcMemSetImportPid(key.text, &pid, 1));
}

} // namespace

TEST(PairMemory, Check44_DataIsVisibleBothWays)
{
	together(
		[](Peer &peer) {
			const DeviceBuffer x(kBytes);
			const Key key = export_memory(x);

			EXPECT_OK(aclrtMemset(x.data(), kBytes, 3, kBytes));
			peer.send(key);
			peer.meet();
			list(key, peer.pid());
			peer.meet();
			peer.meet();
			EXPECT_TRUE(holds(x, 4)) << "what the other one wrote";
			peer.meet();
			EXPECT_OK(aclrtIpcMemClose(key.text));
			peer.meet();
		},
		[](Peer &peer) {
			const Key key = peer.receive<Key>();
			void *address = nullptr;

			EXPECT_FAILS(ACL_ERROR_RT_NO_PERMISSION, "SetImportPid",
				     aclrtIpcMemImportByKey(&address, key.text, 0));
			peer.meet();
			peer.meet();
			ASSERT_OK(aclrtIpcMemImportByKey(&address, key.text, 0));
			EXPECT_TRUE(holds_all(address, kBytes, 3));
			EXPECT_OK(aclrtMemset(address, kBytes, 4, kBytes));
			peer.meet();
			EXPECT_OK(aclrtIpcMemClose(key.text));
			EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "allocation",
				     aclrtMemset(address, kBytes, 5, kBytes));
			peer.meet();
			peer.meet();
			EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "share",
				     aclrtIpcMemImportByKey(&address, key.text, 0));
		});
}

/* A free ends all keys of the memory at once, in all processes. */
TEST(PairMemory, Check44_KeysOfFreedMemoryOpenNothing)
{
	together(
		[](Peer &peer) {
			DeviceBuffer x(kBytes);
			Key part;

			EXPECT_OK(aclrtIpcMemGetExportKey(x.at(kBytes / 2), 64, part.text,
							  kKeyBytes, 1));
			for (const Key &key : {export_memory(x, 1), part})
				peer.send(key);
			peer.meet();
			EXPECT_OK(aclrtFree(x.release()));
			peer.meet();
			peer.meet();
		},
		[](Peer &peer) {
			const Key keys[] = {peer.receive<Key>(), peer.receive<Key>()};
			void *address = nullptr;

			for (const Key &key : keys) {
				EXPECT_OK(aclrtIpcMemImportByKey(&address, key.text, 0));
				EXPECT_OK(aclrtIpcMemClose(key.text));
			}
			peer.meet();
			peer.meet();
			for (const Key &key : keys)
				EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "share",
					     aclrtIpcMemImportByKey(&address, key.text, 0));
			peer.meet();
		});
}

TEST(PairMemory, Check44_ADeadExportersMemoryStays)
{
	together(
		[](Peer &peer) {
			const DeviceBuffer x(kBytes);

			EXPECT_OK(aclrtMemset(x.data(), kBytes, 6, kBytes));
			peer.send(export_memory(x, 1));
			peer.meet();
			raise(SIGKILL);
		},
		[](Peer &peer) {
			const Key key = peer.receive<Key>();
			const Stream stream;
			void *address = nullptr;

			ASSERT_OK(aclrtIpcMemImportByKey(&address, key.text, 0));
			peer.meet();
			peer.wait_for_its_end();
			EXPECT_TRUE(holds_all(address, kBytes, 6));
			EXPECT_OK(aclrtMemsetAsync(address, kBytes, 7, kBytes, stream));
			EXPECT_OK(aclrtSynchronizeStream(stream));
			EXPECT_TRUE(holds_all(address, kBytes, 7));
			EXPECT_OK(aclrtIpcMemClose(key.text));
		},
		SIGKILL);
}

TEST(PairMemory, ADeadImporterTakesNothingAlong)
{
	together(
		[](Peer &peer) {
			const Key key = peer.receive<Key>();
			void *address = nullptr;

			ASSERT_OK(aclrtIpcMemImportByKey(&address, key.text, 0));
			const Stream stream;
			Gate gate;

			gate.block(stream);
			EXPECT_OK(aclrtMemsetAsync(address, kBytes, 9, kBytes, stream));
			peer.meet();
			raise(SIGKILL);
		},
		[](Peer &peer) {
			const DeviceBuffer x(kBytes);
			const Key key = export_memory(x, 1);

			EXPECT_OK(aclrtMemset(x.data(), kBytes, 8, kBytes));
			peer.send(key);
			peer.meet();
			peer.wait_for_its_end();
			EXPECT_TRUE(holds(x, 8));
			EXPECT_OK(aclrtIpcMemClose(key.text));
			expect_device_works();
		},
		SIGKILL);
}

TEST(PairMemory, AShareableHandleIsANumber)
{
	together(
		[](Peer &peer) {
			const Physical memory;
			const uint64_t number = export_number(memory);
			int32_t pid = peer.pid();
			uint64_t again = 0;

			EXPECT_NE(number, 0u);
			EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "already",
				     aclrtMemExportToShareableHandle(
					     memory.handle(), ACL_MEM_HANDLE_TYPE_NONE, 0, &again));
			memory.fill(11);
			peer.send(number);
			peer.meet();
			EXPECT_OK(aclrtMemSetPidToShareableHandle(number, &pid, 1));
			peer.meet();
			peer.meet();
			EXPECT_TRUE(memory.holds(12)) << "what the other one wrote";
		},
		[](Peer &peer) {
			const auto number = peer.receive<uint64_t>();
			aclrtDrvMemHandle handle = nullptr;
			aclrtPhysicalMemProp prop = {};
			uint64_t again = 0;

			EXPECT_FAILS(ACL_ERROR_RT_NO_PERMISSION, "SetImportPid",
				     aclrtMemImportFromShareableHandle(number, 0, &handle));
			EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "handle",
				     aclrtMemImportFromShareableHandle(number ^ 1, 0, &handle));
			EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "device",
				     aclrtMemImportFromShareableHandle(number, 77, &handle));
			peer.meet();
			peer.meet();
			{
				const Physical memory(import_number(number));

				EXPECT_TRUE(memory.holds(11));
				memory.fill(12);
				EXPECT_OK(aclrtMemGetAllocationPropertiesFromHandle(memory.handle(),
										    &prop));
				EXPECT_EQ(prop.location.type, ACL_MEM_LOCATION_TYPE_DEVICE);
				EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "imported",
					     aclrtMemExportToShareableHandle(
						     memory.handle(), ACL_MEM_HANDLE_TYPE_NONE, 0,
						     &again));
			}
			peer.meet();
		});
}

TEST(PairMemory, AShareableHandleOfTheOtherForms)
{
	together(
		[](Peer &peer) {
			const Physical one;
			const Physical other(ACL_MEM_LOCATION_TYPE_HOST);
			int32_t pid = peer.pid();
			uint64_t number = 0;
			aclrtMemFabricHandle fabric = {};

			EXPECT_OK(aclrtMemExportToShareableHandleV2(
				one.handle(), 1, ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT, &number));
			EXPECT_OK(aclrtMemExportToShareableHandleV2(
				other.handle(), 0, ACL_MEM_SHARE_HANDLE_TYPE_FABRIC, &fabric));
			EXPECT_OK(aclrtMemSetPidToShareableHandleV2(
				&fabric, ACL_MEM_SHARE_HANDLE_TYPE_FABRIC, &pid, 1));
			one.fill(21);
			other.fill(22);
			peer.send(number);
			peer.send(fabric);
			peer.meet();
			EXPECT_TRUE(other.holds(23));
			EXPECT_EQ(*static_cast<const char *>(other.data()), 23)
				<< "host memory has its address on the host too";
		},
		[](Peer &peer) {
			auto number = peer.receive<uint64_t>();
			auto fabric = peer.receive<aclrtMemFabricHandle>();
			aclrtDrvMemHandle first = nullptr;
			aclrtDrvMemHandle second = nullptr;

			EXPECT_OK(aclrtMemImportFromShareableHandleV2(
				&number, ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT, 0, &first));
			EXPECT_OK(aclrtMemImportFromShareableHandleV2(
				&fabric, ACL_MEM_SHARE_HANDLE_TYPE_FABRIC, 0, &second));
			const Physical one(first);
			const Physical other(second);

			EXPECT_TRUE(one.holds(21));
			EXPECT_TRUE(other.holds(22));
			other.fill(23);
			peer.meet();
		});
}

/* The key of freed memory never names memory that was allocated later. */
TEST(PairMemory, AHandleOfFreedMemoryNamesNothing)
{
	together(
		[](Peer &peer) {
			uint64_t old = 0;
			{
				const Physical memory;

				old = export_number(memory, 1);
			}
			const Physical memory;

			EXPECT_NE(export_number(memory, 1), old);
			peer.send(old);
			peer.meet();
		},
		[](Peer &peer) {
			const auto old = peer.receive<uint64_t>();
			aclrtDrvMemHandle handle = nullptr;

			EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "gone",
				     aclrtMemImportFromShareableHandle(old, 0, &handle));
			peer.meet();
		});
}

TEST(PairMemory, ADeadExportersPhysicalMemoryStays)
{
	together(
		[](Peer &peer) {
			const Physical memory;

			memory.fill(31);
			peer.send(export_number(memory, 1));
			peer.meet();
			raise(SIGKILL);
		},
		[](Peer &peer) {
			const Physical memory(import_number(peer.receive<uint64_t>()));

			peer.meet();
			peer.wait_for_its_end();
			EXPECT_TRUE(memory.holds(31));
			memory.fill(32);
			EXPECT_TRUE(memory.holds(32));
		},
		SIGKILL);
}

/* Two programs that each run a device inside their process share nothing, and the error says what to
 * do. */
TEST(PairMemory, Check44_TwoEmbeddedDevicesShareNothing)
{
	together(
		[](Peer &peer) {
			const DeviceBuffer x(kBytes);
			const Physical one;
			const Physical other;
			const Key key = export_memory(x, 1);
			aclrtMemFabricHandle fabric = {};

			EXPECT_OK(aclrtMemExportToShareableHandleV2(
				other.handle(), 1, ACL_MEM_SHARE_HANDLE_TYPE_FABRIC, &fabric));
			peer.send(key);
			peer.send(export_number(one, 1));
			peer.send(fabric);
			peer.meet();
			EXPECT_OK(aclrtIpcMemClose(key.text));
		},
		[](Peer &peer) {
			const Key key = peer.receive<Key>();
			const auto number = peer.receive<uint64_t>();
			auto fabric = peer.receive<aclrtMemFabricHandle>();
			aclrtDrvMemHandle handle = nullptr;
			void *address = nullptr;

			EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "firmware-sim --listen",
				     aclrtIpcMemImportByKey(&address, key.text, 0));
			EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "firmware-sim --listen",
				     aclrtMemImportFromShareableHandle(number, 0, &handle));
			EXPECT_FAILS(
				ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "firmware-sim --listen",
				aclrtMemImportFromShareableHandleV2(
					&fabric, ACL_MEM_SHARE_HANDLE_TYPE_FABRIC, 0, &handle));
			peer.meet();
		},
		0, On::ONE_EACH);
}

/* Memory that another process has is not free here. */
TEST(PairMemory, FreeMemoryIsWhatAllProcessesLeave)
{
	constexpr size_t kMuch = size_t{64} << 20;

	together(
		[](Peer &peer) {
			peer.meet();
			const DeviceBuffer x(kMuch);

			peer.meet();
			peer.meet();
		},
		[](Peer &peer) {
			size_t before = 0;
			size_t after = 0;
			size_t total = 0;

			EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &before, &total));
			peer.meet();
			peer.meet();
			EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &after, &total));
			EXPECT_LE(after + kMuch, before);
			peer.meet();
		});
}

/* With one process a shareable handle is checked as far as it goes. */
TEST(PairMemory, ShareableHandlesThatAreNone)
{
	if (!alone())
		return;
	open_device();
	{
		const Physical memory;
		const uint64_t number = export_number(memory);
		uint64_t none = 0;
		aclrtMemFabricHandle fabric = {};
		aclrtDrvMemHandle handle = nullptr;
		int32_t pid = 1;
		const auto raw = [](int value) {
			return raw_enum<aclrtMemSharedHandleType>(value);
		};

		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "this process",
			     aclrtMemImportFromShareableHandle(number, 0, &handle));
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "handle",
			     aclrtMemImportFromShareableHandle(number, 0, nullptr));
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "handle",
			     aclrtMemExportToShareableHandle(nullptr, ACL_MEM_HANDLE_TYPE_NONE, 0,
							     &none));
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "handleType",
			     aclrtMemExportToShareableHandle(
				     memory.handle(), raw_enum<aclrtMemHandleType>(1), 0, &none));
		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "flags",
			     aclrtMemExportToShareableHandle(memory.handle(),
							     ACL_MEM_HANDLE_TYPE_NONE, 2, &none));
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "shareType",
			     aclrtMemExportToShareableHandleV2(memory.handle(), 0, raw(3), &none));
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "shareType",
			     aclrtMemImportFromShareableHandleV2(&none, raw(0), 0, &handle));
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "flags",
			     aclrtMemImportFromShareableHandleV2(
				     &none, ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT, 1, &handle));
		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "shareableHandle",
			     aclrtMemImportFromShareableHandleV2(
				     &fabric, ACL_MEM_SHARE_HANDLE_TYPE_FABRIC, 0, &handle));
		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "shareableHandle",
			     aclrtMemSetPidToShareableHandle(number ^ 1, &pid, 1));
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "num",
			     aclrtMemSetPidToShareableHandle(number, &pid, 0));
		EXPECT_OK(aclrtMemSetPidToShareableHandle(number, &pid, 1));
		EXPECT_EQ(handle, nullptr);
	}
	close_device();
}
