#pragma once

#include <string>

#include "dse/base/error.hpp"
#include "dse/base/output_file.hpp"

namespace dse::app {

struct ConfigImport {
    std::string file;
    std::string output;  ///< the model file if it ends in .yaml, otherwise its folder; empty: none is written
    bool json{false};
    Existing existing{Existing::refuse};
};

/// Converts a published configuration to a model file and prints its content, its number of parameters and
/// that of the template, what the template lacks, and unknown fields.
/// \throws InputError for a family without a template
ExitCode import_config(const ConfigImport& options);

}  // namespace dse::app
