#include <fstream>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/et/et.hpp"
#include "dse/trace/chakra/trace_json.hpp"

namespace dse::app::et {
namespace {

struct JsonOptions {
    std::string file;
    std::string output;
};

ExitCode json(const JsonOptions& options) {
    if (options.output.empty()) {
        trace::chakra::write_json(options.file, std::cout);
        return ExitCode::ok;
    }
    std::ofstream stream(options.output, std::ios::binary);
    if (!stream) throw InputError(fmt::format("cannot write '{}'", options.output));
    trace::chakra::write_json(options.file, stream);
    if (!stream.flush())
        throw InputError(fmt::format("cannot write '{}': is the disk full?", options.output));
    return ExitCode::ok;
}

}  // namespace

Action declare_json(CLI::App& app) {
    const auto options = std::make_shared<JsonOptions>();
    app.add_option("trace", options->file, "a trace")->required()->type_name("FILE");
    app.add_option("-o,--output", options->output, "where to write (default: standard output)")
        ->type_name("FILE");
    return [options] { return json(*options); };
}

}  // namespace dse::app::et
