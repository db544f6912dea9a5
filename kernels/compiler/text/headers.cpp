// SPDX-License-Identifier: MIT
/**
 * DOC: Generated headers
 *
 * A build system has to know the files of a rule before the rule has run, and names of kernels can come out of
 * macros. So all declarations of a source are in one file with a known name, and aclrtlaunch_NAME.h only includes it.
 */
#include "kernels/compiler/text/headers.h"

#include <algorithm>

#include "kernels/abi/image.h"

namespace compiler {

static std::string without_const(std::string type)
{
	static constexpr std::string_view WORD = "const ";
	if (type.compare(0, WORD.size(), WORD) == 0)
		type.erase(0, WORD.size());
	return type;
}

// The name of a struct in a namespace may be valid only inside of that namespace.
static std::string type_in_header(const Param &param, uint8_t kind, bool is_in_namespace)
{
	if (kind == UNPU_KERNEL_PARAM_POINTER)
		return "void *";
	if (kind == UNPU_KERNEL_PARAM_SCALAR)
		return without_const(param.type) + " ";
	return is_in_namespace ? "const void *" : without_const(param.type) + " *";
}

std::string declarations_text(const std::vector<Stub> &stubs, const std::string &source)
{
	std::string text =
		"/* Made by unpu-ascendcc: how to launch the kernels of " + source + ". */\n";
	for (const Stub &stub : stubs) {
		const Kernel &kernel = *stub.kernel;
		text += "#if defined(UNPU_DECLARES_" + kernel.name +
			") && !defined(UNPU_DECLARED_" + kernel.name + ")\n#define UNPU_DECLARED_" +
			kernel.name +
			"\n#ifdef __cplusplus\nextern \"C\"\n#endif\nuint32_t aclrtlaunch_" +
			kernel.name + "(uint32_t blockDim, aclrtStream stream";
		for (size_t i = 0; i < std::min(kernel.params.size(), stub.kinds.size()); i++)
			text += ", " +
				type_in_header(kernel.params[i], stub.kinds[i],
					       !kernel.scope.empty()) +
				kernel.params[i].name;
		text += ");\n#endif\n";
	}
	return text;
}

std::string header_text(const std::string &name, const std::string &list)
{
	return "/* Made by unpu-ascendcc. */\n"
	       "#ifndef HEADER_ACLRTLAUNCH_" +
	       name + "_H\n#define HEADER_ACLRTLAUNCH_" + name +
	       "_H\n"
	       "#include <stdint.h>\n"
	       "#include \"acl/acl_base.h\"\n"
	       "#ifndef ACLRT_LAUNCH_KERNEL\n"
	       "#define ACLRT_LAUNCH_KERNEL(kernel_func) aclrtlaunch_##kernel_func\n"
	       "#endif\n"
	       "#define UNPU_DECLARES_" +
	       name + "\n#include \"" + list + "\"\n#endif\n";
}

} // namespace compiler
