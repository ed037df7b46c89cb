#pragma once

#include <span>
#include <vector>

#include "dse/frontend/model_file.hpp"
#include "dse/frontend/template/block.hpp"
#include "dse/frontend/template/dimensions.hpp"
#include "model_uses.hpp"

namespace dse::frontend {

/// A model with its template: the sequence of blocks for any choice of options.
class ModelBlocks {
  public:
    /// Errors are reported to `diagnostics`.
    ModelBlocks(ModelFile file, TemplateSource source, config::Diagnostics& diagnostics);
    ModelBlocks(const ModelBlocks&) = delete;
    ModelBlocks& operator=(const ModelBlocks&) = delete;

    [[nodiscard]] const std::string& name() const { return file_.name; }
    [[nodiscard]] const Dimensions& dimensions() const { return dimensions_; }
    /// Whether it has heads that draft tokens.
    [[nodiscard]] bool drafts() const { return file_.draft_heads > 0; }
    /// Rows of the table of positions that a block of it has; 0 if none has one.
    [[nodiscard]] std::int64_t positions() const;
    /// ModelFile::context
    [[nodiscard]] std::int64_t context() const { return file_.context; }
    /// The blocks in order with their counts.
    [[nodiscard]] const std::vector<BlockRow>& rows() const { return rows_; }
    /// Values of the symbols at which shapes are compared, with the model's own sizes. Shape (slots,)
    [[nodiscard]] const std::vector<double>& sample() const { return sample_; }

    /// Builds the blocks for these options.
    std::vector<Block> make(const TemplateOptions& options, config::Diagnostics& diagnostics);

    /// Whether the template has conditions on the mode (training or inference).
    [[nodiscard]] bool asks_mode() const;
    /// Whether a shape of these blocks depends on the number of tokens of a sequence.
    [[nodiscard]] bool use_sequence(const std::vector<Block>& blocks) const;
    /// Whether a sample is a sequence, so that the workload must state its number of tokens.
    [[nodiscard]] bool works_on_sequences();
    /// Whether a layer has an expert that every token goes through beside those that it chooses.
    [[nodiscard]] bool has_shared_expert();
    /// Whether a layer sends its tokens to experts, or asks tables of other devices.
    [[nodiscard]] bool has_experts();
    /// \param needed  result of use_sequence()
    /// \throws ModelError if a workload states a sequence that is not used, or none although it is needed
    void require_sequence(const graph::WorkloadSpec& workload, bool needed) const;
    /// Requires all messages between stages to have the same size. \throws ModelError if blocks change it
    void require_one_boundary(const std::vector<Block>& blocks) const;
    /// Slots of the model's sizes that can be increased to account for replication: see
    /// Operation::replicable.
    [[nodiscard]] std::vector<std::size_t> replicable_symbols(const std::vector<Block>& blocks) const;

    enum class Counted { all, active };
    /// Number of parameters of the model; active: only those that a token uses.
    double parameter_count(const graph::WorkloadSpec& workload, Counted counted);

  private:
    void add_symbols(config::Diagnostics& diagnostics);
    [[nodiscard]] std::size_t next_of(std::size_t use) const;
    [[nodiscard]] bool alike(const Tensor& a, const Tensor& b) const;
    void require_repeatable(const ModelUse& use, const Boundaries& boundaries,
                            config::Diagnostics& diagnostics) const;
    [[nodiscard]] double chosen_share(const Block& block, std::span<const double> symbols) const;

    ModelFile file_;
    TemplateSource source_;
    Dimensions dimensions_;
    std::vector<double> sample_;
    std::vector<ModelUse> uses_;  ///< contain pointers into source_
    std::vector<BlockRow> rows_;  ///< one per use
};

}  // namespace dse::frontend
