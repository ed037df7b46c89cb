#pragma once

#include <string>
#include <vector>

#include "dse/base/output_file.hpp"

namespace CLI {
class App;
}

namespace dse::app::et {

/// Traces of which a command writes modified copies.
struct Rewriting {
    std::string traces;
    std::string prefix;
    Existing existing{Existing::refuse};
};

/// Declares the arguments of such a command: its traces, -o and --force.
void declare_rewriting(CLI::App& app, Rewriting& rewriting);

struct RewrittenFile {
    std::string from;
    std::string to;
};

/// One file per rank.
/// \throws InputError if a file would overwrite its input, or exists and may not be replaced
std::vector<RewrittenFile> rewritten_files(const Rewriting& rewriting);

}  // namespace dse::app::et
