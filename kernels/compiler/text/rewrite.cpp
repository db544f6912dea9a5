// SPDX-License-Identifier: MIT
/**
 * DOC: The two texts
 *
 * A text is changed in place and stays on its lines, so that errors and debug information name the user's own lines.
 * What the driver adds for the whole file comes behind the last line, under a file name of its own.
 */
#include "kernels/compiler/text/rewrite.h"

#include <algorithm>
#include <set>

namespace compiler {

static constexpr const char *ADDED = "\n# 1 \"<unpu-ascendcc>\"\n";
static constexpr std::string_view GLOBAL = "__global__";
static constexpr std::string_view IMAGE_ONLY_BEGIN = "__unpu_image_only_begin__";
static constexpr std::string_view IMAGE_ONLY_END = "__unpu_image_only_end__";

namespace {

struct Edit {
	size_t begin;
	size_t end;
	std::string text;
};

// Edits of a text, in any order. One that lies in a range of another one is left out.
class Edits {
public:
	explicit Edits(std::string_view text) : text_(text) {}

	void add(size_t begin, size_t end, std::string text)
	{
		edits_.push_back({begin, end, std::move(text)});
	}

	std::string apply()
	{
		std::stable_sort(edits_.begin(), edits_.end(), [](const Edit &a, const Edit &b) {
			return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
		});
		std::string out;
		out.reserve(text_.size() + text_.size() / 16);
		size_t at = 0;
		for (const Edit &edit : edits_) {
			if (edit.begin < at)
				continue;
			out += text_.substr(at, edit.begin - at);
			out += edit.text;
			at = edit.end;
		}
		out += text_.substr(at);
		return out;
	}

private:
	std::string_view text_;
	std::vector<Edit> edits_;
};

} // namespace

static void add_common(const Findings &findings, const char *pass, Edits *edits)
{
	for (const Range &range : findings.passes)
		edits->add(range.begin, range.end, pass);
	for (const Range &range : findings.traps)
		edits->add(range.begin, range.end, "::unpu::lang::trap()");
	for (const Range &range : findings.pragmas)
		edits->add(range.begin, range.end, "");
	for (const Range &range : findings.attributes)
		edits->add(range.begin, range.end, "");
	for (const TaskType &type : findings.task_types)
		edits->add(type.call.begin, type.call.end,
			   "::unpu::declare_type<(unsigned int)(" + type.value + ")>()");
	for (const Kernel &kernel : findings.kernels)
		edits->add(kernel.marker, kernel.marker + GLOBAL.size(),
			   std::string(GLOBAL.size(), ' '));
	for (const Launch &launch : findings.launches) {
		edits->add(launch.name, launch.name,
			   launch.has_arguments ? " ::unpu::launch_instance<&"
						: " ::unpu::launch<&");
		edits->add(launch.open, launch.open + 3, ">(");
		edits->add(launch.close, launch.close + 3, ")");
	}
}

std::string shape_name(size_t kernel)
{
	return "unpu_shape_" + std::to_string(kernel) + "_";
}

std::string image_text(std::string_view text, const Findings &findings)
{
	Edits edits(text);
	add_common(findings, "1", &edits);
	for (const Range &range : findings.image_only) {
		edits.add(range.begin, range.begin + IMAGE_ONLY_BEGIN.size(), "");
		edits.add(range.end - IMAGE_ONLY_END.size(), range.end, "");
	}
	for (size_t i = 0; i < findings.kernels.size(); i++) {
		const Kernel &kernel = findings.kernels[i];
		if (!kernel.has_entry())
			continue;
		edits.add(kernel.end, kernel.end,
			  " [[gnu::used]] static constexpr ::unpu::Shape " + shape_name(i) +
				  " = ::unpu::ShapeOf<&" + kernel.name + kernel.arguments +
				  ">::get();");
	}
	std::string out = edits.apply();
	out += ADDED;
	out += "extern \"C\" __attribute__((weak, visibility(\"default\"))) const struct "
	       "unpu_kernel_image *\n"
	       "unpu_kernel_image(void)\n{\n\treturn ::unpu::make_image();\n}\n";
	return out;
}

static std::string quoted(std::string_view text)
{
	std::string out = "\"";
	for (const char c : text) {
		if (c == '"' || c == '\\')
			out += '\\';
		out += c;
	}
	return out + "\"";
}

std::vector<size_t> kernels_with_stub(const Findings &findings)
{
	std::vector<size_t> found;
	std::set<std::string> names;
	for (size_t i = 0; i < findings.kernels.size(); i++) {
		const Kernel &kernel = findings.kernels[i];
		if (kernel.has_entry() && kernel.arguments.empty() &&
		    names.insert(kernel.name).second)
			found.push_back(i);
	}
	return found;
}

static std::string stub_of(const Kernel &kernel)
{
	const std::string function = "&::" + kernel.scope + kernel.name;
	std::string head = "extern \"C\" __attribute__((weak, visibility(\"default\"))) unsigned "
			   "int\naclrtlaunch_" +
			   kernel.name + "(unsigned int unpu_blocks, void *unpu_stream";
	std::string call;
	for (size_t i = 0; i < kernel.params.size(); i++) {
		const std::string number = std::to_string(i);
		const std::string type = "::unpu::ParamOf<" + function + ", " + number + ">::type";
		head += ",\n\t::unpu::StubParam<" + type + "> unpu_" + number;
		call += (i == 0 ? "\n\t\t" : ",\n\t\t") +
			("::unpu::from_stub<" + type + ">(unpu_" + number + ")");
	}
	return head + ")\n{\n\treturn ::unpu::launch<" + function +
	       ">(unpu_blocks, nullptr, unpu_stream)(" + call + ");\n}\n";
}

// The constructor comes before those of the program, which may launch.
static std::string registration_of(const std::string &image)
{
	std::string path;
	for (const char c : quoted(image)) {
		if (c == '"' || c == '\\')
			path += '\\';
		path += c;
	}
	return "extern \"C\" {\n"
	       "extern const unsigned char unpu_image_begin[] "
	       "__attribute__((visibility(\"hidden\")));\n"
	       "extern const unsigned char unpu_image_end[] "
	       "__attribute__((visibility(\"hidden\")));\n"
	       "}\n"
	       "__asm__(\".pushsection .rodata.unpu_image, \\\"a\\\", @progbits\\n\"\n"
	       "\t\".balign 64\\n\"\n"
	       "\t\"unpu_image_begin:\\n\"\n"
	       "\t\".incbin " +
	       path +
	       "\\n\"\n"
	       "\t\"unpu_image_end:\\n\"\n"
	       "\t\".byte 0\\n\"\n"
	       "\t\".popsection\\n\");\n"
	       "namespace unpu\n{\nnamespace\n{\n"
	       "__attribute__((constructor(101))) void register_file()\n{\n"
	       "\tfile_image = unpu_kernel_register_image(unpu_image_begin,\n"
	       "\t\tstatic_cast<unsigned long>(unpu_image_end - unpu_image_begin));\n}\n"
	       "__attribute__((destructor(101))) void unregister_file()\n{\n"
	       "\tunpu_kernel_unregister_image(file_image);\n}\n"
	       "}\n}\n";
}

// A line marker for the rest of the line at an offset.
static std::string marker_at(std::string_view text, size_t offset)
{
	const Place place = place_of(text, offset);
	std::string marker = "\n# ";
	marker.append(std::to_string(place.line)).append(" \"").append(place.file).append("\"\n");
	return marker;
}

// One statement for the body, and a line marker so that what follows keeps its line.
static std::string body_of_host(std::string_view text, const Kernel &kernel)
{
	std::string body = "{ ::unpu::called_image = ::unpu::file_image; }";
	if (text.substr(kernel.body, kernel.end - kernel.body).find('\n') != std::string_view::npos)
		body += marker_at(text, kernel.end);
	return body;
}

std::string host_text(std::string_view text, const Findings &findings, const std::string &image)
{
	Edits edits(text);
	add_common(findings, "0", &edits);
	for (const Range &range : findings.image_only)
		edits.add(range.begin, range.end, marker_at(text, range.end));
	bool has_body = false;
	for (const Kernel &kernel : findings.kernels) {
		if (kernel.body == 0)
			continue;
		has_body = true;
		edits.add(kernel.body, kernel.end, body_of_host(text, kernel));
	}
	std::string out = edits.apply();
	if (!has_body)
		return out;
	out += ADDED;
	for (const size_t i : kernels_with_stub(findings))
		out += stub_of(findings.kernels[i]);
	return out + registration_of(image);
}

} // namespace compiler
