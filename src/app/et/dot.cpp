#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "app/et/et.hpp"
#include "app/force.hpp"
#include "dse/trace/chakra/trace_dot.hpp"

namespace dse::app::et {
namespace {

struct DotOptions {
    std::string file;
    std::string output;
    trace::chakra::DrawnNodes drawn;
    Existing existing{Existing::refuse};
};

ExitCode dot(const DotOptions& options) {
    if (options.output.empty()) {
        trace::chakra::write_dot(options.file, options.drawn, std::cout);
        return ExitCode::ok;
    }
    require_another(options.output, options.file);
    OutputFile file{options.output, options.existing};
    trace::chakra::write_dot(options.file, options.drawn, file.stream());
    file.close();
    return ExitCode::ok;
}

}  // namespace

Action declare_dot(CLI::App& app) {
    const auto options = std::make_shared<DotOptions>();
    app.add_option("trace", options->file, "a trace")->required()->type_name("FILE");
    app.add_option("-o,--output", options->output, "file to write (default: standard output)")
        ->type_name("FILE");
    CLI::Option* around =
        app.add_option("--around", options->drawn.around,
                       "draw only the node with this id, what it waits for and what waits for it")
            ->type_name("ID");
    app.add_option("--steps", options->drawn.steps,
                   "dependencies between that node and its farthest neighbours")
        ->capture_default_str()
        ->needs(around);
    app.add_option("--most", options->drawn.most, "refuse to draw more nodes than this")
        ->capture_default_str();
    add_force(app, options->existing);
    return [options] { return dot(*options); };
}

}  // namespace dse::app::et
