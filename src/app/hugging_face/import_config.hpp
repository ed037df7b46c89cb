#pragma once

#include <string>

#include "dse/base/error.hpp"
#include "dse/base/output_file.hpp"

namespace dse::app {

struct ConfigImport {
    std::string file;
    std::string folder;  ///< where the model file goes; empty: nowhere
    bool json{false};
    Existing existing{Existing::refuse};
};

/// Makes a model file of a published configuration: prints what it holds, its parameters beside those of the
/// template, what is left out, which fields are unknown.
/// \throws InputError for a family that no template stands for
ExitCode import_config(const ConfigImport& options);

}  // namespace dse::app
