#pragma once

#include <string>
#include <vector>

#include "dse/base/output_file.hpp"

namespace CLI {
class App;
}

namespace dse::app::et {

/// Traces that a command writes again, changed.
struct Rewriting {
    std::string traces;
    std::string prefix;
    Existing existing{Existing::refuse};
};

/// Gives a command its traces, -o and --force.
void declare_rewriting(CLI::App& app, Rewriting& rewriting);

struct RewrittenFile {
    std::string from;
    std::string to;
};

/// One a rank. \throws InputError where one would be written over itself, or stands already and may not be
/// replaced
std::vector<RewrittenFile> rewritten_files(const Rewriting& rewriting);

}  // namespace dse::app::et
