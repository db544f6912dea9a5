// SPDX-License-Identifier: MIT
/**
 * DOC: JSON files, fuzzed
 *
 * An input is a text behind a byte that says what reads it: the configuration of aclInit, its section about dumps, a
 * rank table, a report of the sanitizer, or traces to merge, which are two texts with a 0 between them. Whatever the
 * text says, the reader takes it, or says what is wrong with it.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "base/os/calls/transfers.h"
#include "base/os/shm.h"
#include "input.h"
#include "san/formats/json.h"
#include "tools/common/merge.h"
#include "umd/acl/dump/dump_config.h"
#include "umd/core/process/config.h"
#include "umd/core/process/error.h"
#include "umd/hccl/calls/rank_table.h"

using namespace fuzz;

namespace {

enum What : uint8_t { CONFIG, DUMP, TABLE, REPORT, TRACES, KINDS };

/* class TextFile - a file without a place. */
class TextFile {
public:
	explicit TextFile(std::string_view text) : fd_(memfd_create("fuzz", MFD_CLOEXEC))
	{
		expect(fd_.valid() && base::calls::write_all(fd_.get(), text.data(), text.size()),
		       "a file can't be written");
	}

	std::string path() const { return "/proc/self/fd/" + std::to_string(fd_.get()); }

private:
	base::Fd fd_;
};

/* What was refused has a sentence. */
void check(bool is_good)
{
	const char *text = umd::take_error();
	expect(is_good || (text && *text), "a text was refused without a sentence");
}

void run_traces(const std::string &text)
{
	const size_t middle = std::min(text.find('\0'), text.size());
	const TextFile one(text.substr(0, middle));
	const TextFile other(middle < text.size() ? text.substr(middle + 1) : "");
	const TextFile out("");
	(void)tool::merge_traces({one.path(), other.path()}, out.path());
}

} // namespace

std::vector<Seed> fuzz::seeds()
{
	const std::pair<uint8_t, std::string> texts[] = {
		{CONFIG, R"({"default_device":"0","err_msg_mode":"1","max_opqueue_num":"100",)"
			 R"("defaultDevice":{"default_device":"1"},"aicore_stack_size":32768})"},
		{DUMP,
		 R"({"dump":{"dump_path":"/tmp","dump_mode":"all","dump_op_switch":"on",)"
		 R"("dump_list":[{"model_name":"m","layer":["a","b"]}],"dump_scene":"lite_exception"}})"},
		{TABLE,
		 R"({"status":"completed","version":"1.0","server_count":"2","server_list":[{"server_id":"a",)"
		 R"("host_ip":"127.0.0.1","device":[{"device_id":"0","rank_id":"0","host_port":"60001"}]},)"
		 R"({"server_id":"b","device":[{"device_id":"0","rank_id":"1"}]}]})"},
		{REPORT, R"({"version":1,"kind":"head"})"},
		{TRACES, R"({"traceEvents":[{"name":"x","ph":"X","ts":1,"dur":2,"pid":1,"tid":2}],)"
			 R"("otherData":{"version":"0.1.0","calls":{"1":{}}}})"}};
	std::vector<Seed> all;
	for (const auto &[what, text] : texts) {
		all.push_back({"text-" + std::to_string(what), {}});
		all.back().add(what);
		for (const char each : text)
			all.back().add(each);
	}
	return all;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	Input input(data, bytes);
	const uint8_t what = input.take<uint8_t>() % KINDS;
	std::string text(input.left(), '\0');
	input.take(text.data(), text.size());
	(void)umd::take_error();
	if (what == CONFIG) {
		umd::InitConfig config;
		check(umd::read_config(TextFile(text).path().c_str(), config) == base::Status::OK);
	} else if (what == DUMP) {
		umd::DumpConfig config;
		check(umd::read_dump("fuzz", text, true, config) == ACL_SUCCESS);
	} else if (what == TABLE) {
		umd::RankTable table;
		check(umd::read_rank_table(TextFile(text).path().c_str(), table) == HCCL_SUCCESS);
	} else if (what == REPORT) {
		san::Report report;
		(void)san::read_json_report(text, "fuzz", report);
	} else
		run_traces(text);
	return 0;
}
