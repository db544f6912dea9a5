// SPDX-License-Identifier: MIT
/**
 * DOC: Plug-in of the wire
 *
 * UCX reads some settings in the constructors of its libraries, so they must be in the environment when it is
 * loaded. Without them UCX hooks malloc and catches signals of the program. setenv() is not safe while other
 * threads read the environment. So, while UCX is being loaded, environ points to a second array of variables,
 * and after that to the first one again. Neither array is changed or freed.
 */
#include "plugin.h"

#include <atomic>

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/no_destructor.h"
#include "base/os/machine.h"
#include "hal/options.h"
#include "hal/variable.h"
#include "streams/streams.h"
#include "umd/hccl/hccl_result.h"
#include "umd/hccl/network/interfaces.h"

namespace umd {

namespace {

struct Setting {
	const char *name; /* name without the prefix UCX_ */
	const char *value;
};

/* Settings that UCX reads when it is loaded. */
constexpr Setting EARLY[] = {
	{"MEM_EVENTS", "n"},	   {"MEM_MALLOC_HOOKS", "n"},	  {"MEM_MMAP_HOOK_MODE", "none"},
	{"HANDLE_ERRORS", "none"}, {"DEBUG_SIGNO", "0"},	  {"VFS_ENABLE", "n"},
	{"LOG_LEVEL", "fatal"},	   {"WARN_UNUSED_ENV_VARS", "n"},
};

/* Settings that UCX reads for each context. UCX's own keepalive would wake the thread, so the kernel's TCP
 * keepalive is used instead. KEEPIDLE and those after it are settings of a transport; its name is left out
 * here. */
constexpr Setting LATE[] = {
	{"TLS", "tcp"},	    {"KEEPALIVE_INTERVAL", "inf"}, {"RESOLVE_REMOTE_EP_ID", "y"},
	{"KEEPIDLE", "1s"}, {"KEEPINTVL", "1s"},	   {"KEEPCNT", "2"},
};

bool is_set(const std::string &name)
{
	return hal::has_variable(("UCX_" + name).c_str());
}

/** class ExtraVariables - adds the settings of EARLY to the environment while it exists. A process has only
 * one at a time. */
class ExtraVariables {
public:
	ExtraVariables() : before_(environ)
	{
		/* Another thread may read these strings as long as the process lives, so they are never
		 * freed. */
		static base::NoDestructor<std::vector<std::string>> kept_texts;
		static base::NoDestructor<std::vector<char *>> kept_all;
		std::vector<std::string> &texts = *kept_texts;
		std::vector<char *> &all = *kept_all;
		for (const Setting &setting : EARLY) {
			if (!is_set(setting.name))
				texts.push_back(
					fmt::format("UCX_{}={}", setting.name, setting.value));
		}
		for (char **each = before_; each && *each; each++)
			all.push_back(*each);
		for (std::string &text : texts)
			all.push_back(text.data());
		all.push_back(nullptr);
		during_ = all.data();
		std::atomic_ref(environ).store(during_);
	}

	/* If another thread has replaced the environment in the meantime, the destructor leaves it alone. */
	~ExtraVariables()
	{
		char **expected = during_;
		std::atomic_ref(environ).compare_exchange_strong(expected, before_);
	}

	ExtraVariables(const ExtraVariables &) = delete;
	ExtraVariables &operator=(const ExtraVariables &) = delete;

private:
	char **before_;
	char **during_;
};

constexpr const char *NAME = "libhccl_wire_ucx.so";

struct Loaded {
	const WireEngine *engine = nullptr;
	std::string text;
};

Loaded load()
{
	const ExtraVariables variables;
	const auto *own_code = reinterpret_cast<const void *>(&load);
	const std::string path = base::toolkit_file(own_code, "lib64", NAME);
	if (path.empty())
		return {nullptr, std::string(NAME) + " can't be looked for: /proc/self/maps does "
						     "not tell where this toolkit is"};
	void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return {nullptr, dlerror()};
	auto *get = reinterpret_cast<wire_engine_get *>(dlsym(library, WIRE_ENGINE_SYMBOL));
	const WireEngine *engine = get ? get() : nullptr;
	if (!engine || engine->version != WIRE_ENGINE_VERSION)
		return {nullptr, std::string(NAME) + " is of another version"};
	return {engine, {}};
}

} // namespace

/* UCX does not authenticate, and accepts any connection. So the user has to choose the network explicitly. */
static HcclResult choose_ucx(EngineChoice &choice)
{
	const InterfaceSettings settings = read_interface_settings();
	if (settings.ip.empty() && settings.names.empty())
		return refuse(HCCL_E_PARA,
			      "UNPU_HCCL_WIRE=ucx opens ports that are not protected; name the "
			      "network of the ranks by HCCL_SOCKET_IFNAME or HCCL_IF_IP");
	static const Loaded loaded = load();
	if (!loaded.engine)
		return refuse(
			HCCL_E_NOT_SUPPORT,
			fmt::format("UNPU_HCCL_WIRE=ucx needs UCX, and it can't be loaded: {}",
				    loaded.text));
	choice = {loaded.engine, WireKind::UCX};
	return HCCL_SUCCESS;
}

HcclResult choose_engine(EngineChoice &choice)
{
	const std::string text = hal::environment("UNPU_HCCL_WIRE");
	choice = {streams_engine(), WireKind::SOCKETS};
	if (text.empty() || text == "sockets")
		return HCCL_SUCCESS;
	if (text == "ucx")
		return choose_ucx(choice);
	return refuse(HCCL_E_PARA,
		      fmt::format("UNPU_HCCL_WIRE is \"{}\"; it must be sockets or ucx", text));
}

std::vector<std::string> engine_settings()
{
	std::vector<std::string> settings;
	for (const Setting &setting : LATE) {
		const bool is_said =
			is_set(setting.name) || is_set("TCP_" + std::string(setting.name));
		if (!is_said)
			settings.insert(settings.end(), {setting.name, setting.value});
	}
	/* The settings are valid here, because the meeting has checked them. */
	const std::vector<Interface> all = all_interfaces();
	std::vector<TcpAddress> chosen;
	(void)choose_interfaces(read_interface_settings(), all, chosen);
	const std::string interfaces = interface_names(all, chosen);
	if (!is_set("NET_DEVICES") && !interfaces.empty())
		settings.insert(settings.end(), {"NET_DEVICES", interfaces});
	return settings;
}

} // namespace umd
