// SPDX-License-Identifier: MIT
/**
 * DOC: Communicator calls
 *
 * The calls that create, destroy and query communicators.
 */
#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "base/os/thread.h"
#include "drv/device.h"
#include "hccl/hccl.h"
#include "rank_table.h"
#include "root_info.h"
#include "settings.h"
#include "umd/core/context/contexts.h"
#include "umd/core/device/devices.h"
#include "umd/core/device/open_device.h"
#include "umd/core/process/error.h"
#include "umd/hccl/comm/comm_report.h"
#include "umd/hccl/comm/comms.h"
#include "umd/hccl/hccl_result.h"
#include "umd/hccl/meeting/meeting_coordinator.h"

using base::Status;
using umd::Comm;
using umd::Comms;
using umd::Contexts;
using umd::DeviceHold;
using umd::DeviceRef;
using umd::Entrance;
using umd::MeetingListener;
using umd::Meetings;
using umd::Nonce;
using umd::refuse;
using umd::refuse_null;

static HcclResult check_ranks(uint32_t ranks, uint32_t rank)
{
	if (ranks == 0 || ranks > umd::MAX_RANKS)
		return refuse(HCCL_E_PARA,
			      fmt::format("nRanks is {}; a communicator has 1 to {} ranks, so make "
					  "several ones for more",
					  ranks, umd::MAX_RANKS));
	if (rank >= ranks)
		return refuse(HCCL_E_PARA,
			      fmt::format("rank is {}; there are {} ranks", rank, ranks));
	return HCCL_SUCCESS;
}

/* Opens the meeting, unless another rank has opened it already. */
static HcclResult open_meeting(const Nonce &secret, const umd::CommSettings &settings,
			       bool has_host, MeetingListener::Hold listener = {})
{
	const Status status = Meetings::get().open(secret, settings.connect_s, settings.group,
						   std::move(listener));
	if (status == Status::OK || (status == Status::IN_USE && !has_host))
		return HCCL_SUCCESS;
	return refuse(HCCL_E_UNAVAIL,
		      fmt::format("the system has no socket or thread left for the ranks to meet: "
				  "{}; raise RLIMIT_NPROC or RLIMIT_NOFILE",
				  base::status_sentence(status)));
}

static HcclResult current_device(DeviceHold &device)
{
	auto context = TRY(Contexts::get().current());
	device = DeviceRef(*context->open).hold();
	if (!device)
		return refuse(HCCL_E_PARA,
			      "the current device was reset; call aclrtSetDevice again");
	return HCCL_SUCCESS;
}

static HcclResult join(const DeviceHold &device, const Entrance &entrance, bool is_primary,
		       HcclComm *comm)
{
	std::shared_ptr<Comm> made;
	TRY(Comm::join(device, entrance, made));
	umd::show_communicators();
	const HcclResult result = Comms::get().add(made, comm);
	if (result != HCCL_SUCCESS)
		made->end();
	else if (is_primary)
		made->hold_primary();
	return result;
}

static HcclResult make_secret(Nonce &secret)
{
	const auto made = umd::make_nonce();
	if (!made)
		return refuse(
			HCCL_E_UNAVAIL,
			"the kernel gives no random numbers; allow the system call getrandom");
	secret = *made;
	return HCCL_SUCCESS;
}

HcclResult HcclGetRootInfo(HcclRootInfo *rootInfo)
{
	umd::CommSettings settings;
	umd::TcpPlace place;
	MeetingListener::Hold listener;
	if (!rootInfo)
		return refuse_null("rootInfo");
	TRY(umd::Process::begin_use());
	TRY(umd::read_settings(nullptr, settings));
	Nonce secret;
	TRY(make_secret(secret));
	TRY(MeetingListener::get().open(nullptr, place, listener));
	TRY(open_meeting(secret, settings, true, std::move(listener)));
	umd::write_root_info(secret, place, *rootInfo);
	return HCCL_SUCCESS;
}

HcclResult HcclCommInitRootInfoConfig(uint32_t nRanks, const HcclRootInfo *rootInfo, uint32_t rank,
				      const HcclCommConfig *config, HcclComm *comm)
{
	Entrance entrance;
	DeviceHold device;
	if (!rootInfo || !comm)
		return refuse_null(rootInfo ? "comm" : "rootInfo");
	TRY(check_ranks(nRanks, rank));
	TRY(umd::read_settings(config, entrance.settings));
	TRY(umd::read_root_info(*rootInfo, entrance.place));
	TRY(current_device(device));
	entrance.ranks = nRanks;
	entrance.rank = rank;
	return join(device, entrance, false, comm);
}

HcclResult HcclCommInitRootInfo(uint32_t nRanks, const HcclRootInfo *rootInfo, uint32_t rank,
				HcclComm *comm)
{
	return HcclCommInitRootInfoConfig(nRanks, rootInfo, rank, nullptr, comm);
}

HcclResult HcclCommInitClusterInfoConfig(const char *clusterInfo, uint32_t rank,
					 HcclCommConfig *config, HcclComm *comm)
{
	Entrance entrance;
	DeviceHold device;
	if (!clusterInfo || !comm)
		return refuse_null(clusterInfo ? "comm" : "clusterInfo");
	TRY(umd::read_settings(config, entrance.settings));
	umd::RankTable table;
	MeetingListener::Hold listener;
	TRY(umd::read_rank_table(clusterInfo, table));
	entrance.ranks = table.ranks;
	entrance.place.secret = table.secret;
	entrance.place.tcp.at[0] = table.root;
	TRY(check_ranks(entrance.ranks, rank));
	TRY(current_device(device));
	entrance.rank = rank;
	const bool is_split = table.root.family != 0;
	entrance.place.is_awaited = is_split && rank != 0;
	if (is_split && rank == 0)
		TRY(MeetingListener::get().open_at(table.root, table.root_origin, listener));
	if (!entrance.place.is_awaited)
		TRY(open_meeting(entrance.place.secret, entrance.settings, is_split,
				 std::move(listener)));
	return join(device, entrance, false, comm);
}

HcclResult HcclCommInitClusterInfo(const char *clusterInfo, uint32_t rank, HcclComm *comm)
{
	return HcclCommInitClusterInfoConfig(clusterInfo, rank, nullptr, comm);
}

/* struct Joining - one rank of HcclCommInitAll(). Each rank joins in a thread of its own. */
struct Joining {
	Entrance entrance;
	int32_t device = 0;
	HcclComm *comm = nullptr;
	HcclResult result = HCCL_SUCCESS;
	std::string why;
	uint32_t place = 0; /* position among the ranks that fail, in order of time; from 1 on */
};

static void join_one(Joining &one, std::atomic<uint32_t> &failures)
{
	auto context = Contexts::get().retain_primary(one.device);
	if (!context) {
		one.result = umd::hccl_result(context.status());
	} else {
		const DeviceHold device = DeviceRef(*(*context)->open).hold();
		one.result = join(device, one.entrance, true, one.comm);
		if (one.result != HCCL_SUCCESS)
			(void)Contexts::get().give_back_primary(one.device, false);
	}
	if (one.result == HCCL_SUCCESS)
		return;
	const char *text = umd::take_error();
	one.why = text ? text : "";
	one.place = ++failures;
	/* The other ranks must not wait for this rank, which has failed. */
	Meetings::get().close(one.entrance.place.secret);
}

/* Whether @one explains the failure better than @other: @one failed by itself, not because another rank told
 * it to, or @one failed first. */
static bool is_cause(const Joining &one, const Joining &other)
{
	const auto is_told = [](const Joining &each) {
		return each.result == HCCL_E_TCP_TRANSFER || each.result == HCCL_E_TCP_CONNECT ||
		       each.result == HCCL_E_INTERNAL;
	};
	return is_told(one) == is_told(other) ? one.place < other.place : is_told(other);
}

static HcclResult join_all(std::vector<Joining> &all)
{
	std::vector<std::thread> threads;
	std::atomic<uint32_t> failures{0};
	HcclResult result = HCCL_SUCCESS;
	for (Joining &one : all) {
		auto thread = base::start_thread("unpu-hccl-join",
						 [&one, &failures] { join_one(one, failures); });
		if (thread) {
			threads.push_back(thread.take());
			continue;
		}
		one.result = HCCL_E_UNAVAIL;
		one.why = "the system has no thread left; raise RLIMIT_NPROC";
		one.place = ++failures;
		Meetings::get().close(one.entrance.place.secret);
	}
	for (std::thread &thread : threads)
		thread.join();
	const Joining *first = nullptr;
	for (const Joining &one : all) {
		if (one.place != 0 && (!first || is_cause(one, *first)))
			first = &one;
	}
	if (first)
		result = refuse(first->result, first->why);
	for (Joining &one : all) {
		if (result != HCCL_SUCCESS && one.result == HCCL_SUCCESS)
			(void)HcclCommDestroy(*one.comm);
	}
	return result;
}

HcclResult HcclCommInitAll(uint32_t ndev, int32_t *devices, HcclComm *comms)
{
	umd::CommSettings settings;
	if (!devices || !comms)
		return refuse_null(devices ? "comms" : "devices");
	TRY(check_ranks(ndev, 0));
	TRY(umd::read_settings(nullptr, settings));
	const auto count = TRY(umd::Devices::get().device_count());
	std::vector<Joining> all(ndev);
	Nonce secret;
	TRY(make_secret(secret));
	for (uint32_t rank = 0; rank < ndev; rank++) {
		if (devices[rank] < 0 || static_cast<uint32_t>(devices[rank]) >= count)
			return refuse(HCCL_E_PARA,
				      fmt::format("devices[{}] is {}; there are {} devices", rank,
						  devices[rank], count));
		if (std::count(devices, devices + rank, devices[rank]) != 0)
			return refuse(HCCL_E_PARA,
				      fmt::format("devices[{}] is {}, which is there twice", rank,
						  devices[rank]));
		all[rank].entrance = {{secret}, ndev, rank, settings, {}};
		all[rank].device = devices[rank];
		all[rank].comm = comms + rank;
	}
	TRY(open_meeting(secret, settings, true));
	return join_all(all);
}

static HcclResult check_members(const Comm &parent, const std::vector<uint32_t> &members,
				uint32_t rank)
{
	if (rank >= members.size() || members[rank] != parent.rank())
		return refuse(HCCL_E_PARA,
			      fmt::format("subCommRankId is {}, and rankIds does not name rank {} "
					  "there, which calls",
					  rank, parent.rank()));
	for (size_t i = 0; i < members.size(); i++) {
		if (members[i] >= parent.ranks())
			return refuse(HCCL_E_PARA,
				      fmt::format("rankIds[{}] is {}; comm has {} ranks", i,
						  members[i], parent.ranks()));
		if (std::count(members.begin(), members.begin() + static_cast<ptrdiff_t>(i),
			       members[i]) != 0)
			return refuse(HCCL_E_PARA,
				      fmt::format("rankIds[{}] is {}, which is there twice", i,
						  members[i]));
	}
	return HCCL_SUCCESS;
}

HcclResult HcclCreateSubCommConfig(HcclComm *comm, uint32_t rankNum, uint32_t *rankIds,
				   uint64_t subCommId, uint32_t subCommRankId,
				   HcclCommConfig *config, HcclComm *subComm)
{
	Entrance entrance;
	MeetingListener::Hold listener;
	if (!comm || !subComm)
		return refuse_null(comm ? "subComm" : "comm");
	if (!rankIds) {
		*subComm = nullptr;
		return HCCL_SUCCESS;
	}
	const auto parent = Comms::get().find(*comm);
	if (!parent)
		return HCCL_E_PARA;
	TRY(check_ranks(rankNum, subCommRankId));
	TRY(umd::read_settings(config, entrance.settings));
	const std::vector<uint32_t> members(rankIds, rankIds + rankNum);
	TRY(check_members(*parent, members, subCommRankId));
	entrance.place.secret = umd::derive(umd::Topic::MEETING, parent->entrance().place.secret,
					    umd::bytes_of(subCommId));
	entrance.ranks = rankNum;
	entrance.rank = subCommRankId;
	entrance.members = members;
	/* If all ranks are in one network, the first rank that arrives hosts the meeting; otherwise rank 0
	 * hosts it. */
	const bool is_split = parent->has_networks(members);
	entrance.place.tcp = is_split ? parent->listener(members[0]) : umd::TcpPlace{};
	entrance.place.is_awaited = is_split && subCommRankId != 0;
	if (is_split && entrance.place.tcp.at[0].family == 0)
		return refuse(HCCL_E_TCP_CONNECT,
			      fmt::format("rank {} of comm, which is rank 0 of subComm, has no "
					  "network address, and others are in other networks; name "
					  "one by HCCL_IF_IP or HCCL_SOCKET_IFNAME",
					  members[0]));
	if (is_split && subCommRankId == 0)
		TRY(MeetingListener::get().open(&parent->listener(members[0]), entrance.place.tcp,
						listener));
	if (!entrance.place.is_awaited)
		TRY(open_meeting(entrance.place.secret, entrance.settings, is_split,
				 std::move(listener)));
	const DeviceHold device = parent->device().hold();
	if (!device)
		return refuse(HCCL_E_PARA,
			      "the device of comm was reset; make the communicator again");
	return join(device, entrance, false, subComm);
}

HcclResult HcclCommDestroy(HcclComm comm)
{
	return Comms::get().destroy(comm);
}

HcclResult HcclCommSuspend(HcclComm comm)
{
	const auto found = Comms::get().find(comm);
	if (!found)
		return comm ? HCCL_E_PARA : HCCL_E_PTR;
	return found->suspend();
}

HcclResult HcclCommResume(HcclComm comm)
{
	const auto found = Comms::get().find(comm);
	if (!found)
		return comm ? HCCL_E_PARA : HCCL_E_PTR;
	return found->resume();
}

HcclResult HcclGetRankSize(HcclComm comm, uint32_t *rankSize)
{
	const auto found = Comms::get().find(comm);
	if (!found)
		return comm ? HCCL_E_PARA : HCCL_E_PTR;
	if (!rankSize)
		return refuse_null("rankSize");
	*rankSize = found->ranks();
	return HCCL_SUCCESS;
}

HcclResult HcclGetRankId(HcclComm comm, uint32_t *rank)
{
	const auto found = Comms::get().find(comm);
	if (!found)
		return comm ? HCCL_E_PARA : HCCL_E_PTR;
	if (!rank)
		return refuse_null("rank");
	*rank = found->rank();
	return HCCL_SUCCESS;
}

HcclResult HcclGetCommName(HcclComm comm, char *commName)
{
	const auto found = Comms::get().find(comm);
	if (!found)
		return comm ? HCCL_E_PARA : HCCL_E_PTR;
	if (!commName)
		return refuse_null("commName");
	memcpy(commName, found->name().c_str(), found->name().size() + 1);
	return HCCL_SUCCESS;
}

HcclResult HcclCommGetHandleWithName(const char *commName, HcclComm *comm)
{
	if (!commName || !comm)
		return refuse_null(commName ? "comm" : "commName");
	return Comms::get().find_named(commName, comm);
}

HcclResult HcclGetCommAsyncError(HcclComm comm, HcclResult *asyncError)
{
	const auto found = Comms::get().find(comm);
	if (!found)
		return comm ? HCCL_E_PARA : HCCL_E_PTR;
	if (!asyncError)
		return refuse_null("asyncError");
	found->look_at_device();
	*asyncError = found->failure();
	return HCCL_SUCCESS;
}

const char *HcclGetErrorString(HcclResult code)
{
	return umd::result_text(code);
}
