// SPDX-License-Identifier: MIT
/**
 * DOC: Driver
 *
 * A source goes through these steps: preprocess, find kernels, compile the text of the image, read its object, link the
 * image, write headers, compile the text of the host object. The image comes first, so an error of the source is shown
 * once: the host text has the same declarations.
 */
#include "kernels/compiler/driver.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>
#include <sstream>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "kernels/abi/architecture.h"
#include "kernels/compiler/process.h"
#include "kernels/compiler/text/errors.h"
#include "kernels/compiler/text/headers.h"
#include "kernels/compiler/text/rewrite.h"

namespace compiler {

namespace fs = std::filesystem;

static bool has_option(const Words &words, std::string_view begin)
{
	for (const std::string &word : words)
		if (word.compare(0, begin.size(), begin) == 0)
			return true;
	return false;
}

static void append(Words *to, const Words &more)
{
	to->insert(to->end(), more.begin(), more.end());
}

Words cpu_options()
{
	Words options;
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx2"))
		options.push_back("-mavx2");
	if (__builtin_cpu_supports("fma"))
		options.push_back("-mfma");
	/* clang 14 does not support "f16c" here. */
	unsigned a = 0, b = 0, c = 0, d = 0;
	if (__builtin_cpu_supports("avx2") && __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C))
		options.push_back("-mf16c");
#endif
	return options;
}

// The driver is <toolkit>/bin/unpu-ascendcc.
static std::string find_toolkit()
{
	return fs::read_symlink("/proc/self/exe").parent_path().parent_path().string();
}

Driver::Driver(Arguments arguments)
	: arguments_(std::move(arguments)), work_(arguments_.keep), toolkit_(find_toolkit())
{
}

int Driver::command(const Words &words) const
{
	return run_command(words, arguments_.shows_commands);
}

// Compiles a text, whose errors are the user's own.
int Driver::compile(const Words &words) const
{
	if (arguments_.shows_commands)
		return command(words);
	std::string errors;
	const int status = run_command_quietly(words, &errors);
	std::fputs((status == 0 ? errors : shortened(errors)).c_str(), stderr);
	return status;
}

int Driver::run()
{
	return arguments_.is_fatbin ? run_fatbin() : run_unit();
}

// Whether @words ask for C++20 or a later standard; their years are 11 to 26, and letters until they are published.
static bool has_late_standard(const Words &words)
{
	bool is_late = false;
	for (const std::string &word : words)
		if (word.compare(0, 5, "-std=") == 0)
			is_late = word.size() > 7 && word[word.size() - 2] == '2';
	return is_late;
}

// The device's compiler is clang, which takes f<T>(x) for a function that only the argument's namespace has, in C++17,
// too; gcc takes it in C++20. So gcc preprocesses in the standard that was asked for, and compiles in C++20.
Words Driver::standard_of_compilation() const
{
	if (arguments_.compiler.find("clang") != std::string::npos ||
	    has_late_standard(arguments_.options))
		return {};
	return {"-std=gnu++20", "-fno-char8_t", "-Wno-volatile"};
}

// Options for the language and the CPU. They are the same for all passes, because headers test them.
Words Driver::common_options(const Words &words) const
{
	Words options;
	bool has_standard = false;
	for (const std::string &word : words) {
		static const std::set<std::string> TOO_OLD = {
			"-std=c++98",	"-std=c++03",	"-std=c++11",	"-std=c++14",
			"-std=gnu++98", "-std=gnu++03", "-std=gnu++11", "-std=gnu++14"};
		const bool is_standard = word.compare(0, 5, "-std=") == 0;
		has_standard = has_standard || is_standard;
		options.push_back(is_standard && TOO_OLD.count(word) != 0 ? "-std=gnu++17" : word);
	}
	if (!has_standard)
		options.push_back("-std=gnu++17");
	if (!has_option(words, "-O"))
		options.push_back(has_option(words, "-g") && !has_option(words, "-g0") ? "-O0"
										       : "-O2");
	if (arguments_.cpu == "native")
		append(&options, cpu_options());
	return options;
}

// Whether one of the user's files tests the kind of core by a macro. The marker of a line in a system header ends
// with the flag 3.
static bool has_halves(const std::string &text)
{
	std::set<std::string> files;
	std::istringstream lines(text);
	for (std::string line; std::getline(lines, line);) {
		Place place;
		if (!read_marker(line, &place) ||
		    line.find(" 3", line.rfind('"')) != std::string::npos ||
		    !files.insert(place.file).second || !fs::is_regular_file(place.file))
			continue;
		const std::string file = read_file(place.file);
		if (file.find("__DAV_C220_CUBE__") != std::string::npos ||
		    file.find("__DAV_C220_VEC__") != std::string::npos)
			return true;
	}
	return false;
}

// The macros of the language for a chip whose sizes differ from those of dav-2201.
static Words chip_options(const Words &words)
{
	const bool is_310p =
		std::find(words.begin(), words.end(),
			  UNPU_ARCHITECTURE_OPTION UNPU_ARCHITECTURE_310P) != words.end();
	return is_310p ? Words{"-DUNPU_ASCEND310P"} : Words{};
}

int Driver::preprocess_half(const Unit &unit, const std::string &core, Half *half)
{
	const std::string result = work_.path("source." + core + ".ii");
	const std::string depfile = work_.path("source." + core + ".d");
	Words words = {arguments_.compiler, "-E", "-x", "c++"};
	append(&words, common_options(for_host(arguments_.options)));
	append(&words, for_image(arguments_.device_options));
	append(&words, chip_options(arguments_.options));
	append(&words, chip_options(arguments_.device_options));
	/* clang accepts no second definition of a function that the C library defines as extern inline. */
	if (arguments_.compiler.find("clang") != std::string::npos)
		words.push_back("-D__NO_INLINE__");
	append(&words,
	       {"-fPIC", "-D__CCE_AICORE__=220", "-D__NPU_ARCH__=2201",
		"-D__DAV_C220_" + core + "__=1", "-DUNPU_ASCENDCC=1", "-D__global__=__global__",
		"-isystem", toolkit_ + "/compiler/ascendc/include", "-isystem",
		toolkit_ + "/include", "-include", "unpu_entry.h"});
	if (!arguments_.depfile.empty())
		append(&words,
		       {arguments_.leaves_system_headers_out ? "-MMD" : "-MD", "-MF", depfile,
			arguments_.quotes_target ? "-MQ" : "-MT", arguments_.depfile_target});
	append(&words, {unit.source, "-o", result});
	const int status = command(words);
	if (status != 0)
		return status;
	half->text = read_file(result);
	if (!arguments_.depfile.empty())
		half->dependencies = read_file(depfile);
	return find_kernels_of(half) ? 0 : 1;
}

// If the source tests the kind of core, it is compiled once for each kind, as with the compiler of the device.
int Driver::preprocess(Unit *unit)
{
	int status = preprocess_half(*unit, "VEC", &unit->vector);
	if (status == 0 && has_halves(unit->vector.text))
		status = preprocess_half(*unit, "CUBE", &unit->cube.emplace());
	if (status == 0 && !arguments_.depfile.empty())
		write_file(arguments_.depfile,
			   unit->vector.dependencies +
				   (unit->cube ? unit->cube->dependencies : ""));
	return status;
}

bool Driver::find_kernels_of(Half *half)
{
	try {
		half->findings = find_kernels(tokens_of(half->text));
	} catch (const SourceError &error) {
		const Place place = place_of(half->text, error.offset);
		std::fprintf(stderr, "%s:%zu: error: %s\n", place.file.c_str(), place.line,
			     error.what());
		return false;
	}
	for (const Kernel &kernel : half->findings.kernels) {
		if (!kernel.name.empty())
			continue;
		const Place place = place_of(half->text, kernel.marker);
		std::fprintf(
			stderr,
			"%s:%zu: error: __global__ stands before something that is no function\n",
			place.file.c_str(), place.line);
		return false;
	}
	return true;
}

static bool is_clang(const std::string &compiler)
{
	return compiler.find("clang") != std::string::npos;
}

/* clang has these options only for x86-64. */
static bool has_stack_probes(const std::string &compiler)
{
#if defined(__x86_64__)
	(void)compiler;
	return true;
#else
	return !is_clang(compiler);
#endif
}

int Driver::compile_half(const std::string &name, Half *half)
{
	const std::string text = work_.path(name + ".image.ii");
	write_file(text, image_text(half->text, half->findings));
	half->object = work_.path(name + ".image.o");
	Words words = {arguments_.compiler, "-Wformat"};
	append(&words, common_options(for_image(arguments_.options)));
	append(&words, standard_of_compilation());
	append(&words, for_image(arguments_.device_options));
	append(&words, {"-fPIC", "-fvisibility=hidden", "-ffunction-sections", "-fdata-sections",
			"-ffp-contract=off", "-fno-fast-math", "-fno-semantic-interposition",
			"-Wno-unknown-pragmas", "-Wno-unused-function", "-x", "c++-cpp-output",
			"-c", text, "-o", half->object});
	/* gcc 12 vectorises at -O2 only loops whose length it knows; instructions of the vector unit are loops. */
	if (!is_clang(arguments_.compiler))
		words.push_back("-fvect-cost-model=dynamic");
	/* Makes a large array of a kernel touch the guard page below the stack, so that it cannot skip this page. */
	if (has_stack_probes(arguments_.compiler))
		words.push_back("-fstack-clash-protection");
	if (!arguments_.sanitizer.empty())
		words.push_back("-fsanitize=" + arguments_.sanitizer);
	/* A signal is reported with its line in all builds. */
	if (!has_option(arguments_.options, "-g") && !has_option(arguments_.device_options, "-g"))
		words.push_back("-g1");
	return compile(words);
}

int Driver::compile_image(Unit *unit, const std::string &name)
{
	int status = compile_half(name, &unit->vector);
	if (status == 0 && unit->cube)
		status = compile_half(name + ".cube", &*unit->cube);
	if (status != 0)
		return status;
	const Object vector(read_file(unit->vector.object));
	if (!unit->cube) {
		unit->entries = entries_of(vector);
		return strip_constructors(unit->vector, unit->entries, {});
	}
	const Object cube(read_file(unit->cube->object));
	unit->entries = entries_of(vector, cube);
	status = strip_constructors(unit->vector, unit->entries, {});
	return status != 0 ? status
			   : strip_constructors(*unit->cube, unit->entries, names_of_cube(cube));
}

// Constructors of the user's host code have no place in a worker, and what they need is not there.
// @names: those that symbols of the object get.
int Driver::strip_constructors(const Half &half, const std::vector<EntrySymbol> &entries,
			       const std::vector<NewName> &names)
{
	Words words = {tool_of(arguments_.compiler, "objcopy"), "--remove-section=.init_array",
		       "--remove-section=.init_array.*", "--remove-section=.ctors",
		       "--remove-section=.ctors.*"};
	for (const EntrySymbol &entry : entries)
		if (entry.is_local)
			append(&words, {"--globalize-symbol=" + entry.name,
					"--globalize-symbol=" + entry.cube});
	if (!names.empty()) {
		std::string lines;
		for (const NewName &name : names)
			lines += name.from + " " + name.to + "\n";
		const std::string list = work_.path("names");
		write_file(list, lines);
		words.push_back("--redefine-syms=" + list);
	}
	words.push_back(half.object);
	return command(words);
}

int Driver::link_image(const std::vector<Unit> &units, const std::string &image)
{
	std::set<std::string> names;
	std::vector<EntrySymbol> entries;
	Words objects;
	for (const Unit &unit : units) {
		objects.push_back(unit.vector.object);
		if (unit.cube)
			objects.push_back(unit.cube->object);
		for (const EntrySymbol &entry : unit.entries)
			if (names.insert(entry.name).second)
				entries.push_back(entry);
	}
	const std::string table = work_.path("table.s");
	const std::string exports = work_.path("exports.map");
	write_file(table, table_text(entries));
	write_file(exports, "{ global: unpu_kernel_image; local: *; };\n");
	fs::create_directories(fs::absolute(image).parent_path());
	Words words = {arguments_.compiler, "-shared", "-o", image};
	append(&words, objects);
	append(&words, {table, "-Wl,--gc-sections", "-Wl,--version-script=" + exports, "-Wl,-z,now",
			"-Wl,--build-id=none", "-Wl,--as-needed"});
	/* The program provides the functions of a sanitizer. */
	words.push_back(arguments_.sanitizer.empty() ? "-Wl,-z,defs"
						     : "-fsanitize=" + arguments_.sanitizer);
	return command(words);
}

int Driver::compile_host(const Unit &unit, const std::string &image)
{
	const bool is_text_wanted = !arguments_.host.empty();
	const std::string text = is_text_wanted ? arguments_.host : work_.path("host.ii");
	write_file(text,
		   host_text(unit.vector.text, unit.vector.findings, fs::absolute(image).string()));
	if (is_text_wanted)
		return 0;
	Words words = {arguments_.compiler};
	append(&words, common_options(for_host(arguments_.options)));
	append(&words, standard_of_compilation());
	append(&words, arguments_.host_options);
	append(&words, {"-fno-lto", "-fPIC", "-w", "-x", "c++-cpp-output", "-c", text, "-o",
			arguments_.output});
	return compile(words);
}

// The list of another source of the library that declares @kernel, below @folder; empty: there is none.
static std::string other_list(const fs::path &folder, const std::string &list,
			      const std::string &kernel)
{
	std::error_code error;
	for (const fs::directory_entry &entry :
	     fs::directory_iterator((folder / list).parent_path(), error)) {
		const std::string other = entry.path().lexically_relative(folder).string();
		if (other != list && entry.is_regular_file(error) &&
		    read_file(entry.path().string()).find("aclrtlaunch_" + kernel + "(") !=
			    std::string::npos)
			return other;
	}
	return "";
}

// Takes away the headers of kernels that this source does not have any more, unless another source has them: another
// library may have them now.
static void remove_stale_headers(const fs::path &folder, const std::string &list,
				 const std::vector<Stub> &stubs)
{
	std::error_code error;
	for (const fs::directory_entry &entry : fs::directory_iterator(folder, error)) {
		const std::string name = entry.path().filename().string();
		const bool is_ours = std::any_of(stubs.begin(), stubs.end(), [&](const Stub &stub) {
			return name == "aclrtlaunch_" + stub.kernel->name + ".h";
		});
		if (is_ours || name.rfind("aclrtlaunch_", 0) != 0)
			continue;
		const std::string kernel = name.substr(12, name.size() - 14);
		if (read_file(entry.path().string()) != header_text(kernel, list))
			continue;
		const std::string other = other_list(folder, list, kernel);
		if (other.empty())
			fs::remove(entry.path(), error);
		else
			write_file(entry.path().string(), header_text(kernel, other));
	}
}

void Driver::write_headers(const Unit &unit) const
{
	if (arguments_.headers.empty())
		return;
	const fs::path source = unit.source;
	const fs::path folder = fs::absolute(arguments_.headers);
	const fs::path list = arguments_.list.empty()
				      ? folder / "unpu" / (source.stem().string() + ".h")
				      : fs::absolute(arguments_.list);
	std::vector<Stub> stubs;
	const Half &half = unit.vector;
	if (!half.object.empty()) {
		const Object object(read_file(half.object));
		for (const size_t i : kernels_with_stub(half.findings))
			stubs.push_back({&half.findings.kernels[i], kinds_of(object, i)});
	}
	write_file_if_changed(list.string(), declarations_text(stubs, source.filename().string()));
	const std::string relative = list.lexically_relative(folder).string();
	const FolderLock lock(folder.string());
	remove_stale_headers(folder, relative, stubs);
	for (const Stub &stub : stubs)
		write_file_if_changed(folder / ("aclrtlaunch_" + stub.kernel->name + ".h"),
				      header_text(stub.kernel->name, relative));
}

std::string Driver::output_image() const
{
	return arguments_.image.empty() ? work_.path("image.so") : arguments_.image;
}

static bool has_kernels(const Findings &findings)
{
	for (const Kernel &kernel : findings.kernels)
		if (kernel.body != 0)
			return true;
	return false;
}

// Code for cores that no kernel can reach is a mistake that otherwise only a program shows, which lacks the kernel.
static void warn_of_no_kernel(const std::string &source)
{
	if (read_file(source).find("__aicore__") != std::string::npos)
		std::fprintf(
			stderr,
			"%s: warning: there is no kernel, although __aicore__ is used: __global__ "
			"makes a function a kernel\n",
			source.c_str());
}

int Driver::run_unit()
{
	std::vector<Unit> units(1);
	Unit &unit = units[0];
	unit.source = arguments_.sources[0];
	int status = preprocess(&unit);
	if (status != 0)
		return status;
	if (has_kernels(unit.vector.findings)) {
		status = compile_image(&unit, "source");
		if (status == 0)
			status = link_image(units, output_image());
		if (status != 0)
			return status;
	} else {
		if (unit.vector.findings.kernels.empty())
			warn_of_no_kernel(unit.source);
		if (!arguments_.image.empty())
			write_file(arguments_.image, "");
	}
	write_headers(unit);
	return compile_host(unit, output_image());
}

int Driver::run_fatbin()
{
	std::vector<Unit> units;
	for (const std::string &source : arguments_.sources) {
		Unit unit;
		unit.source = source;
		int status = preprocess(&unit);
		if (status != 0)
			return status;
		status = compile_image(&unit, "source" + std::to_string(units.size()));
		if (status != 0)
			return status;
		units.push_back(std::move(unit));
	}
	return link_image(units, arguments_.output);
}

} // namespace compiler
