#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "app/command.hpp"
#include "app/force.hpp"
#include "app/schema/schema_kinds.hpp"

namespace dse::app {
namespace {

struct SchemaOptions {
    std::string kind;
    std::string output;
    Existing existing{Existing::refuse};
};

ExitCode schema(const SchemaOptions& options) {
    const std::string text = schema_of(options.kind, config::Library::standard("")).dump(1) + "\n";
    if (options.output.empty()) {
        std::cout << text;
        return ExitCode::ok;
    }
    OutputFile file{options.output, options.existing};
    file.stream() << text;
    file.close();
    return ExitCode::ok;
}

}  // namespace

Action declare_schema(CLI::App& app) {
    const auto options = std::make_shared<SchemaOptions>();
    app.add_option("kind", options->kind, "kind of file")
        ->required()
        ->type_name("sweep|model|template|cluster|device|stack");
    app.add_option("-o,--output", options->output, "file to write; by default standard output")
        ->type_name("FILE.json");
    add_force(app, options->existing);
    return [options] { return schema(*options); };
}

}  // namespace dse::app
