#pragma once

#include <vector>

#include "dse/ir/program/program.hpp"
#include "dse/ir/readers/source.hpp"

namespace dse::ir {

/// The language of a text, by how it begins, else by its file's name (".hlo", ".mlir", ".py", with ".txt" or
/// ".gz" behind it or not). \throws InputError where neither tells
Language language_of(const Source& source);

/// Reads a compiler's program in whichever language it is. \throws InputError as language_of, and as its
/// reader
Program read_program(const Source& source);

/// All modules of a file that may hold several. \throws InputError likewise
std::vector<Program> read_programs(const Source& source);

}  // namespace dse::ir
