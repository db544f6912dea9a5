// SPDX-License-Identifier: MIT
/*
 * DOC: Our model file
 *
 * A header, a table of sections, and the sections: what a program may ask of a model before it loads it (FACE), what it
 * computes (GRAPH), where it comes from (NOTES) and its constants (WEIGHTS). Numbers are little endian. There is no
 * machine code in it, and nothing that depends on a machine. It is not the file of the vendor's tools.
 */
#pragma once

#include <memory>
#include <string>

#include "models/common/mapped_file.h"
#include "models/common/problems.h"
#include "models/ir/ir_model.h"
#include "uapi/aipp.h"

namespace models::om {

/* Codes of problems with a file. */
inline constexpr const char *not_ours = "E18001"; /* another format, or another version */
inline constexpr const char *bad_size = "E18002"; /* cut off */
inline constexpr const char *is_broken =
	"E18003"; /* a wrong checksum, or a section that is not valid */

/* enum class Dynamic - which dims of a model are open, and how a program chooses them. */
enum class Dynamic : uint8_t { NONE, BATCH, IMAGE, DIMS, FREE };

/* enum class Format - the format of a tensor, for queries of programs. */
enum class Format : uint8_t { ND, NCHW, NHWC, NCDHW, NDHWC };

/* struct Port - an input or output.
 * @dims: open dims are UNKNOWN
 * @least, @most: bounds of open dims
 * @bytes: size in the largest profile; 0 for Dynamic::FREE with open dims */
struct Port {
	std::string name;
	ir::Type type = ir::Type::NONE;
	Format format = Format::ND;
	ir::Dims dims, least, most;
	uint64_t bytes = 0;
};

/*
 * struct Images - an input that is made of the bytes of images.
 * @input: its number
 * @steps_input: number of the input that has the steps of a run; ABSENT if the model has them
 * @crops, @pads: what the configuration has
 * @network: the input behind the steps
 * @steps: of the model; sizes that are 0 are those of the image
 */
struct Images {
	uint32_t input = 0;
	int32_t steps_input = ir::ABSENT;
	bool crops = false, pads = false;
	Port network;
	unpu_aipp steps{};
};

/* struct Profile - the dims of all inputs, one input after the other. */
using Profile = std::vector<int64_t>;

/* struct Face - what a program can query of a model. @choices: for each profile the numbers by which a program
 * chooses it: a batch, a height and a width, or the open dims. @work_bytes: the working memory of the largest
 * profile; 0 for Dynamic::FREE */
struct Face {
	std::string name, soc;
	Dynamic dynamic = Dynamic::NONE;
	std::vector<Port> inputs, outputs;
	std::vector<Profile> profiles, choices;
	std::vector<Images> images;
	uint64_t work_bytes = 0, weight_bytes = 0;
};

/* struct Notes - for people. */
struct Notes {
	std::string command, version, producer;
};

/* place_weights() - computes the offset of each constant of @model in WEIGHTS, and the size of all. */
std::vector<uint64_t> place_weights(const ir::Model &model, uint64_t &bytes);

/* write() - makes the file @path, or says why not. */
bool write(const std::string &path, const Face &face, const ir::Model &model, const Notes &notes,
	   Problems &problems);

/* read_face() - reads the face from the first bytes of a file, or from all of it. It reads no other section.
 * @file_bytes: the size of the whole file */
bool read_face(std::string_view bytes, uint64_t file_bytes, Face &face, Problems &problems);

/*
 * read() - reads and checks the model of a file. Any model that it returns can be compiled and run without harm,
 * whatever the bytes are. @owner: the owner of @bytes, because constants are views of them
 */
std::unique_ptr<ir::Model> read(std::string_view bytes, std::shared_ptr<const void> owner,
				Face &face, Problems &problems);

/* read_notes() - reads the section NOTES. Context: read() or read_face() has accepted the file. */
bool read_notes(std::string_view bytes, Notes &notes, Problems &problems);

} // namespace models::om
