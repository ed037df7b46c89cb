#include "ir/program/repeats.hpp"

#include <string_view>
#include <vector>

namespace dse::ir {

void mark_repeats(Program& program) {
    constexpr std::string_view again = "rematted_computation/";
    std::vector<char> says_so(program.names.size(), 0);
    bool any = false;
    for (std::size_t i = 0; i < says_so.size(); ++i) {
        const bool found = program.text(NameId{i}).find(again) != std::string_view::npos;
        says_so[i] = found ? 1 : 0;
        any = any || found;
    }
    if (!any) return;
    for (Computation& computation : program.computations) {
        for (Operation& operation : computation.operations)
            operation.repeats = operation.repeats || says_so[operation.label.index()] != 0;
    }
}

}  // namespace dse::ir
