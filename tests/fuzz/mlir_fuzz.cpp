// Any bytes as MLIR's text: no crash, no hang, nothing thrown but what a user is told; and whatever is read
// is a program that everything behind the readers can rely on: it is costed, partitioned and lowered.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dse/base/error.hpp"
#include "dse/config/source_text.hpp"
#include "dse/ir/program/cost/program_cost.hpp"
#include "dse/ir/readers/mlir/read_mlir.hpp"
#include "fuzz/compiled_program.hpp"
#include "fuzz/invariant.hpp"

namespace {

using namespace dse;

void check(const ir::Program& program) {
    ir::validate(program);
    for (const ir::Value& value : program.values)
        DSE_INVARIANT(value.sharding.index() < program.shardings.size());
    for (const auto& leaves : program.shardings)
        for (const ir::Sharding& sharding : leaves)
            DSE_INVARIANT(sharding.kind != ir::Sharding::Kind::tiled || sharding.dimensions.empty() ||
                          sharding.mesh.index() < program.meshes.size());
    try {
        DSE_INVARIANT(ir::program_cost(program).once.flops >= 0);
        fuzz::compile(program);
    } catch (const InputError&) {
        // Functions that call themselves.
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    try {
        const auto source = ir::Source::text(std::string{text}, "fuzz.mlir");
        const std::vector<ir::Program> programs = ir::read_mlir_modules(source);
        DSE_INVARIANT(!programs.empty());
        for (const ir::Program& program : programs) check(program);
    } catch (const InputError& error) {
        const std::string_view reason = error.what();
        DSE_INVARIANT(reason.substr(0, 10) == "fuzz.mlir:");
        DSE_INVARIANT(config::printable(reason) == reason);
    }
    return 0;
}
