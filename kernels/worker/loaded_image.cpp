// SPDX-License-Identifier: MIT
/**
 * DOC: Images
 *
 * The loader opens an image by its descriptor's path. The C++ libraries that images need are loaded with the
 * worker, so the loader opens no other file.
 */
#include "loaded_image.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>

#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <link.h>
#include <unistd.h>

#include "base/os/calls/files.h"

namespace worker {

Image::~Image()
{
	if (library_)
		dlclose(library_);
	/* An image that stays keeps its path, which no other image may have. */
	if (void *stays = dlopen(path().c_str(), RTLD_NOW | RTLD_NOLOAD)) {
		dlclose(stays);
		return;
	}
	base::calls::close(file_);
}

/* Finds where the loader has put the image. */
bool Image::find_memory()
{
	link_map *map = nullptr;
	if (dlinfo(library_, RTLD_DI_LINKMAP, &map) != 0)
		return false;
	base_ = map->l_addr;
	return dl_iterate_phdr(
		       [](dl_phdr_info *info, size_t, void *self) {
			       auto &image = *static_cast<Image *>(self);
			       if (info->dlpi_addr != image.base_)
				       return 0;
			       image.low_ = UINT64_MAX;
			       for (int i = 0; i < info->dlpi_phnum; i++) {
				       const auto &part = info->dlpi_phdr[i];
				       if (part.p_type != PT_LOAD)
					       continue;
				       const uint64_t first = image.base_ + part.p_vaddr;
				       image.low_ = std::min<uint64_t>(image.low_, first);
				       image.high_ = std::max<uint64_t>(image.high_,
									first + part.p_memsz);
			       }
			       return 1;
		       },
		       this) == 1;
}

static bool is_good_entry(const unpu_kernel_entry &entry, std::string &why)
{
	const size_t length = entry.name ? strnlen(entry.name, UNPU_KERNEL_MAX_NAME) : 0;
	if (length == 0 || length == UNPU_KERNEL_MAX_NAME) {
		why = "a kernel's name is missing or longer than 511 characters";
		return false;
	}
	if (!entry.run || entry.param_count > UNPU_KERNEL_MAX_PARAMS ||
	    (entry.param_count && !entry.params) || entry.args_bytes > UNPU_KERNEL_MAX_ARGS_BYTES ||
	    entry.type > UNPU_KERNEL_MIX_AIC_1_2) {
		why = std::string("the entry of kernel ") + entry.name + " has impossible fields";
		return false;
	}
	return true;
}

bool Image::take_entries(const struct unpu_kernel_image &image, std::string &why)
{
	for (const unpu_kernel_entry *entry = image.entries; entry; entry = entry->next) {
		if (entries_.size() == UNPU_KERNEL_MAX_ENTRIES) {
			why = "the image has more than 4096 kernels";
			return false;
		}
		if (!is_good_entry(*entry, why))
			return false;
		entries_.push_back(entry);
	}
	if (entries_.empty())
		why = "the image has no kernels";
	std::sort(entries_.begin(), entries_.end(), [](const auto *left, const auto *right) {
		return strcmp(left->name, right->name) < 0;
	});
	return !entries_.empty();
}

/* A debugger opens the images by the paths that the loader used, and "self" is another process to it. */
static const std::string &folder()
{
	static const std::string found = [] {
		char number[32];
		const ssize_t length = readlink("/proc/self", number, sizeof(number));
		const bool is_good = length > 0 && length < static_cast<ssize_t>(sizeof(number));
		return "/proc/" +
		       (is_good ? std::string(number, static_cast<size_t>(length)) : "self") +
		       "/fd/";
	}();
	return found;
}

void Image::find_folder()
{
	(void)folder();
}

int Image::file_at(const char *path)
{
	const std::string &own = folder();
	if (strncmp(path, own.c_str(), own.size()) != 0)
		return -1;
	char *end = nullptr;
	const long number = strtol(path + own.size(), &end, 10);
	return end == path + own.size() || *end != '\0' || number < 0 ||
			       number > std::numeric_limits<int>::max()
		       ? -1
		       : static_cast<int>(number);
}

std::string Image::path() const
{
	return folder() + std::to_string(file_);
}

bool Image::load(const unpu_kernel_services &services, std::string &why)
{
	library_ = dlopen(path().c_str(), RTLD_NOW | RTLD_LOCAL);
	if (!library_) {
		const char *text = dlerror();
		why = std::string("the image can't be loaded: ") + (text ? text : "");
		return false;
	}
	using Get = const struct unpu_kernel_image *();
	auto *get = reinterpret_cast<Get *>(dlsym(library_, UNPU_KERNEL_IMAGE_SYMBOL));
	const struct unpu_kernel_image *image = get ? get() : nullptr;
	if (!image) {
		why = "the file is a library without " UNPU_KERNEL_IMAGE_SYMBOL "()";
		return false;
	}
	if (image->version != UNPU_KERNEL_IMAGE_VERSION ||
	    image->bytes < sizeof(struct unpu_kernel_image) || !image->attach) {
		why = "the image has version " + std::to_string(image->version) +
		      ", and this worker has version " + std::to_string(UNPU_KERNEL_IMAGE_VERSION);
		return false;
	}
	if (!find_memory() || !take_entries(*image, why))
		return false;
	image->attach(&services);
	return true;
}

void Image::describe(uint32_t index, unpu_kernel_info &info) const
{
	const unpu_kernel_entry &entry = *entries_[index];
	info = {};
	strncpy(info.name, entry.name, sizeof(info.name) - 1);
	info.args_bytes = entry.args_bytes;
	info.param_count = entry.param_count;
	info.type = entry.type;
	info.flags = entry.flags;
	for (uint32_t i = 0; i < entry.param_count; i++) {
		const unpu_kernel_param &param = entry.params[i];
		info.params[i] = {param.kind, param.bytes, param.offset, 0};
	}
}

/* The unit that has the code at @offset. clang makes no table of addresses, so each unit is asked. */
static bool find_unit(Dwarf *debug, uint64_t offset, Dwarf_Die &unit)
{
	if (dwarf_addrdie(debug, offset, &unit))
		return true;
	size_t head = 0;
	for (Dwarf_Off at = 0, next;
	     dwarf_nextcu(debug, at, &next, &head, nullptr, nullptr, nullptr) == 0; at = next) {
		if (dwarf_offdie(debug, at + head, &unit) && dwarf_haspc(&unit, offset) > 0)
			return true;
	}
	return false;
}

/* Whether a file is a header of the language, of the C or the C++ library, or text of the compiler. */
static bool is_language(const char *file)
{
	static constexpr char SYSTEM[] = "/usr/include/";
	return strncmp(file, SYSTEM, strlen(SYSTEM)) == 0 || strstr(file, "/unpu_ascendc/") ||
	       strstr(file, "/unpu_entry.h") || strstr(file, "/unpu_launch.h") ||
	       strstr(file, "/include/c++/") || strstr(file, "<unpu-");
}

/* The call of an inlined function. Return: false: @scope is none, or its attributes are missing. */
static bool find_call(Dwarf_Die &unit, Dwarf_Die &scope, const char *&file, Dwarf_Word &line)
{
	Dwarf_Attribute attribute;
	Dwarf_Word number = 0;
	Dwarf_Files *files = nullptr;
	size_t count = 0;
	if (dwarf_tag(&scope) != DW_TAG_inlined_subroutine ||
	    dwarf_formudata(dwarf_attr(&scope, DW_AT_call_file, &attribute), &number) != 0 ||
	    dwarf_formudata(dwarf_attr(&scope, DW_AT_call_line, &attribute), &line) != 0 ||
	    dwarf_getsrcfiles(&unit, &files, &count) != 0 || number >= count)
		return false;
	file = dwarf_filesrc(files, number, nullptr, nullptr);
	return file != nullptr;
}

/* The line of the innermost call at @offset that is no line of the language; empty: there is none. */
static std::string line_of_user(Dwarf_Die &unit, uint64_t offset)
{
	Dwarf_Die *scopes = nullptr;
	const int count = dwarf_getscopes(&unit, offset, &scopes);
	std::string text;
	for (int i = 0; i < count; i++) {
		const char *file = nullptr;
		Dwarf_Word line = 0;
		if (find_call(unit, scopes[i], file, line) && !is_language(file)) {
			text = std::string(file) + ":" + std::to_string(line);
			break;
		}
	}
	free(scopes);
	return text;
}

std::string Image::find_line(uint64_t offset, bool &is_users) const
{
	is_users = false;
	std::string text;
	Dwarf *debug = dwarf_begin(file_, DWARF_C_READ);
	Dwarf_Die unit;
	int line = 0;
	if (debug && find_unit(debug, offset, unit)) {
		Dwarf_Line *found = dwarf_getsrc_die(&unit, offset);
		const char *file = found ? dwarf_linesrc(found, nullptr, nullptr) : nullptr;
		if (file && dwarf_lineno(found, &line) == 0)
			text = std::string(file) + ":" + std::to_string(line);
		const std::string users =
			file && is_language(file) ? line_of_user(unit, offset) : text;
		is_users = !users.empty();
		if (is_users)
			text = users;
	}
	if (debug)
		dwarf_end(debug);
	return text;
}

} // namespace worker
