#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "dse/frontend/template/pass_plan.hpp"
#include "gradient_flow.hpp"
#include "narrow_products.hpp"

namespace dse::frontend {

/// Builds one pass: keeps track of existing versions and adds conversions to missing ones.
class PassBuilder {
  public:
    PassBuilder(const Block& block, const Sharding& sharding, const graph::SoftwareStack& stack,
                Extents& extents, std::int64_t ring)
        : block_{block},
          sharding_{sharding},
          stack_{stack},
          extents_{extents},
          ring_{ring},
          choices_{find_choices()} {}

    PassPlan forward(const std::set<TensorId>& kept);
    PassPlan forward_alone();
    PassPlan backward(const std::set<TensorId>& kept);

  private:
    /// Kernels of the forward pass run again in the backward pass if their results were dropped.
    enum class Run : std::uint8_t { first, again };

    [[nodiscard]] const Layout& home(TensorId tensor) const { return sharding_.layouts[tensor.index()]; }
    [[nodiscard]] bool sorts(TensorId tensor) const;
    void sort(VersionId rows, const std::string& name);
    [[nodiscard]] bool sends_cast(TensorId tensor) const;
    [[nodiscard]] bool gathers_casts(const Operation& operation) const;
    [[nodiscard]] Layout stored(TensorId tensor) const;
    [[nodiscard]] static bool is_gathered_over_tp(const Layout& have, const Layout& want);
    [[nodiscard]] Layout reduced(TensorId tensor) const;
    /// Whether a tensor is not a result of this pass.
    [[nodiscard]] bool is_given(TensorId tensor) const {
        const TensorRole role = block_.tensor(tensor).role;
        return role == TensorRole::parameter || role == TensorRole::input || role == TensorRole::cache;
    }
    [[nodiscard]] std::optional<DimId> experts_of(TensorId tensor) const;
    [[nodiscard]] bool of_experts(const Operation& operation) const;
    [[nodiscard]] bool is_between_experts(const Operation& operation) const;
    [[nodiscard]] bool is_behind_experts(const Operation& operation) const;
    [[nodiscard]] bool is_of_rows(TensorId tensor) const { return of_rows_[tensor.index()]; }
    [[nodiscard]] bool is_parameter(TensorId tensor) const {
        return block_.tensor(tensor).role == TensorRole::parameter;
    }

    /// Whether a tensor is a parameter that ZeRO may have to gather first.
    [[nodiscard]] bool is_gathered(TensorId tensor) const {
        return is_parameter(tensor) && !block_.tensor(tensor).sparse;
    }

    VersionId define(Version version) {
        plan_.versions.push_back(std::move(version));
        return VersionId(plan_.versions.size() - 1);
    }

    /// A version of the same tensor or gradient, cast or not, in the same layout.
    [[nodiscard]] std::optional<VersionId> find(const Version& like) const {
        for (std::size_t i = 0; i < plan_.versions.size(); ++i) {
            const Version& version = plan_.versions[i];
            const bool dead = std::find(retired_.begin(), retired_.end(), VersionId(i)) != retired_.end();
            if (!dead && version.tensor == like.tensor && version.gradient == like.gradient &&
                version.cast == like.cast && version.layout == like.layout)
                return VersionId(i);
        }
        return std::nullopt;
    }

    [[nodiscard]] Version as_produced(TensorId tensor) const {
        return {.tensor = tensor, .layout = home(tensor)};
    }

    /// \param casts  whether gathers over tp carry casts
    VersionId convert(VersionId from, const Layout& wanted, bool casts = false);
    VersionId slice(VersionId whole, const Layout& after, const std::string& name);
    VersionId communicate(VersionId from, const Conversion& conversion, const std::string& name, bool casts);
    void copy_for_collective(VersionId whole, const Layout& apart, const std::string& name);
    VersionId want(TensorId tensor, const Layout& wanted, bool casts = false);
    void cast(const Operation& operation, const LetterAxes& letters, VersionId operand);
    /// Whether the backward pass runs this kernel of an operation.
    [[nodiscard]] bool runs(const Operation& operation, const Piece& piece) const {
        return flow_.runs_piece(static_cast<std::size_t>(&operation - block_.operations.data()), piece);
    }
    [[nodiscard]] bool stores_narrow(const Operation& operation) const;
    [[nodiscard]] bool has_weight_gradient(const Operation& operation) const;
    void dequantize(const LetterAxes& letters, const Operation& operation, const Piece& piece, Step& step);
    /// Whether the backward pass reads the cast of this operand of the operation.
    [[nodiscard]] bool keeps_cast(const Operation& operation, TensorId operand) const;
    [[nodiscard]] std::set<TensorId> kept_as_cast(const std::set<TensorId>& kept) const;
    [[nodiscard]] bool is_read_uncast(TensorId tensor) const;
    VersionId source(TensorId tensor);
    void recompute_all();
    void run_hooks();
    void run_forward(std::size_t operation, Run run);
    void run_view(const Operation& operation, const LetterAxes& letters);
    void run_in_place(const Operation& operation, const LetterAxes& letters,
                      const std::vector<VersionId>& inputs, Run run);
    void run_backward(std::size_t operation);
    void run_piece(const Operation& operation, const LetterAxes& letters, const Piece& piece);
    void return_view(const Operation& operation, const LetterAxes& letters);
    [[nodiscard]] VersionId input_of(const Operation& operation, const LetterAxes& letters, const Use& use);
    [[nodiscard]] bool is_graphed(const Operation& operation) const;
    [[nodiscard]] double launches_of(const Operation& operation) const;
    [[nodiscard]] bool adds_apart(TensorId parameter) const;
    void accumulate_apart(ParameterGradient& gradient, const std::string& letters, const LetterAxes& axes);
    ComputeFormula kernel_of(const Operation& operation, const LetterAxes& letters, const Piece& piece,
                             Run run);
    void emit(const Operation& operation, const LetterAxes& letters, const Piece& piece,
              const std::string& name, const std::vector<VersionId>& inputs,
              const std::vector<VersionId>& outputs, Run run);
    [[nodiscard]] double rate_of(const Operation& operation, const Piece& piece) const;
    [[nodiscard]] bool widens(TensorId tensor) const;
    Amount per_element(const Operation& operation, const LetterAxes& letters, const Piece& piece,
                       double bytes);
    void add_traffic(const Operation& operation, const LetterAxes& letters, const Piece& piece,
                     ComputeFormula& work);

    std::optional<ExtentId> experts_apart(const Operation& operation, const LetterAxes& letters);
    void run_by_expert(std::optional<ExtentId> experts, ComputeFormula& work);
    void launch_by_expert(ExtentId experts, double kernels);
    std::optional<ExtentId> find_choices();

    /// A kernel over queries that are split over cp, with the work of the rank that has most of it.
    [[nodiscard]] Piece as_the_last_rank(const Operation& operation, const LetterAxes& letters,
                                         Piece piece) const;

    // Operations with circulating operands (pass_ring.cpp).
    [[nodiscard]] static bool is_ring(const Operation& operation, const LetterAxes& letters) {
        return operation.circulating != '\0' && !letters.of(operation.circulating).empty();
    }
    /// \param share  share of the version that is sent
    VersionId shift(VersionId from, graph::AxisSet axes, double share);
    void ring_forward(const Operation& operation, const LetterAxes& letters, const std::string& name,
                      std::vector<VersionId> inputs, const std::vector<VersionId>& outputs, Run run);
    void ring_backward(const Operation& operation, const LetterAxes& letters, const Piece& piece);
    void accumulate(VersionId into, VersionId arrived);

    void prepare_gradients();
    [[nodiscard]] std::optional<VersionId> gradient_of(TensorId tensor);
    void contribute(TensorId tensor, VersionId version);
    void finish_gradient(TensorId tensor);
    void add_alike(TensorId tensor, std::vector<VersionId>& parts);
    VersionId joined(VersionId parts);
    VersionId add(TensorId tensor, VersionId first, VersionId second);

    void copy_kept_rows(const std::string& name);
    void collect_saved(const std::set<TensorId>& kept);
    [[nodiscard]] Amount amount(const Version& version) { return amount_of(block_, version, extents_); }
    [[nodiscard]] Amount amount(const Use& use, const Layout& layout);
    ProductId product(const std::vector<Factor>& factors, const LetterAxes& letters) {
        ProductId result = Extents::one;
        for (const Factor& factor : factors) {
            const graph::AxisSet split = factor.letter == '\0' ? graph::AxisSet{} : letters.of(factor.letter);
            result = extents_.times(result, Extent{factor.dim, split});
        }
        return result;
    }

    const Block& block_;
    const Sharding& sharding_;
    const graph::SoftwareStack& stack_;
    GradientFlow flow_{gradient_flow(block_)};
    std::vector<bool> of_rows_{rows_of_experts(block_)};
    Extents& extents_;
    std::int64_t ring_;  ///< number of context-parallel ranks
    /// Launches of a kernel, in units of those of the forward pass.
    double launches_{stack_.launch_factor};
    std::optional<ExtentId> choices_;
    bool alone_{false};  ///< no backward pass follows (inference)
    PassPlan plan_;
    std::vector<VersionId> retired_;
    std::set<std::size_t> cast_;     ///< versions that are cast for products (inference only)
    std::vector<VersionId> copies_;  ///< gathered copies of forward tensors
    std::vector<int> pending_;       ///< number of missing contributions, by tensor
    std::vector<std::vector<VersionId>> contributions_;  ///< by tensor
};

}  // namespace dse::frontend
