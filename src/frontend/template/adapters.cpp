#include "adapters.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace dse::frontend {
namespace {

using graph::AxisSet;

bool has(std::string_view term, char letter) {
    return term.find(letter) != std::string_view::npos;
}

/// Makes the lines and factors of one product.
class AdapterMaker {
  public:
    AdapterMaker(const OperatorLine& product, const Tensor& weight, const AdapterOptions& options,
                 Dimensions& dimensions)
        : product_{product}, weight_{weight}, options_{options}, dimensions_{dimensions} {
        const std::string& text = product.text;
        const std::size_t comma = text.find(',');
        const std::size_t arrow = text.find("->");
        if (comma == std::string::npos || arrow == std::string::npos || comma > arrow) return;
        input_ = text.substr(0, comma);
        of_weight_ = text.substr(comma + 1, arrow - comma - 1);
        result_ = text.substr(arrow + 2);
        for (rank_ = 'r'; has(text, rank_);) rank_ = rank_ == 'z' ? 'a' : static_cast<char>(rank_ + 1);
    }

    AdaptedProduct make() {
        OperatorLine base = product_;
        // A faulty product is reported as it is written.
        if (of_weight_.size() != weight_.shape.size()) return {{}, {base}};
        const std::string name = product_.results.front();
        base.results = {name + ".base"};
        made_.lines.push_back(std::move(base));
        make_factors();
        const std::string low = low_letters();
        add_first(fmt::format("{},{}->{}", input_, first_, low));
        add(name + ".high", fmt::format("{},{}->{}", low, second_, result_), "einsum",
            {name + ".low", second_factor(weight_.name)});
        add(name, "", "scaled_add", {name + ".base", redistributed(name + ".high")});
        if (const std::string* padded = product_.option("padded"))
            made_.lines.back().options.push_back({"copied", *padded});
        return std::move(made_);
    }

  private:
    [[nodiscard]] bool is_summed(char letter) const { return !has(result_, letter); }
    [[nodiscard]] bool is_of_result(char letter) const { return !has(input_, letter); }

    void make_factors() {
        Tensor first;
        first.name = first_factor(weight_.name);
        first.role = TensorRole::parameter;
        first.storage = Storage::parameter;
        first.where = weight_.where;
        Tensor second = first;
        second.name = second_factor(weight_.name);
        const DimId rank = dimensions_.intern(std::to_string(options_.adapter.rank));
        AxisSet of_result;
        for (std::size_t i = 0; i < of_weight_.size(); ++i) {
            const char letter = of_weight_[i];
            const AxisSet split = weight_.layout.split[i];
            if (is_summed(letter)) splits_input_ = splits_input_ | split;
            if (is_of_result(letter)) of_result = of_result | split;
        }
        const auto append = [&](Tensor& factor, std::string& letters, DimId dim, char letter, AxisSet split) {
            factor.shape.push_back(dim);
            factor.layout.split.push_back(split);
            letters += letter;
        };
        for (std::size_t i = 0; i < of_weight_.size(); ++i) {
            if (is_of_result(of_weight_[i])) continue;
            append(first, first_, weight_.shape[i], of_weight_[i], weight_.layout.split[i]);
            if (!is_summed(of_weight_[i]))
                append(second, second_, weight_.shape[i], of_weight_[i], weight_.layout.split[i]);
        }
        append(first, first_, rank, rank_, splits_input_.empty() ? of_result : AxisSet{});
        append(second, second_, rank, rank_, {});
        AxisSet rest = splits_input_;  // on the first dimension of the result
        for (std::size_t i = 0; i < of_weight_.size(); ++i) {
            if (!is_of_result(of_weight_[i])) continue;
            append(second, second_, weight_.shape[i], of_weight_[i], weight_.layout.split[i] | rest);
            rest = {};
        }
        made_.factors = {std::move(first), std::move(second)};
    }

    /// Letters of the product with the first factor: those of its input that are not summed, and the rank.
    [[nodiscard]] std::string low_letters() const {
        std::string low;
        for (const char letter : input_) {
            if (has(result_, letter)) low += letter;
        }
        return low + rank_;
    }

    /// The product with the first factor. Dropout comes after the gather that the frozen product needs as
    /// well.
    void add_first(const std::string& text) {
        const std::string& x = product_.operands.front();
        const std::string& name = product_.results.front();
        if (!options_.adapter.dropout)
            return add(name + ".low", text, "einsum", {x, first_factor(weight_.name)});
        const bool gathers = options_.splits_sequence && splits_input_.empty() && is_of_tokens();
        const std::string dropped = name + ".dropped";
        add(dropped, gathers ? "gathered" : "", "adapter_dropout", {x});
        add(name + ".low", text, "dropped_einsum",
            {x, dropped, dropped + ".mask", first_factor(weight_.name)});
    }

    /// A result that is split along its last dimension where the frozen product's becomes split along the
    /// sequence, or whole.
    std::string redistributed(std::string high) {
        if (!splits_input_.contains(graph::MeshAxis::tensor) || !is_of_tokens()) return high;
        const std::string& name = product_.results.front();
        if (!options_.splits_sequence || !options_.all_to_all) {
            add(name + ".gathered", fmt::format("{}->whole", result_.size() - 1), "redistribute", {high});
            high = name + ".gathered";
        }
        if (!options_.splits_sequence) return high;
        add(name + ".part", "tp->1", "redistribute", {high});
        return name + ".part";
    }

    /// Whether the product is that of tokens [b, s, …], rather than of rows of experts.
    [[nodiscard]] bool is_of_tokens() const {
        return result_.size() > 2 && !has(of_weight_, result_.front());
    }

    void add(std::string result, std::string text, std::string kind, std::vector<std::string> operands) {
        made_.lines.push_back(
            {{std::move(result)}, std::move(kind), std::move(text), std::move(operands), {}});
    }

    const OperatorLine& product_;
    const Tensor& weight_;
    const AdapterOptions& options_;
    Dimensions& dimensions_;
    std::string input_;  ///< letters of the product's operands and of its result
    std::string of_weight_;
    std::string result_;
    char rank_{'r'};
    std::string first_;  ///< letters of the factors
    std::string second_;
    AxisSet splits_input_;  ///< axes that split the dimensions which the product sums
    AdaptedProduct made_;
};

}  // namespace

AdaptedProduct with_adapter(const OperatorLine& product, const Tensor& weight, const AdapterOptions& options,
                            Dimensions& dimensions) {
    return AdapterMaker(product, weight, options, dimensions).make();
}

std::string first_factor(const std::string& weight) {
    return weight + ".a";
}

std::string second_factor(const std::string& weight) {
    return weight + ".b";
}

bool has_adapter(const Block& block, const std::string& weight) {
    return std::any_of(block.tensors.begin(), block.tensors.end(),
                       [&](const Tensor& tensor) { return tensor.name == first_factor(weight); });
}

}  // namespace dse::frontend
