#pragma once

#include <string>
#include <vector>

#include "dse/config/library.hpp"

namespace dse::frontend {

/// The compilers' programs that sweeps can name: files below workloads/captures of the library's roots, by
/// their paths from there ("jax/llama3_8b_tp8.sdy.mlir.gz"), sorted. Manifests (.json) are none.
std::vector<std::string> program_names(const config::Library& library);

/// The file that `name` stands for: the one of that name in the folder `beside` (empty: none), from here, or
/// below a root or its workloads/captures.
/// \throws InputError where there is none, with the name that may have been meant
std::string program_file(const config::Library& library, const std::string& name,
                         const std::string& beside = "");

/// The families of workloads that sweeps can name: files *.model below workloads/families, likewise.
std::vector<std::string> family_names(const config::Library& library);
/// As program_file(), below workloads/families.
std::string family_file(const config::Library& library, const std::string& name,
                        const std::string& beside = "");

}  // namespace dse::frontend
