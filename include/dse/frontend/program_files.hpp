#pragma once

#include <string>
#include <vector>

#include "dse/config/library.hpp"

namespace dse::frontend {

/// The compilers' programs that sweeps can name: all files below workloads/captures of the library's roots
/// except manifests (.json), as sorted relative paths ("jax/llama3_8b_tp8.sdy.mlir.gz").
std::vector<std::string> program_names(const config::Library& library);

/// The file with this name. Searches the folder `beside` (if not empty), the current directory, and each of
/// the library's roots with its workloads/captures.
/// \throws InputError if there is none, with a suggestion
std::string program_file(const config::Library& library, const std::string& name,
                         const std::string& beside = "");

/// The workload families that sweeps can name: files *.model below workloads/families, like program_names().
std::vector<std::string> family_names(const config::Library& library);
/// Like program_file(), for workloads/families.
std::string family_file(const config::Library& library, const std::string& name,
                        const std::string& beside = "");

}  // namespace dse::frontend
