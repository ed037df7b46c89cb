#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dse/base/factory_table.hpp"
#include "dse/config/diagnostics.hpp"
#include "dse/frontend/template/operation.hpp"
#include "dse/frontend/template/operator_line.hpp"
#include "dse/graph/serving.hpp"

namespace dse::frontend {

/// The interface that operator kinds use to turn a line into an operation: inspect operands, add results,
/// report errors.
class OperationBuilder {
  public:
    OperationBuilder(const OperatorLine& line, const config::Location& where,
                     const graph::SoftwareStack& stack, Dimensions& dimensions, std::vector<Tensor>& tensors,
                     std::span<const double> sample, config::Diagnostics& diagnostics,
                     graph::Mode mode = graph::Mode::training);

    [[nodiscard]] const OperatorLine& line() const { return *line_; }
    [[nodiscard]] const graph::SoftwareStack& stack() const { return *stack_; }
    [[nodiscard]] graph::Mode mode() const { return mode_; }
    [[nodiscard]] Operation& operation() { return operation_; }
    [[nodiscard]] const Tensor& tensor(std::size_t operand) const;
    [[nodiscard]] TensorId id(std::size_t operand) const { return operation_.operands[operand].tensor; }
    [[nodiscard]] std::size_t operand_count() const { return operation_.operands.size(); }

    /// Reports an error in the line; the operation is dropped.
    void fail(const std::string& message);
    [[nodiscard]] bool failed() const { return failed_; }

    /// Checks the number of operands and their ranks.
    /// \param ranks  required rank of each operand; 0: any
    bool expect_operands(std::initializer_list<std::size_t> ranks);

    /// Assigns the letters 'a', 'b', … by position; for operators on equal shapes.
    void letter_by_position(std::size_t operand);
    void letter(std::size_t operand, std::string letters);

    /// The dimension of a letter, from the first operand that has it.
    [[nodiscard]] Factor factor(char letter) const;
    /// The expression of one of the line's options; it is an error if the option is missing.
    DimId option(std::string_view key);
    /// The same with a default.
    DimId option(std::string_view key, const std::string& otherwise);
    [[nodiscard]] bool flag(std::string_view key);
    /// The line's quoted text; empty if it has none.
    [[nodiscard]] const std::string& text();
    DimId dimension(const std::string& text);
    [[nodiscard]] const std::string& text_of(DimId dim) const { return dimensions_->text(dim); }
    /// See Dimensions::is_batch.
    [[nodiscard]] bool is_batch(DimId dim) const { return dimensions_->is_batch(dim); }
    DimId quotient(DimId a, DimId b) { return dimension("(" + text_of(a) + ")/(" + text_of(b) + ")"); }
    /// a · b, and a · (b + c).
    DimId product(DimId a, DimId b) {
        return dimension("(" + dimensions_->text(a) + ")*(" + dimensions_->text(b) + ")");
    }
    DimId product_of_sum(DimId a, DimId b, DimId c) { return product(a, sum(b, c)); }
    DimId sum(DimId a, DimId b) { return dimension(dimensions_->text(a) + " + " + dimensions_->text(b)); }
    DimId sum(DimId a, int b) { return dimension(dimensions_->text(a) + " + " + std::to_string(b)); }
    /// See Dimensions::intern_mean.
    DimId mean(DimId dim) { return dimensions_->intern_mean(text_of(dim)); }
    /// See Dimensions::intern_rows.
    DimId rows(std::span<const DimId> tokens, const Dimensions::Rows& rows) {
        return dimensions_->intern_rows(tokens, rows);
    }
    /// See Dimensions::rows.
    [[nodiscard]] const std::optional<Dimensions::Rows>& rows_of(DimId dim) const {
        return dimensions_->rows(dim);
    }

    /// Adds the line's result with this index.
    TensorId add_result(std::size_t index, std::vector<DimId> shape, std::string letters,
                        Storage storage = Storage::activation);
    /// Replaces an operand by views of parts of its last dimension, each with its own width.
    /// \param letters  letters of the operand
    void split_operand(std::size_t operand, const std::string& letters,
                       const std::vector<std::pair<std::string, DimId>>& parts);
    /// Makes `axes` split `letter` of an operand before the operation.
    void move_operand(std::size_t operand, graph::AxisSet axes, char letter);
    /// Makes `axes` split `letter` of a result after the operation.
    /// \return the result that the operation itself produces
    TensorId move_result(std::size_t result, graph::AxisSet axes, char letter);

    /// Moves an operand, whose first dimension is samples, to the experts' folding of the devices before the
    /// operation. Its other dimensions must be whole; other operands are not affected.
    /// \param shape  shape after the move; some of its dimensions may be means
    void refold_operand(std::size_t operand, std::vector<DimId> shape);
    /// Moves a result, whose first dimension is samples, back to attention's folding.
    void refold_result(std::size_t result);

    /// Adds a tensor that only the backward pass reads.
    TensorId add_saved(const std::string& suffix, std::vector<DimId> shape, std::string letters,
                       Storage storage);
    /// Adds an intermediate result that autograd keeps for the backward pass where the operation runs
    /// operator by operator in training. Its traffic is part of the operation's eager_passes. Call after the
    /// pieces are set.
    void keep_intermediate(const std::string& suffix, std::vector<DimId> shape, std::string letters,
                           Storage storage = Storage::activation);

    // The cache of inference: [sequences, tokens, width] tensors that passes do not allocate.
    /// Appends the operands from `first` on to the cache before the operation.
    /// \param letters  letters of each of these operands and of the cache, whose last dimension is `width`
    /// \param share    share of their bytes that is appended (not the queries of a fused projection)
    void cache_before(std::size_t first, const std::string& letters, DimId width, double share = 1.0);
    /// Adds a result that the operation appends to the cache.
    TensorId add_appended(std::vector<DimId> shape, const std::string& letters);
    /// What the operation's kernel reads of the cache. \param seen  tokens of it: all that a step attends to
    TensorId read_cache(DimId batch, DimId width, const std::string& letters,
                        const std::string& seen = "context");
    /// Adds the state that the operation keeps of each served sequence between two tokens.
    /// \param shape    without the sequences
    /// \param letters  the sequences' first
    void keep_state(std::vector<DimId> shape, const std::string& letters, Storage storage);
    /// Expression of the tokens that a new one attends to: where the line says that only so many are
    /// `selected`, no more than these.
    [[nodiscard]] std::string seen_in_cache();

    /// Checks that two extents are equal for the sizes of the model.
    bool expect_equal(DimId have, DimId want, const std::string& what);
    [[nodiscard]] double extent(DimId dim) const;

    /// Checks that operand dimensions with the same letter have the same extent.
    bool check_letters();

    /// Reports parts of the line that the kind did not read. Call after the kind has processed the line.
    void finish();
    /// The operation with the operations that were added before and after it, in order.
    [[nodiscard]] std::vector<Operation> take();

  private:
    void fill_cache(Operation& append, TensorId appended, const std::string& letters);
    TensorId add_tensor(const std::string& name, TensorRole role, std::vector<DimId> shape, Storage storage);
    [[nodiscard]] Operation view_of(Operation::Operand operand) const;

    const OperatorLine* line_;
    const config::Location* where_;
    const graph::SoftwareStack* stack_;
    Dimensions* dimensions_;
    std::vector<Tensor>* tensors_;
    std::span<const double> sample_;
    config::Diagnostics* diagnostics_;
    graph::Mode mode_{graph::Mode::training};
    Operation operation_;
    std::vector<Operation> before_;
    std::vector<Operation> after_;
    std::size_t named_{0};            ///< number of results that are named in the line
    std::vector<std::string> asked_;  ///< options that the kind has asked for
    bool text_read_{false};
    bool failed_{false};
};

/// Translates a line of one kind: fills in the builder's operation, or fails.
using OperatorKind = std::function<void(OperationBuilder&)>;

/// All operators that templates can use, registered in registry.cpp.
const FactoryTable<OperatorKind>& operator_kinds();

}  // namespace dse::frontend
