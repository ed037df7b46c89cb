#include "model_blocks.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/graph/workload_spec.hpp"
#include "narrow_products.hpp"
#include "shared_expert.hpp"

namespace dse::frontend {

using graph::AxisSet;
using graph::MeshAxis;
using graph::WorkloadSpec;

ModelBlocks::ModelBlocks(ModelFile file, TemplateSource source, config::Diagnostics& diagnostics)
    : file_{std::move(file)}, source_{std::move(source)} {
    add_symbols(diagnostics);
    uses_ = read_uses(file_, source_, dimensions_, sample_, diagnostics);
    for (const ModelUse& use : uses_) rows_.push_back(use.row);
}

void ModelBlocks::add_symbols(config::Diagnostics& diagnostics) {
    // Values at which shapes are compared: highly divisible, and different from all sizes of models.
    constexpr double sample_batch = 64 * 1009;
    constexpr double sample_sequence = 12288 * 1013;
    constexpr double sample_cached = 16384 * 1019;
    constexpr double sample_served = 128 * 1021;
    sample_ = {sample_batch, sample_sequence, sample_sequence, sample_cached, sample_served};
    dimensions_.add_serving_symbols();
    for (const ModelFile::Symbol& symbol : file_.symbols) {
        try {
            dimensions_.add_symbol(symbol.name);
            sample_.push_back(symbol.value);
        } catch (const InputError& error) {
            diagnostics.error(symbol.where, "symbols." + symbol.name, error.what());
        }
    }
    for (const std::string& needed : source_.symbols) {
        if (dimensions_.symbols().find(needed) != nullptr) continue;
        diagnostics.error(file_.template_where, "symbols",
                          fmt::format("template '{}' needs the size '{}'", file_.template_name, needed));
    }
}

bool ModelBlocks::asks_mode() const {
    return std::any_of(source_.blocks.begin(), source_.blocks.end(), [](const auto& block) {
        return std::any_of(block.lines.begin(), block.lines.end(),
                           [](const auto& line) { return line.condition.find("mode") != std::string::npos; });
    });
}

std::vector<Block> ModelBlocks::make(const TemplateOptions& options, config::Diagnostics& diagnostics) {
    std::vector<Tensor> entries;
    for (const ModelUse& use : uses_) {
        dimensions_.set_block_sizes(use.sizes);
        entries.push_back(make_boundary(source_, *use.source, options, dimensions_, diagnostics));
    }
    std::vector<Block> blocks;
    for (std::size_t i = 0; i < uses_.size(); ++i) {
        dimensions_.set_block_sizes(uses_[i].sizes);
        Boundaries boundaries{entries[i], entries[next_of(i)]};
        if (!rows_[i].has_input) boundaries.entry.reset();
        if (rows_[i].count > 1) require_repeatable(uses_[i], boundaries, diagnostics);
        blocks.push_back(
            make_block(*uses_[i].source, options, std::move(boundaries), dimensions_, sample_, diagnostics));
    }
    return blocks;
}

/// The next block whose count is not 0; for the last block, itself.
std::size_t ModelBlocks::next_of(std::size_t use) const {
    const std::size_t last = rows_.size() - 1;
    do {
        use = std::min(use + 1, last);
    } while (use < last && rows_[use].count == 0);
    return use;
}

/// Whether two boundaries have the same shape and layout.
bool ModelBlocks::alike(const Tensor& a, const Tensor& b) const {
    const auto equal = [&](DimId x, DimId y) {
        return dimensions_.evaluate(x, sample_) == dimensions_.evaluate(y, sample_);
    };
    return std::equal(a.shape.begin(), a.shape.end(), b.shape.begin(), b.shape.end(), equal) &&
           a.layout == b.layout;
}

/// Requires a repeated block to have equal input and output.
void ModelBlocks::require_repeatable(const ModelUse& use, const Boundaries& boundaries,
                                     config::Diagnostics& diagnostics) const {
    if (alike(*boundaries.entry, boundaries.exit)) return;
    diagnostics.error(use.where, "blocks",
                      fmt::format("'{}' is repeated {} times, but the block after it takes another shape",
                                  use.source->name, use.row.count));
}

bool ModelBlocks::use_sequence(const std::vector<Block>& blocks) const {
    const auto uses = [&](DimId dim) { return dimensions_.uses_sequence(dim); };
    return std::any_of(blocks.begin(), blocks.end(), [&](const Block& block) {
        return std::any_of(block.tensors.begin(), block.tensors.end(), [&](const Tensor& tensor) {
            return std::any_of(tensor.shape.begin(), tensor.shape.end(), uses);
        });
    });
}

std::int64_t ModelBlocks::positions() const {
    for (const ModelUse& use : uses_) {
        const auto size = std::ranges::find(use.sizes, "positions", &Dimensions::Size::name);
        if (size != use.sizes.end()) return static_cast<std::int64_t>(size->value);
    }
    return 0;
}

bool ModelBlocks::works_on_sequences() {
    config::Diagnostics diagnostics;
    const std::vector<Block> blocks = make({}, diagnostics);
    diagnostics.throw_if_any();
    return use_sequence(blocks);
}

bool ModelBlocks::has_shared_expert() {
    config::Diagnostics diagnostics;
    const std::vector<Block> blocks = make({}, diagnostics);
    diagnostics.throw_if_any();
    return have_shared_expert(blocks);
}

bool ModelBlocks::has_experts() {
    config::Diagnostics diagnostics;
    const std::vector<Block> blocks = make({}, diagnostics);
    diagnostics.throw_if_any();
    return std::ranges::any_of(blocks, [](const Block& block) {
        const std::vector<bool> of_rows = rows_of_experts(block);
        return std::ranges::find(of_rows, true) != of_rows.end();
    });
}

void ModelBlocks::require_sequence(const WorkloadSpec& workload, bool needed) const {
    const bool stated = workload.sequence > 0;
    if (stated == needed) return;
    throw ModelError(
        stated ? fmt::format("a sample of model '{}' is not a sequence: sequence {} says nothing", file_.name,
                             workload.sequence)
               : fmt::format("a sample of model '{}' is a sequence: of how many tokens?", file_.name));
}

void ModelBlocks::require_one_boundary(const std::vector<Block>& blocks) const {
    const Tensor* first = nullptr;
    for (const Block& block : blocks) {
        if (!block.input) continue;
        const Tensor& entry = block.tensor(*block.input);
        if (first != nullptr && !alike(*first, entry)) {
            throw ModelError(fmt::format(
                "what passes from block to block of model '{}' changes its shape: it has one stage",
                file_.name));
        }
        first = &entry;
    }
}

std::vector<std::size_t> ModelBlocks::replicable_symbols(const std::vector<Block>& blocks) const {
    std::vector<std::size_t> slots;
    for (const Block& block : blocks) {
        for (const Operation& operation : block.operations) {
            if (!operation.replicable) continue;
            const symbolic::Symbol* symbol =
                dimensions_.symbols().find(dimensions_.text(*operation.replicable));
            if (symbol != nullptr && !symbol->constant) slots.push_back(symbol->slot);
        }
    }
    return slots;
}

double ModelBlocks::parameter_count(const WorkloadSpec& workload, Counted counted) {
    config::Diagnostics diagnostics;
    TemplateOptions options{workload.layout.sequence_parallel, workload.stack};
    options.mode = graph::is_inference(workload.mode) ? graph::Mode::prefill : graph::Mode::training;
    const std::vector<Block> blocks = make(options, diagnostics);
    diagnostics.throw_if_any();
    std::vector<double> symbols = sample_;
    symbols[Dimensions::sequence_slot] = static_cast<double>(workload.sequence);
    double total = 0.0;
    for (const BlockRow& row : rows_) {
        const Block& block = blocks[row.block];
        for (const TensorId id : block.parameters()) {
            const Tensor& tensor = block.tensor(id);
            double elements = tensor.tied ? 0.0 : 1.0;
            for (const DimId dim : tensor.shape) elements *= dimensions_.evaluate(dim, symbols);
            const bool of_experts = replicas_of(tensor) == AxisSet{MeshAxis::expert_data};
            if (counted == Counted::active && of_experts) elements *= chosen_share(block, symbols);
            total += elements * static_cast<double>(row.count);
        }
    }
    return total;
}

/// Share of a layer's experts that each token chooses.
double ModelBlocks::chosen_share(const Block& block, std::span<const double> symbols) const {
    for (const Tensor& tensor : block.tensors) {
        for (const DimId dim : tensor.shape) {
            const auto& rows = dimensions_.rows(dim);
            if (!rows) continue;
            return dimensions_.evaluate(rows->chosen, symbols) / dimensions_.evaluate(rows->experts, symbols);
        }
    }
    return 1.0;
}

}  // namespace dse::frontend
