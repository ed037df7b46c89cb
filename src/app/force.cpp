#include "app/force.hpp"

#include <CLI/CLI.hpp>

namespace dse::app {

void add_force(CLI::App& app, Existing& existing) {
    app.add_flag_callback(
        "--force", [&existing] { existing = Existing::replace; },
        "overwrite existing files, and follow symbolic links");
}

}  // namespace dse::app
