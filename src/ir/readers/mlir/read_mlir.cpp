#include "dse/ir/readers/mlir/read_mlir.hpp"

#include <utility>

#include <fmt/format.h>

#include "ir/program/repeats.hpp"
#include "ir/readers/mlir/program_reader.hpp"

namespace dse::ir {

std::vector<Program> read_mlir_modules(const Source& source) {
    std::vector<Program> programs;
    mlir::Tokens tokens{source};
    while (!tokens.at_end()) {
        mlir::Aliases aliases;
        std::vector<mlir::ReadModule> modules;
        mlir::ProgramReader part{tokens, aliases, modules};
        part.body();
        if (tokens.peek() == '}') tokens.refuse("unmatched '}'");
        part.finish();
        mlir::LocationNames names{tokens, aliases};
        for (mlir::ReadModule& module : modules) {
            names.label(module.program, module.locations);
            mark_repeats(module.program);
            programs.push_back(std::move(module.program));
        }
        if (tokens.at_split()) tokens.skip_line();
    }
    if (programs.empty()) tokens.refuse("there is no function and no operation");
    return programs;
}

Program read_mlir(const Source& source) {
    std::vector<Program> programs = read_mlir_modules(source);
    if (programs.size() > 1)
        source.refuse(0, fmt::format("the file has {} modules; expected one", programs.size()));
    return std::move(programs.front());
}

}  // namespace dse::ir
