#pragma once

#include <span>
#include <vector>

#include "dse/frontend/model_file.hpp"
#include "dse/frontend/template/block.hpp"
#include "dse/frontend/template/dimensions.hpp"
#include "model_uses.hpp"

namespace dse::frontend {

/// A model with its template: the blocks that follow one another, for any choice of options.
class ModelBlocks {
  public:
    /// What does not fit goes to `diagnostics`.
    ModelBlocks(ModelFile file, TemplateSource source, config::Diagnostics& diagnostics);
    ModelBlocks(const ModelBlocks&) = delete;
    ModelBlocks& operator=(const ModelBlocks&) = delete;

    [[nodiscard]] const std::string& name() const { return file_.name; }
    [[nodiscard]] const Dimensions& dimensions() const { return dimensions_; }
    /// How often each block stands, in order.
    [[nodiscard]] const std::vector<BlockRow>& rows() const { return rows_; }
    /// Values of the symbols at which shapes are compared; those of the model are its own. Shape (slots,)
    [[nodiscard]] const std::vector<double>& sample() const { return sample_; }

    /// Builds the blocks for these options.
    std::vector<Block> make(const TemplateOptions& options, config::Diagnostics& diagnostics);

    /// Whether the template says itself what differs between training and inference.
    [[nodiscard]] bool asks_mode() const;
    /// Whether a shape of these blocks has the tokens of a sequence in it.
    [[nodiscard]] bool use_sequence(const std::vector<Block>& blocks) const;
    /// Whether a sample is a sequence, so that a workload says of how many tokens.
    [[nodiscard]] bool works_on_sequences();
    /// \param needed  what use_sequence() said
    /// \throws ModelError where a workload states a sequence that nothing uses, or none where one is needed
    void require_sequence(const graph::WorkloadSpec& workload, bool needed) const;
    /// All messages between stages are of one size. \throws ModelError where blocks change it
    void require_one_boundary(const std::vector<Block>& blocks) const;
    /// Slots of the dimensions that are a number of the model, where replacing it lays out a model with the
    /// copies: see Operation::replicable.
    [[nodiscard]] std::vector<std::size_t> replicable_symbols(const std::vector<Block>& blocks) const;

    enum class Counted { all, active };
    /// Parameters of the model; active: those that a token uses.
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
    std::vector<ModelUse> uses_;  ///< they point into source_
    std::vector<BlockRow> rows_;  ///< of the uses
};

}  // namespace dse::frontend
