#include "app/unsealed.hpp"

#include <iostream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace dse::app {

void add_unsealed(CLI::App& app, results::Trust& trust) {
    app.add_flag_callback(
        "--unsealed", [&trust] { trust = results::Trust::unsealed; },
        "also read files without a valid seal (damaged or modified ones); their output is marked");
}

void warn_if_unsealed(const results::Table& table, const std::string& file) {
    if (!table.unsealed) return;
    std::cerr << fmt::format("dse: UNSEALED: the rows of {} may be damaged or modified\n", file);
}

}  // namespace dse::app
