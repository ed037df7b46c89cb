#include <memory>

#include <CLI/CLI.hpp>

#include "app/et/et.hpp"
#include "app/et/printed_trace.hpp"
#include "dse/trace/chakra/trace_dot.hpp"

namespace dse::app::et {
namespace {

struct DotOptions {
    PrintedTrace printed;
    trace::chakra::DrawnNodes drawn;
};

}  // namespace

Action declare_dot(CLI::App& app) {
    const auto options = std::make_shared<DotOptions>();
    trace::chakra::DrawnNodes& drawn = options->drawn;
    add_printed_trace(app, options->printed);
    CLI::Option* around = app.add_option("--around", drawn.around,
                                         "draw only the node with this id, what it waits for and what waits "
                                         "for it")
                              ->type_name("ID");
    app.add_option("--steps", drawn.steps, "dependencies between that node and its farthest neighbours")
        ->capture_default_str()
        ->needs(around);
    app.add_option("--most", drawn.most, "refuse to draw more nodes than this")->capture_default_str();
    return [options] {
        print(options->printed, [&](std::ostream& stream) {
            trace::chakra::write_dot(options->printed.file, options->drawn, stream);
        });
        return ExitCode::ok;
    };
}

}  // namespace dse::app::et
