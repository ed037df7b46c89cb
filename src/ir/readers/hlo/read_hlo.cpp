#include "dse/ir/readers/hlo/read_hlo.hpp"

#include "module_reader.hpp"
#include "scanner.hpp"

namespace dse::ir {

Program read_hlo(const Source& source) {
    hlo::Scanner scanner{source};
    Program program = hlo::ModuleReader{scanner}.read();
    if (!scanner.at_end()) scanner.refuse("a second module begins here; one is read at a time");
    return program;
}

std::vector<Program> read_hlo_modules(const Source& source) {
    hlo::Scanner scanner{source};
    std::vector<Program> programs;
    do programs.push_back(hlo::ModuleReader{scanner}.read());
    while (!scanner.at_end());
    return programs;
}

}  // namespace dse::ir
