#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "app/et/et.hpp"
#include "app/force.hpp"
#include "dse/trace/chakra/trace_json.hpp"

namespace dse::app::et {
namespace {

struct JsonOptions {
    std::string file;
    std::string output;
    Existing existing{Existing::refuse};
};

ExitCode json(const JsonOptions& options) {
    if (options.output.empty()) {
        trace::chakra::write_json(options.file, std::cout);
        return ExitCode::ok;
    }
    require_another(options.output, options.file);
    OutputFile file{options.output, options.existing};
    trace::chakra::write_json(options.file, file.stream());
    file.close();
    return ExitCode::ok;
}

}  // namespace

Action declare_json(CLI::App& app) {
    const auto options = std::make_shared<JsonOptions>();
    app.add_option("trace", options->file, "a trace")->required()->type_name("FILE");
    app.add_option("-o,--output", options->output, "file to write (default: standard output)")
        ->type_name("FILE");
    add_force(app, options->existing);
    return [options] { return json(*options); };
}

}  // namespace dse::app::et
