#include "app/et/printed_trace.hpp"

#include <iostream>

#include <CLI/CLI.hpp>

#include "dse/base/output_file.hpp"

namespace dse::app::et {

void add_printed_trace(CLI::App& app, PrintedTrace& printed) {
    app.add_option("trace", printed.file, "a trace")->required()->type_name("FILE");
    app.add_option("-o,--output", printed.output, "file to write (default: standard output)")
        ->type_name("FILE");
    add_force(app, printed.existing);
}

void print(const PrintedTrace& printed, const std::function<void(std::ostream&)>& write) {
    if (printed.output.empty()) {
        write(std::cout);
        return;
    }
    require_another(printed.output, printed.file);
    OutputFile file{printed.output, printed.existing};
    write(file.stream());
    file.close();
}

}  // namespace dse::app::et
