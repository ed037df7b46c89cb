#include "dse/frontend/template/block.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "adapters.hpp"
#include "conditions.hpp"
#include "dse/base/nearest.hpp"
#include "dse/frontend/template/operator_kind.hpp"
#include "dse/frontend/template/sharding.hpp"
#include "dse/symbolic/expression_error.hpp"
#include "gradient_flow.hpp"
#include "tiled_loss.hpp"
#include "weight_storage.hpp"
#include "words.hpp"

namespace dse::frontend {
namespace {

using config::Diagnostics;
using graph::AxisSet;

/// Each dimension of an operator needs a letter.
constexpr std::size_t most_dimensions = 26;

/// A tensor as declared in a template.
Tensor declare(const TemplateSource::TensorText& text, TensorRole role, const Conditions& conditions,
               Dimensions& dimensions, Diagnostics& diagnostics) {
    Tensor tensor{text.name, role, text.storage, {}, {}, text.tied, text.where};
    if (role == TensorRole::parameter) tensor.storage = Storage::parameter;
    tensor.sparse = text.sparse;
    for (const std::string& dimension : text.shape) {
        try {
            // Rows of tables need not be divisible: devices have approximately equal shares.
            const bool rows = text.sparse && tensor.shape.size() + 2 == text.shape.size();
            tensor.shape.push_back(rows ? dimensions.intern_mean(dimension) : dimensions.intern(dimension));
        } catch (const symbolic::ExpressionError& error) {
            diagnostics.error(text.where, text.name, error.what());
            tensor.shape.push_back(dimensions.intern("1"));
        }
    }
    if (tensor.shape.size() > most_dimensions) {
        diagnostics.error(
            text.where, text.name,
            fmt::format("{} dimensions; a tensor has at most {}", tensor.shape.size(), most_dimensions));
        tensor.shape.resize(most_dimensions);
    }
    tensor.layout.split.resize(tensor.shape.size());
    for (const TemplateSource::Split& split : text.splits) {
        if (split.dimension >= tensor.shape.size() || !conditions.holds(split.condition, split.where))
            continue;
        if (!(tensor.layout.split_axes() & split.axes).empty()) {
            diagnostics.error(split.where, text.name,
                              "a mesh axis splits one dimension of a tensor, not two");
            continue;
        }
        AxisSet& axes = tensor.layout.split[split.dimension];
        axes = axes | split.axes;
    }
    return tensor;
}

/// Drops everything that only the backward pass needs.
void keep_forward(Block& block, Operation& operation) {
    const auto is_saved = [&](TensorId id) { return block.tensor(id).role == TensorRole::saved; };
    std::erase_if(operation.results, [&](const Operation::Operand& part) { return is_saved(part.tensor); });
    for (std::vector<Use>* uses : {&operation.forward.reads, &operation.forward.writes})
        std::erase_if(*uses, [&](const Use& use) { return is_saved(use.tensor); });
    operation.backward.clear();
    operation.passes_gradient.clear();
}

class BlockMaker {
  public:
    BlockMaker(const TemplateSource::Block& text, const TemplateOptions& options, Dimensions& dimensions,
               std::span<const double> sample, Diagnostics& diagnostics)
        : text_{text},
          options_{options},
          dimensions_{dimensions},
          sample_{sample},
          diagnostics_{diagnostics},
          conditions_{options, diagnostics} {}

    Block make(Boundaries boundaries) {
        block_.name = text_.name;
        block_.recomputable = text_.recomputable;
        block_.exit = boundaries.exit.layout;
        if (boundaries.entry) {
            block_.entry = boundaries.entry->layout;
            block_.tensors.push_back(std::move(*boundaries.entry));
            block_.input = TensorId(0);
        }
        for (const auto& tensor : text_.inputs) declare_if(tensor, TensorRole::input);
        for (const auto& tensor : text_.parameters) declare_if(tensor, TensorRole::parameter);
        const bool is_head = block_.input && text_.output.empty() && block_.tensors.front().shape.size() == 3;
        if (is_head && options_.mode == graph::Mode::prefill && !options_.stack.all_logits)
            take_last_position();
        for (const auto& line : text_.lines) {
            if (conditions_.holds(line.condition, line.where)) add_line(line);
        }
        mark_weights(block_, options_, !text_.output.empty());
        find_output(boundaries.exit.shape);
        add_dropped();
        if (diagnostics_.ok() && !is_inference(options_.mode)) {
            check_flow(block_, text_.where, diagnostics_);
            tile_losses(block_, options_.stack.loss_tiles);
        }
        return std::move(block_);
    }

  private:
    void declare_if(const TemplateSource::TensorText& text, TensorRole role) {
        if (!conditions_.holds(text.condition, text.where)) return;
        for (const Tensor& other : block_.tensors) {
            if (other.name == text.name) {
                diagnostics_.error(text.where, text.name,
                                   "this name is already in use ('x' is the input of the block)");
            }
        }
        if (text.sparse && role != TensorRole::parameter) {
            diagnostics_.error(text.where, text.name, "only a parameter is sparse: its rows are updated");
        }
        block_.tensors.push_back(declare(text, role, conditions_, dimensions_, diagnostics_));
        if (role != TensorRole::parameter) return;
        check_parameter(block_.tensors.back());
        if (!trains_adapters(options_)) return;
        block_.tensors.back().has_original = is_trained_whole(text.name);
        block_.tensors.back().frozen = !block_.tensors.back().has_original;
    }

    [[nodiscard]] bool is_trained_whole(const std::string& parameter) const {
        const std::vector<std::string> trained = words_of(options_.adapter.trained);
        return std::ranges::find(trained, parameter) != trained.end();
    }

    /// Parameters are replicated over dp, so that a template must not split them; only ZeRO shards them.
    void check_parameter(const Tensor& parameter) {
        const graph::AxisSet axes = parameter.layout.split_axes();
        const graph::AxisSet of_attention = axes & graph::attention_axes;
        if (!(axes & replicas_of(parameter)).empty()) {
            diagnostics_.error(parameter.where, parameter.name,
                               "a parameter is not split over dp: every replica has one (option zero shares "
                               "its states)");
        } else if (!of_attention.empty() && axes != of_attention) {
            diagnostics_.error(parameter.where, parameter.name,
                               "a parameter is split over tp, or over ep and etp: one folding of the devices "
                               "or the other");
        }
    }

    void add_line(const TemplateSource::Line& text) {
        std::string error;
        auto line = parse_operator_line(text.text, error);
        if (!line) {
            diagnostics_.error(text.where, text_.name, error);
            return;
        }
        if (is_inference(options_.mode) && !keeps(*line)) return;
        if (reads_broken(*line)) return;
        if (const Tensor* weight = adapted_weight(*line)) return add_adapted(*line, *weight, text.where);
        add_operation(*line, text.where);
    }

    /// The frozen weight of a product that has an adapter: it is a target, or no targets are named and the
    /// product is that of a layer, but not a router's.
    [[nodiscard]] const Tensor* adapted_weight(const OperatorLine& line) const {
        if (!trains_adapters(options_) || line.kind != "einsum" || line.operands.size() != 2) return nullptr;
        const auto weight = find(line.operands.back());
        if (!weight || !block_.tensor(*weight).frozen) return nullptr;
        const std::vector<std::string> targets = words_of(options_.adapter.targets);
        const bool inside = block_.input.has_value() && !text_.output.empty();
        const bool adapted = targets.empty()
                                 ? inside && !feeds_choice(line)
                                 : std::ranges::find(targets, block_.tensor(*weight).name) != targets.end();
        return adapted ? &block_.tensor(*weight) : nullptr;
    }

    /// Whether experts are chosen by the result of a product.
    [[nodiscard]] bool feeds_choice(const OperatorLine& product) const {
        return std::any_of(text_.lines.begin(), text_.lines.end(), [&](const TemplateSource::Line& text) {
            std::string ignored;
            const auto line = parse_operator_line(text.text, ignored);
            return line && line->kind == "top_k" && !line->operands.empty() &&
                   line->operands.front() == product.results.front();
        });
    }

    void add_adapted(const OperatorLine& product, const Tensor& weight, const config::Location& where) {
        const bool splits_sequence =
            block_.entry.split.size() > 1 && block_.entry.split[1].contains(graph::MeshAxis::tensor);
        AdaptedProduct adapted =
            with_adapter(product, weight,
                         {options_.adapter, splits_sequence, options_.stack.adapter_all_to_all}, dimensions_);
        for (Tensor& factor : adapted.factors) block_.tensors.push_back(std::move(factor));
        for (const OperatorLine& line : adapted.lines) {
            if (!reads_broken(line)) add_operation(line, where);
        }
    }

    void add_operation(const OperatorLine& line, const config::Location& where) {
        const OperatorKind* kind = nullptr;
        try {
            kind = &operator_kinds().find(line.kind);
        } catch (const InputError& unknown) {
            diagnostics_.error(where, text_.name, unknown.what());
            broken_.insert(line.results.begin(), line.results.end());
            return;
        }
        OperationBuilder builder(line, where, options_.stack, dimensions_, block_.tensors, sample_,
                                 diagnostics_, options_.mode);
        if (!builder.failed()) (*kind)(builder);
        builder.finish();
        if (builder.failed()) {
            broken_.insert(line.results.begin(), line.results.end());
        } else {
            for (Operation& operation : builder.take()) {
                if (is_inference(options_.mode)) keep_forward(block_, operation);
                block_.operations.push_back(std::move(operation));
            }
        }
    }

    /// Adapts a line to inference: of a loss, only the logits are kept, from which the next token is drawn.
    /// \returns whether inference runs the line at all
    static bool keeps(OperatorLine& line) {
        if (line.kind == "row_statistic") return false;
        if (line.kind == "cross_entropy" && line.operands.size() > 1) line.operands.resize(1);
        return true;
    }

    /// Only the last position of a prompt passes through the head. If the sequence is split, one device has
    /// this position, and the row of the others is a partial sum.
    void take_last_position() {
        Tensor& all = block_.tensors.front();
        Tensor last = all;
        all.name += ".all";
        last.role = TensorRole::computed;
        last.shape[1] = dimensions_.intern("1");
        last.layout = {};
        block_.tensors.push_back(std::move(last));
        const TensorId row(block_.tensors.size() - 1);
        Operation operation;
        operation.kind = "last_position";
        operation.where = text_.where;
        operation.operands = {{TensorId(0), "bsh"}};
        operation.results = {{row, "bth"}};
        operation.forward.reads = {{row}};
        operation.forward.writes = {{row}};
        block_.operations.push_back(std::move(operation));
    }

    /// Suppresses errors about missing results of a line that was already reported.
    bool reads_broken(const OperatorLine& line) {
        const bool broken = std::any_of(line.operands.begin(), line.operands.end(),
                                        [&](const std::string& name) { return broken_.count(name) > 0; });
        if (broken) broken_.insert(line.results.begin(), line.results.end());
        return broken;
    }

    [[nodiscard]] std::optional<TensorId> find(const std::string& name) const {
        for (std::size_t i = 0; i < block_.tensors.size(); ++i) {
            if (block_.tensors[i].name == name) return TensorId(i);
        }
        return std::nullopt;
    }

    /// \param shape  shape of the next block's input
    void find_output(const std::vector<DimId>& shape) {
        if (text_.output.empty()) return;
        block_.output = find(text_.output);
        if (!block_.output) {
            // The output may be missing because of an error that was already reported.
            if (!diagnostics_.ok()) return;
            std::vector<std::string> known;
            for (const Tensor& tensor : block_.tensors) known.push_back(tensor.name);
            diagnostics_.error(
                text_.where, text_.name,
                fmt::format("output '{}' is not computed{}", text_.output, suggestion(text_.output, known)));
            return;
        }
        const Tensor& output = block_.tensor(*block_.output);
        bool equal = output.shape.size() == shape.size();
        for (std::size_t i = 0; equal && i < shape.size(); ++i) {
            equal = dimensions_.evaluate(output.shape[i], sample_) == dimensions_.evaluate(shape[i], sample_);
        }
        if (!equal) {
            diagnostics_.error(output.where, text_.name,
                               fmt::format("output '{}' does not have the boundary's shape [{}]", output.name,
                                           fmt::join(texts_of(shape), ", ")));
        }
    }

    [[nodiscard]] std::vector<std::string> texts_of(const std::vector<DimId>& shape) const {
        std::vector<std::string> texts;
        texts.reserve(shape.size());
        for (const DimId dim : shape) texts.push_back(dimensions_.text(dim));
        return texts;
    }

    /// Finds the tensors that selective recomputation drops. A list in the point replaces the template's and
    /// applies to all blocks: each block takes the names that it contains.
    void add_dropped() {
        if (options_.recompute_tensors.empty()) {
            for (const std::string& name : text_.selective) add_selective(name);
            return;
        }
        for (const std::string& name : words_of(options_.recompute_tensors)) {
            const auto id = find(name);
            const bool made = id && (block_.tensor(*id).role == TensorRole::computed ||
                                     block_.tensor(*id).role == TensorRole::saved);
            if (made) block_.selective.push_back(*id);
        }
    }

    /// A name from a disabled group is allowed; a name that does not occur in the template is an error.
    void add_selective(const std::string& name) {
        if (const auto id = find(name)) {
            const TensorRole role = block_.tensor(*id).role;
            if (role == TensorRole::computed || role == TensorRole::saved) {
                block_.selective.push_back(*id);
            } else {
                diagnostics_.error(
                    text_.where, text_.name + ".recompute.selective",
                    fmt::format("'{}' is not computed here, so it cannot be recomputed", name));
            }
            return;
        }
        const std::string base = name.substr(0, name.find('.'));
        for (const TemplateSource::Line& line : text_.lines) {
            if (line.text.find(base) != std::string::npos) return;
        }
        diagnostics_.error(text_.where, text_.name + ".recompute.selective",
                           fmt::format("no tensor is called '{}'", name));
    }

    const TemplateSource::Block& text_;
    const TemplateOptions& options_;
    Dimensions& dimensions_;
    std::span<const double> sample_;
    Diagnostics& diagnostics_;
    Conditions conditions_;
    Block block_;
    std::set<std::string> broken_;  ///< results of lines with errors
};

}  // namespace

std::vector<TensorId> Block::parameters() const {
    std::vector<TensorId> result;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (tensors[i].role == TensorRole::parameter) result.emplace_back(i);
    }
    return result;
}

std::size_t Block::readers(TensorId id) const {
    std::ptrdiff_t count = output == id ? 1 : 0;
    for (const Operation& operation : operations) {
        count += std::count_if(operation.operands.begin(), operation.operands.end(),
                               [id](const Operation::Operand& operand) { return operand.tensor == id; });
    }
    return static_cast<std::size_t>(count);
}

Tensor make_boundary(const TemplateSource& source, const TemplateSource::Block& block,
                     const TemplateOptions& options, Dimensions& dimensions, Diagnostics& diagnostics) {
    const Conditions conditions(options, diagnostics);
    return declare(source.boundary_of(block), TensorRole::boundary, conditions, dimensions, diagnostics);
}

Block make_block(const TemplateSource::Block& block, const TemplateOptions& options, Boundaries boundaries,
                 Dimensions& dimensions, std::span<const double> sample, Diagnostics& diagnostics) {
    return BlockMaker(block, options, dimensions, sample, diagnostics).make(std::move(boundaries));
}

}  // namespace dse::frontend
