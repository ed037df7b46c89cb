// Any bytes as HLO: no crash, no hang, nothing thrown but what a user is told; and whatever is read is a
// sound program, whose costs are numbers, and that is partitioned and lowered.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "dse/base/error.hpp"
#include "dse/ir/program/cost/program_cost.hpp"
#include "dse/ir/readers/hlo/read_hlo.hpp"
#include "fuzz/compiled_program.hpp"
#include "fuzz/invariant.hpp"

namespace {

using namespace dse;
using namespace dse::ir;

void look_at(const Program& program) {
    validate(program);
    DSE_INVARIANT(program.devices() >= 1);
    for (const Value& value : program.values)
        DSE_INVARIANT(value.sharding.index() < program.shardings.size());
    for (const auto& leaves : program.shardings)
        for (const Sharding& leaf : leaves)
            for (const Sharding::Dimension& dimension : leaf.dimensions)
                for (const AxisRef& axis : dimension.axes)
                    DSE_INVARIANT(axis.axis < program.meshes.at(leaf.mesh.index()).axes.size());
    const ProgramCost cost = program_cost(program);
    DSE_INVARIANT(!std::isnan(cost.once.flops) && !std::isnan(cost.once.bytes));
    DSE_INVARIANT(cost.once.flops >= 0 && cost.once.bytes >= 0);
    DSE_INVARIANT(cost.once.convolution <= cost.once.convolution_full);
    fuzz::compile(program);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Source source = Source::text(std::string(reinterpret_cast<const char*>(data), size), "x");
    try {
        for (const Program& program : read_hlo_modules(source)) look_at(program);
    } catch (const InputError&) {
    }
    return 0;
}
