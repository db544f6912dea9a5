// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL dumps
 *
 * The calls that start and stop dumps. This file stores which service is on; the runtime (class Dumps)
 * writes the dumps.
 */
#include "dump_calls.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "acl/acl.h"
#include "acl/acl_dump.h"
#include "base/os/calls/transfers.h"
#include "base/sync/mutex.h"
#include "dump_config.h"
#include "hal/options.h"
#include "umd/acl/front.h"
#include "umd/core/context/find_stream.h"
#include "umd/core/process/process.h"
#include "umd/core/task/launch.h"

using base::Status;
using umd::acl_return;
using umd::Dumps;
using umd::fail_dump;
using umd::null_argument;
using umd::Process;
using umd::set_error;

namespace {

/* Which call started the dumps. */
enum class Service { OFF, FILE_OF_INIT, CALLS };

struct State {
	/* apply() starts the watch for failed tasks under this lock, which waits for replies of the
	 * device. */
	base::Mutex mutex{"acl dump", base::HeldOver::ANSWERS};
	Service service GUARDED_BY(mutex) = Service::OFF;
};

State &state()
{
	return umd::Process::own<State>();
}

Status apply(const umd::DumpConfig &config)
{
	if (config.data)
		Dumps::get().start_data(config.choice);
	else
		(void)Dumps::get().stop_data();
	Dumps::get().stop_faults();
	return config.faults ? Dumps::get().start_faults(umd::fault_path(config.path)) : Status::OK;
}

aclError not_running(const char *call)
{
	return fail_dump(
		ACL_ERROR_DUMP_NOT_RUN, "ACL_ERROR_DUMP_NOT_RUN",
		fmt::format("{}: the dump service does not run; call aclmdlInitDump first", call));
}

aclError read_file(const char *path, std::string &text)
{
	if (!base::calls::read_file(path, text))
		return acl_return(
			set_error(Status::BAD_FILE,
				  fmt::format("aclmdlSetDump: the file '{}' can't be read: {}",
					      path, strerror(errno))));
	return ACL_SUCCESS;
}

/* aclopStartDumpArgs() resolves relative paths against this folder. */
std::filesystem::path folder_of_program()
{
	std::error_code error;
	return std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
}

bool knows_faults(acldumpType type)
{
	return type == AIC_ERR_BRIEF_DUMP || type == AIC_ERR_NORM_DUMP ||
	       type == AIC_ERR_DETAIL_DUMP;
}

Status check_kind(uint32_t type)
{
	TRY(Process::check_fork());
	if (type == ACL_OP_DUMP_OP_AICORE_ARGS)
		return Status::OK;
	return set_error(
		Status::INVALID_ENUM,
		fmt::format("dumpType is {}; it must be ACL_OP_DUMP_OP_AICORE_ARGS (1)", type));
}

} // namespace

namespace umd {

aclError begin_dumps(const std::string &text)
{
	DumpConfig config;
	TRY(read_dump("aclInit", text, false, config));
	if (!hal::environment("ASCEND_DUMP_SCENE").empty()) {
		config.faults = true;
		config.data = false;
	}
	if (!config.data && !config.faults)
		return ACL_SUCCESS;
	std::lock_guard lock(state().mutex);
	state().service = Service::FILE_OF_INIT;
	return acl_return(apply(config));
}

void end_dumps()
{
	std::lock_guard lock(state().mutex);
	state().service = Service::OFF;
	(void)Dumps::get().stop_data();
	Dumps::get().stop_faults();
	(void)Dumps::get().stop_descriptions();
	Dumps::get().set_taker(nullptr);
}

/* @launch: appends the operator to the stream. */
template <class Launch>
static Status watch_launch(void *stream, const std::shared_ptr<const DumpOperator> &described,
			   Launch launch)
{
	auto found = TRY(find_stream(stream, true));
	const auto run = operators_watched.load() ? Dumps::get().begin(*found, described) : nullptr;
	const Status status = launch();
	if (run && status == Status::OK)
		Dumps::get().end(*found, run);
	return status;
}

Status launch_watched(void *stream, uint16_t number, const unpu_operator &op,
		      const std::shared_ptr<const DumpOperator> &described)
{
	return watch_launch(stream, described, [&] { return launch_operator(stream, number, op); });
}

Status launch_watched_tensor(void *stream, uint16_t number, uint32_t kind,
			     std::span<const uint64_t> words,
			     const std::shared_ptr<const DumpOperator> &described)
{
	return watch_launch(stream, described,
			    [&] { return launch_tensor(stream, number, kind, words); });
}

} // namespace umd

aclError aclmdlInitDump()
{
	TRY(Process::check_fork());
	if (Process::get().init_count() == 0)
		return acl_return(
			set_error(Status::NOT_INITIALISED, "aclmdlInitDump: call aclInit first"));
	std::lock_guard lock(state().mutex);
	if (state().service != Service::OFF)
		return fail_dump(ACL_ERROR_DUMP_ALREADY_RUN, "ACL_ERROR_DUMP_ALREADY_RUN",
				 state().service == Service::CALLS
					 ? "aclmdlInitDump: the dump service runs already"
					 : "aclmdlInitDump: the file of aclInit has configured "
					   "dumps already");
	state().service = Service::CALLS;
	/* A callback of the program can take dumps from here on. There is no folder until
	 * aclmdlSetDump(). */
	Dumps::get().start_data({});
	return ACL_SUCCESS;
}

aclError aclmdlSetDump(const char *dumpCfgPath)
{
	umd::DumpConfig config;
	std::string text;
	if (!dumpCfgPath)
		return acl_return(null_argument("dumpCfgPath"));
	/* Check before the lock: in a forked child, a thread that does not exist there may hold it. */
	TRY(Process::check_fork());
	std::lock_guard lock(state().mutex);
	if (state().service != Service::CALLS)
		return not_running("aclmdlSetDump");
	aclError code = read_file(dumpCfgPath, text);
	if (code == ACL_SUCCESS)
		code = read_dump("aclmdlSetDump", text, true, config);
	return code == ACL_SUCCESS ? acl_return(apply(config)) : code;
}

aclError aclmdlFinalizeDump()
{
	TRY(Process::check_fork());
	std::lock_guard lock(state().mutex);
	if (state().service != Service::CALLS)
		return not_running("aclmdlFinalizeDump");
	state().service = Service::OFF;
	Dumps::get().stop_faults();
	const umd::DumpLoss loss = Dumps::get().stop_data();
	if (loss.files == 0)
		return ACL_SUCCESS;
	return fail_dump(ACL_ERROR_WRITE_FILE, "ACL_ERROR_WRITE_FILE",
			 fmt::format("aclmdlFinalizeDump: {} files could not be written; the first "
				     "one: {}",
				     loss.files, loss.first));
}

aclError acldumpRegCallback(int32_t (*const messageCallback)(const acldumpChunk *, int32_t),
			    int32_t flag)
{
	TRY(Process::check_fork());
	if (!messageCallback)
		return acl_return(null_argument("messageCallback"));
	if (flag != 0)
		return acl_return(set_error(Status::INVALID_ENUM,
					    fmt::format("flag is {}; it must be 0", flag)));
	Dumps::get().set_taker([messageCallback](const umd::DumpPiece &piece) {
		const size_t bytes = sizeof(acldumpChunk) + piece.size;
		const auto memory =
			std::make_unique<std::max_align_t[]>(bytes / sizeof(std::max_align_t) + 1);
		auto *chunk = reinterpret_cast<acldumpChunk *>(memory.get());
		const size_t length =
			std::min(strlen(piece.file), size_t{ACL_DUMP_MAX_FILE_PATH_LENGTH - 1});
		memcpy(chunk->fileName, piece.file, length);
		chunk->bufLen = static_cast<uint32_t>(piece.size);
		chunk->isLastChunk = piece.is_last;
		chunk->offset = piece.offset;
		memcpy(chunk->dataBuf, piece.bytes, piece.size);
		return messageCallback(chunk, static_cast<int32_t>(bytes)) == 0;
	});
	return ACL_SUCCESS;
}

void acldumpUnregCallback()
{
	if (Process::check_fork() == Status::OK)
		Dumps::get().set_taker(nullptr);
}

aclError aclopStartDumpArgs(uint32_t dumpType, const char *path)
{
	TRY(check_kind(dumpType));
	if (!path || !*path)
		return acl_return(null_argument("path"));
	const auto folder = folder_of_program() / path;
	std::lock_guard lock(state().mutex);
	std::error_code error;
	std::filesystem::create_directories(folder, error);
	if (error || access(folder.c_str(), W_OK | X_OK) != 0)
		return acl_return(set_error(
			Status::INVALID_ENUM,
			fmt::format("path is '{}'; a folder {} can't be made or written to", path,
				    folder.string())));
	if (!Dumps::get().start_descriptions(folder.string()))
		return fail_dump(ACL_ERROR_DUMP_ALREADY_RUN, "ACL_ERROR_DUMP_ALREADY_RUN",
				 "aclopStartDumpArgs: arguments are written already; call "
				 "aclopStopDumpArgs first");
	return ACL_SUCCESS;
}

aclError aclopStopDumpArgs(uint32_t dumpType)
{
	TRY(check_kind(dumpType));
	if (Dumps::get().stop_descriptions())
		return ACL_SUCCESS;
	return fail_dump(ACL_ERROR_DUMP_NOT_RUN, "ACL_ERROR_DUMP_NOT_RUN",
			 "aclopStopDumpArgs: call aclopStartDumpArgs first");
}

const char *acldumpGetPath(acldumpType dumpType)
{
	/* The text stays valid until the same thread calls this function again. */
	static thread_local constinit std::string *path = nullptr;
	if (Process::check_fork() != Status::OK)
		return nullptr;
	if (!path)
		path = new std::string;
	const bool overflow = Dumps::get().overflow_only();
	path->clear();
	if (knows_faults(dumpType))
		*path = Dumps::get().fault_folder();
	else if (dumpType == (overflow ? OVERFLOW_DUMP : DATA_DUMP))
		*path = Dumps::get().data_folder();
	return path->empty() ? nullptr : path->c_str();
}

aclError umd::faults_not_dumped(const char *call)
{
	return fail_dump(
		ACL_ERROR_DUMP_NOT_RUN, "ACL_ERROR_DUMP_NOT_RUN",
		fmt::format("{}: faults are not dumped; set ASCEND_DUMP_SCENE, or dump_scene "
			    "in the file of aclInit or aclmdlSetDump",
			    call));
}

aclError acldumpGetExceptionInfoPath(char *path, size_t maxLen)
{
	TRY(Process::check_fork());
	if (!path)
		return acl_return(null_argument("path"));
	const std::string folder = Dumps::get().fault_folder();
	if (folder.empty())
		return umd::faults_not_dumped("acldumpGetExceptionInfoPath");
	if (folder.size() >= maxLen)
		return acl_return(
			set_error(Status::INVALID_ENUM,
				  fmt::format("maxLen is {}; the path has {} bytes with its end",
					      maxLen, folder.size() + 1)));
	memcpy(path, folder.c_str(), folder.size() + 1);
	return ACL_SUCCESS;
}
