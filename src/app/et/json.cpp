#include <memory>

#include <CLI/CLI.hpp>

#include "app/et/et.hpp"
#include "app/et/printed_trace.hpp"
#include "dse/trace/chakra/trace_json.hpp"

namespace dse::app::et {

Action declare_json(CLI::App& app) {
    const auto trace = std::make_shared<PrintedTrace>();
    add_printed_trace(app, *trace);
    return [trace] {
        print(*trace, [&](std::ostream& stream) { trace::chakra::write_json(trace->file, stream); });
        return ExitCode::ok;
    };
}

}  // namespace dse::app::et
