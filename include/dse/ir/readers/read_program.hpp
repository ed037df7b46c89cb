#pragma once

#include <vector>

#include "dse/ir/program/program.hpp"
#include "dse/ir/readers/source.hpp"

namespace dse::ir {

/// The language of a text, according to its beginning, else its file name (".hlo", ".mlir", ".py", optionally
/// followed by ".txt" or ".gz").
/// \throws InputError if neither identifies it
Language language_of(const Source& source);

/// Reads a compiler's program in any of the languages. \throws InputError as language_of and the reader
Program read_program(const Source& source);

/// Reads all modules of a file. \throws InputError as read_program
std::vector<Program> read_programs(const Source& source);

}  // namespace dse::ir
