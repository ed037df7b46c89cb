#include "app/force.hpp"

#include <CLI/CLI.hpp>

namespace dse::app {

void add_force(CLI::App& app, Existing& existing) {
    app.add_flag_callback(
        "--force", [&existing] { existing = Existing::replace; },
        "overwrite files that are there already, and follow symbolic links");
}

}  // namespace dse::app
