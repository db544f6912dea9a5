// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL compilation of kernels at run time
 */
#include "acl/acl.h"
#include "acl/acl_rt_compile.h"

#include <cstring>
#include <memory>

#include "umd/acl/front.h"
#include "umd/core/handle/handle.h"
#include "umd/core/handle/held.h"
#include "umd/core/kernel/kernel_program.h"
#include "umd/core/process/process.h"
#include "umd/core/process/thread_state.h"

using umd::KernelProgram;

namespace {

/* struct RtcProgram - a live program. One thread may destroy it while another thread compiles it. */
struct RtcProgram {
	static constexpr bool IS_RARE = true;
	umd::HandleWord handle;
	std::unique_ptr<KernelProgram> program;

	/* Called by the table when no thread holds the object. */
	void on_idle() { program.reset(); }
	bool is_scarce() const { return true; }

	using Table = umd::HandleTable<RtcProgram, umd::Kind::RTC_PROGRAM>;
	static Table &table() { return umd::Process::own<Table>(); }
};

/* class Program - keeps the program of a handle until the end of the scope; empty for a stale handle. */
class Program {
public:
	explicit Program(const void *handle) : held_(RtcProgram::table(), handle) {}
	explicit operator bool() const { return static_cast<bool>(held_); }
	KernelProgram *operator->() const { return held_->program.get(); }

private:
	umd::Held<RtcProgram> held_;
};

} // namespace

#define FAILURE(code, text) failure(code, #code, text)

static aclError failure(int code, const char *name, std::string text)
{
	umd::note_error(name, std::move(text));
	umd::ThreadState::mine().last_error = code;
	return code;
}

static aclError no_program(const void *handle)
{
	return FAILURE(ACL_ERROR_RTC_INVALID_PROG,
		       fmt::format("prog is {}, which is no program that is alive", handle));
}

static aclError null_input(const char *name)
{
	return FAILURE(ACL_ERROR_RTC_INVALID_INPUT, fmt::format("{} is NULL", name));
}

/* Headers are written to a temporary folder, so their names must not lead out of it. */
static bool is_inside(std::string_view name)
{
	return !name.empty() && name[0] != '/' && name != ".." && name.substr(0, 3) != "../" &&
	       name.find("/../") == name.npos &&
	       (name.size() < 3 || name.substr(name.size() - 3) != "/..");
}

static std::string printable(const char *name)
{
	std::string text = name && *name ? name : "default_program";
	for (char &c : text) {
		if (c == '"' || c == '\\' || c == '\n')
			c = '_';
	}
	return text;
}

aclError aclrtcCreateProg(aclrtcProg *prog, const char *src, const char *name, int numHeaders,
			  const char **headers, const char **includeNames)
{
	if (!prog)
		return null_input("prog");
	if (!src)
		return null_input("src");
	if (numHeaders < 0)
		return FAILURE(
			ACL_ERROR_RTC_INVALID_INPUT,
			fmt::format("numHeaders is {}; it must not be negative", numHeaders));
	if (numHeaders != 0 && (!headers || !includeNames))
		return null_input(headers ? "includeNames" : "headers");
	std::vector<umd::SourceHeader> texts;
	for (int i = 0; i < numHeaders; i++) {
		if (!headers[i] || !includeNames[i])
			return null_input(headers[i] ? "a name in includeNames"
						     : "a text in headers");
		if (!is_inside(includeNames[i]))
			return FAILURE(
				ACL_ERROR_RTC_INVALID_INPUT,
				fmt::format("includeNames[{}] is '{}'; it must be a relative "
					    "path without ..",
					    i, includeNames[i]));
		texts.push_back({includeNames[i], headers[i]});
	}
	RtcProgram *const made = RtcProgram::table().create();
	if (!made)
		return FAILURE(ACL_ERROR_RTC_OUT_OF_MEMORY,
			       "too many programs are alive; destroy some");
	made->program = std::make_unique<KernelProgram>(src, printable(name), std::move(texts));
	*prog = RtcProgram::Table::pointer(*made);
	return ACL_SUCCESS;
}

aclError aclrtcDestroyProg(aclrtcProg *prog)
{
	RtcProgram *const found = prog ? RtcProgram::table().find(*prog) : nullptr;
	if (!found || !RtcProgram::Table::retire(*found, *prog))
		return no_program(prog ? *prog : nullptr);
	RtcProgram::table().recycle(*found);
	*prog = nullptr;
	return ACL_SUCCESS;
}

aclError aclrtcAddNameExpr(aclrtcProg prog, const char *nameExpr)
{
	const Program program(prog);
	if (!program)
		return no_program(prog);
	if (!nameExpr)
		return null_input("nameExpr");
	if (!*nameExpr || strpbrk(nameExpr, "\n\"\\;{}"))
		return FAILURE(ACL_ERROR_RTC_NAME_EXPR_NOT_VALID,
			       fmt::format("nameExpr is '{}', which names no kernel", nameExpr));
	const std::lock_guard lock(program->mutex);
	if (program->is_compiled())
		return FAILURE(ACL_ERROR_RTC_NO_NAME_EXPR_AFTER_COMPILATION,
			       "the program was compiled; names of kernels come before that");
	program->add_expression(nameExpr);
	return ACL_SUCCESS;
}

/* The first line of the log that has an error, for the error message. */
static std::string first_error(const std::string &log)
{
	const size_t at = log.find("error");
	if (at == log.npos)
		return log.substr(0, log.find('\n'));
	const size_t before = log.rfind('\n', at);
	const size_t begin = before == log.npos ? 0 : before + 1;
	return log.substr(begin, log.find('\n', at) - begin);
}

aclError aclrtcCompileProg(aclrtcProg prog, int numOptions, const char **options)
{
	const Program program(prog);
	if (!program)
		return no_program(prog);
	if (numOptions < 0)
		return FAILURE(
			ACL_ERROR_RTC_INVALID_INPUT,
			fmt::format("numOptions is {}; it must not be negative", numOptions));
	if (numOptions != 0 && !options)
		return null_input("options");
	std::vector<std::string> words;
	for (int i = 0; i < numOptions; i++) {
		if (!options[i])
			return null_input("an option");
		words.emplace_back(options[i]);
	}
	const std::lock_guard lock(program->mutex);
	switch (program->compile(words)) {
	case KernelProgram::Ending::GOOD:
		return ACL_SUCCESS;
	case KernelProgram::Ending::BAD_OPTION:
		return FAILURE(ACL_ERROR_RTC_INVALID_OPTION, first_error(program->log()));
	case KernelProgram::Ending::BAD_SOURCE:
		return FAILURE(ACL_ERROR_RTC_COMPILATION, first_error(program->log()));
	case KernelProgram::Ending::BAD_LINK:
		return FAILURE(ACL_ERROR_RTC_LINKING, first_error(program->log()));
	case KernelProgram::Ending::NO_COMPILER:
		break;
	}
	return FAILURE(ACL_ERROR_RTC_FAILURE, first_error(program->log()));
}

static aclError no_image()
{
	return FAILURE(ACL_ERROR_RTC_INVALID_PROG,
		       "the program has no result: it was not compiled, or not without an error");
}

aclError aclrtcGetBinDataSize(aclrtcProg prog, size_t *binDataSizeRet)
{
	const Program program(prog);
	if (!program)
		return no_program(prog);
	if (!binDataSizeRet)
		return null_input("binDataSizeRet");
	const std::lock_guard lock(program->mutex);
	if (program->image().empty())
		return no_image();
	*binDataSizeRet = program->image().size();
	return ACL_SUCCESS;
}

aclError aclrtcGetBinData(aclrtcProg prog, char *binData)
{
	const Program program(prog);
	if (!program)
		return no_program(prog);
	if (!binData)
		return null_input("binData");
	const std::lock_guard lock(program->mutex);
	if (program->image().empty())
		return no_image();
	memcpy(binData, program->image().data(), program->image().size());
	return ACL_SUCCESS;
}

aclError aclrtcGetLoweredName(aclrtcProg prog, const char *nameExpr, const char **loweredName)
{
	const Program program(prog);
	if (!program)
		return no_program(prog);
	if (!nameExpr || !loweredName)
		return null_input(nameExpr ? "loweredName" : "nameExpr");
	const std::lock_guard lock(program->mutex);
	if (program->image().empty())
		return FAILURE(ACL_ERROR_RTC_NO_LOWERED_NAMES_BEFORE_COMPILATION,
			       "the program was not compiled, or not without an error");
	const std::string *name = program->find_name(nameExpr);
	if (!name)
		return FAILURE(ACL_ERROR_RTC_NAME_EXPR_NOT_VALID,
			       fmt::format("nameExpr is '{}', which aclrtcAddNameExpr() was not "
					   "given",
					   nameExpr));
	*loweredName = name->c_str();
	return ACL_SUCCESS;
}

aclError aclrtcGetCompileLogSize(aclrtcProg prog, size_t *logSizeRet)
{
	const Program program(prog);
	if (!program)
		return no_program(prog);
	if (!logSizeRet)
		return null_input("logSizeRet");
	const std::lock_guard lock(program->mutex);
	*logSizeRet = program->log().size() + 1;
	return ACL_SUCCESS;
}

aclError aclrtcGetCompileLog(aclrtcProg prog, char *log)
{
	const Program program(prog);
	if (!program)
		return no_program(prog);
	if (!log)
		return null_input("log");
	const std::lock_guard lock(program->mutex);
	memcpy(log, program->log().c_str(), program->log().size() + 1);
	return ACL_SUCCESS;
}
