#pragma once

#include <string>

#include "dse/base/error.hpp"
#include "dse/base/output_file.hpp"

namespace dse::app {

struct ConfigImport {
    std::string file;
    std::string output;  ///< the model file, where it ends in .yaml, else its folder; empty: none is written
    bool json{false};
    Existing existing{Existing::refuse};
};

/// Makes a model file of a published configuration: prints what it holds, its parameters beside those of the
/// template, what is left out, which fields are unknown.
/// \throws InputError for a family that no template stands for
ExitCode import_config(const ConfigImport& options);

}  // namespace dse::app
