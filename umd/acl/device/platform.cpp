// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL platform
 *
 * The properties of a device, as text. The device is that of the current context, or device 0 for a
 * thread without a context.
 */
#include <cstring>

#include "acl/acl.h"
#include "chip.h"
#include "uapi/operator.h"
#include "umd/acl/facts.h"
#include "umd/core/context/contexts.h"

using base::Result;
using base::Status;
using umd::acl_return;
using umd::Contexts;
using umd::Facts;
using umd::null_argument;
using umd::set_error;

static Status give_text(const std::string &text, char *value, uint32_t bytes)
{
	if (text.size() >= bytes)
		return set_error(Status::INVALID_ENUM,
				 fmt::format("maxLen is {}; the text and its end take {} bytes",
					     bytes, text.size() + 1));
	memcpy(value, text.c_str(), text.size() + 1);
	return Status::OK;
}

static Result<std::string> property(aclplatformDevInfo type, const Facts &facts)
{
	switch (type) {
	case ACL_PLATFORM_AICORE_CNT:
	case ACL_PLATFORM_CUBE_CORE_CNT:
		return std::to_string(facts.cores().cube);
	case ACL_PLATFORM_VECTOR_CORE_CNT:
		return std::to_string(facts.cores().vector);
	case ACL_PLATFORM_AICORE_UB_SIZE:
		return std::to_string(facts.info.local_bytes);
	case ACL_PLATFORM_L1_SIZE:
		return std::to_string(facts.info.core_bytes);
	case ACL_PLATFORM_L2_SIZE:
		return std::to_string(facts.info.shared_bytes);
	case ACL_PLATFORM_MEMORY_SIZE:
		return std::to_string(facts.memory_bytes);
	case ACL_PLATFORM_CUBE_FREQ:
	case ACL_PLATFORM_VEC_FREQ:
		return std::to_string(facts.info.clock_mhz);
	case ACL_PLATFORM_BT_SIZE: /* memories that the cores do not have */
	case ACL_PLATFORM_L0_A_SIZE:
	case ACL_PLATFORM_L0_B_SIZE:
	case ACL_PLATFORM_L0_C_SIZE:
		return std::string("0");
	case ACL_PLATFORM_SOC_VERSION:
		return facts.soc_name;
	case ACL_PLATFORM_AIC_VERSION:
		return std::string(umd::find_core_version(umd::find_arch(facts.soc_name)));
	case ACL_PLATFORM_NPU_ARCH:
		return std::to_string(umd::find_arch(facts.soc_name));
	case ACL_PLATFORM_MEMORY_TYPE:
		return std::string("HBM");
	}
	return set_error(Status::INVALID_ENUM,
			 fmt::format("infoType is {}; it must be ACL_PLATFORM_AICORE_CNT (0) to "
				     "ACL_PLATFORM_MEMORY_TYPE (16)",
				     static_cast<int>(type)));
}

aclError aclplatformGetDeviceInfo(aclplatformDevInfo infoType, char *value, uint32_t maxLen)
{
	if (!value)
		return acl_return(null_argument("value"));
	auto facts = TRY(umd::read_facts(umd::chosen_device()));
	auto text = TRY(property(infoType, facts));
	return acl_return(give_text(text, value, maxLen));
}

/* Every instruction supports all element types, because operators convert between them. */
static std::string element_types()
{
#define ELEMENT_TYPE(name, number, bytes) "," #name
	std::string text = std::string_view(UNPU_DTYPE_LIST(ELEMENT_TYPE)).substr(1).data();
#undef ELEMENT_TYPE
	for (char &c : text)
		c = static_cast<char>(tolower(c));
	return text;
}

static constexpr std::string_view INSTRUCTIONS[] = {
#define INSTRUCTION(name, number) #name,
	UNPU_OPERATOR_LIST(INSTRUCTION)
#undef INSTRUCTION
};

aclError aclplatformGetInstructionInfo(aclplatformCoreType type, const char *instruction,
				       char *value, uint32_t maxLen)
{
	if (!instruction)
		return acl_return(null_argument("instruction"));
	if (!value)
		return acl_return(null_argument("value"));
	if (type != ACL_PLATFORM_CORE_TYPE_AI_CORE && type != ACL_PLATFORM_CORE_TYPE_VECTOR_CORE)
		return acl_return(set_error(
			Status::INVALID_ENUM,
			fmt::format("type is {}; it must be ACL_PLATFORM_CORE_TYPE_AI_CORE (0) or "
				    "_VECTOR_CORE (1)",
				    static_cast<int>(type))));
	std::string known;
	for (std::string_view name : INSTRUCTIONS) {
		if (name == instruction)
			return acl_return(give_text(element_types(), value, maxLen));
		known += known.empty() ? "" : ", ";
		known += name;
	}
	return acl_return(
		set_error(Status::INVALID_ENUM,
			  fmt::format("instruction '{}' is none that the cores have; they have {}",
				      instruction, known)));
}
