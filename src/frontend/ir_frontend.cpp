#include "dse/frontend/ir_frontend.hpp"

#include <array>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/frontend/lowering/assumptions.hpp"
#include "dse/frontend/lowering/prepare.hpp"
#include "dse/frontend/program_files.hpp"
#include "dse/ir/program/cost/foreign_costs_yaml.hpp"
#include "dse/ir/program/program_error.hpp"
#include "dse/ir/readers/read_program.hpp"
#include "frontend/lowering/main_precision.hpp"

namespace dse::frontend {

using graph::CompilerPasses;
using graph::WorkloadSpec;

namespace {

/// The values that determine a graph.
using Key = std::tuple<std::string, std::string, std::array<double, 11>>;

double launches_of(const WorkloadSpec& workload) {
    return workload.stack.cuda_graphs ? 0.0 : workload.stack.launch_factor;
}

Key key_of(const WorkloadSpec& workload, graph::Queues queues) {
    const CompilerPasses& passes = workload.passes;
    const auto number = [](auto value) { return static_cast<double>(value); };
    return {
        workload.ir,
        workload.foreign_costs,
        {number(passes.fusion), number(passes.collective_order), number(passes.collectives_ahead),
         passes.bucket_size.value(), number(passes.create_reduce_scatter), number(passes.overlap_collectives),
         number(passes.collective_pipelining), number(passes.recomputation), launches_of(workload),
         number(queues), number(passes.fp32_products)}};
}

LoweringOptions options_of(const WorkloadSpec& workload, graph::Queues queues) {
    return {launches_of(workload), queues, workload.passes.fp32_products};
}

struct ProgramOfFile {
    std::string file;
    ir::Program program;  ///< partitioned
};

ProgramOfFile read_partitioned(const std::string& file) {
    return {file,
            ir::naming_file(file, [&] { return for_one_device(ir::read_program(ir::Source::file(file))); })};
}

}  // namespace

struct IrFrontend::Impl {
    config::Library library;
    std::string beside;
    std::map<std::string, ProgramOfFile, std::less<>> programs{};  ///< by the workload's name of the file
    std::map<std::string, ir::ForeignCosts, std::less<>> costs{};
    std::map<Key, Lowered> lowered{};
    std::uint64_t revision{0};
};

IrFrontend::IrFrontend(config::Library library, std::string beside)
    : impl_{new Impl{std::move(library), std::move(beside)}} {}

IrFrontend::~IrFrontend() = default;

std::string IrFrontend::find(const std::string& file) const {
    return program_file(impl_->library, file, impl_->beside);
}

const graph::Graph& IrFrontend::build(const WorkloadSpec& workload, const graph::ResolvedLayout& layout) {
    require_valid(workload.passes);
    auto found = impl_->lowered.find(key_of(workload, layout.queues));
    if (found == impl_->lowered.end()) {
        auto program = impl_->programs.find(workload.ir);
        if (program == impl_->programs.end())
            program = impl_->programs.emplace(workload.ir, read_partitioned(find(workload.ir))).first;
        auto costs = impl_->costs.find(workload.foreign_costs);
        if (costs == impl_->costs.end())
            costs =
                impl_->costs
                    .emplace(workload.foreign_costs, workload.foreign_costs.empty()
                                                         ? ir::ForeignCosts{}
                                                         : ir::foreign_costs_of(find(workload.foreign_costs)))
                    .first;
        Lowered lowered = ir::naming_file(program->second.file, [&] {
            return lower(with_passes(program->second.program, workload.passes),
                         options_of(workload, layout.queues), costs->second);
        });
        lowered.graph.revision = ++impl_->revision;
        found = impl_->lowered.emplace(key_of(workload, layout.queues), std::move(lowered)).first;
    }
    const graph::Graph& graph = found->second.graph;
    if (layout.mesh.ranks() != graph.mesh.ranks())
        throw ModelError(fmt::format("the program is one for {} devices, not for {}", graph.mesh.ranks(),
                                     layout.mesh.ranks()));
    return graph;
}

void IrFrontend::forget() {
    impl_->lowered.clear();
}

double IrFrontend::parameter_count(const WorkloadSpec& workload) {
    const ir::Program program = ir::read_program(ir::Source::file(find(workload.ir)));
    double sum = 0.0;
    for (const ir::ValueId argument : program[program.entry].arguments) {
        const ir::Type& type = program.types[program.type_of(argument)];
        if (ir::number_kind(type.element) == ir::NumberKind::floating)
            sum += program.types.elements(program.type_of(argument));
    }
    return program.partitioned ? sum * static_cast<double>(program.devices()) : sum;
}

double IrFrontend::active_parameter_count(const WorkloadSpec& workload) {
    return parameter_count(workload);
}

std::optional<IrFrontend::Checked> IrFrontend::check(const WorkloadSpec& workload,
                                                     const std::vector<std::string>& costs,
                                                     const Place& place, config::Diagnostics& diagnostics) {
    const std::string& file = workload.ir;
    const auto refuse = [&](std::string reason) {
        diagnostics.error(place.where, place.path, std::move(reason));
    };
    try {
        const std::string found = find(file);
        const ir::Program program = ir::read_program(ir::Source::file(found));
        const ir::Program local = for_one_device(program);
        for (const std::string& table : costs) ir::require_costs(local, readable_costs(table));
        LoweringOptions options;
        options.fp32_products = workload.passes.fp32_products;
        const Lowered lowered =
            lower(with_passes(local, {}), options, readable_costs(workload.foreign_costs));
        for (const Assumption& assumed : assumptions(program, lowered))
            diagnostics.warning(place.where, place.path,
                                fmt::format("{}: {}", assumed.place(found), assumed.reason));
        return Checked{lowered.graph.mesh.ranks(), main_precision(lowered.graph)};
    } catch (const InputError& error) {
        refuse(error.what());
    } catch (const ir::ProgramError& error) {
        refuse(error.in(find(file)));
    } catch (const ModelError& error) {
        refuse(fmt::format("'{}': {}", file, error.what()));
    }
    return std::nullopt;
}

ir::ForeignCosts IrFrontend::readable_costs(const std::string& file) const {
    if (file.empty()) return {};
    try {
        return ir::foreign_costs_of(find(file));
    } catch (const InputError&) {
        return {};  // reported by check_costs()
    }
}

void IrFrontend::check_costs(const std::string& file, const Place& place, config::Diagnostics& diagnostics) {
    try {
        ir::foreign_costs_of(find(file));
    } catch (const InputError& error) {
        diagnostics.error(place.where, place.path, error.what());
    }
}

}  // namespace dse::frontend
