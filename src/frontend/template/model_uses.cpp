#include "model_uses.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "dse/base/nearest.hpp"
#include "dse/symbolic/expression_error.hpp"

namespace dse::frontend {
namespace {

class UseReader {
  public:
    UseReader(const ModelFile& file, const TemplateSource& source, const Dimensions& dimensions,
              std::span<const double> sample, config::Diagnostics& diagnostics)
        : file_{file},
          source_{source},
          dimensions_{dimensions},
          symbols_{sample.begin(), sample.end()},
          diagnostics_{diagnostics} {
        // Layer counts only depend on sizes of the model: batch and sequence have no value here.
        for (const char* name : {"b", "s", "context", "cached", "served"}) {
            if (const symbolic::Symbol* symbol = dimensions.symbols().find(name))
                symbols_[symbol->slot] = std::numeric_limits<double>::quiet_NaN();
        }
    }

    std::vector<ModelUse> read() {
        std::size_t next = 0;
        for (const ModelFile::Repeat& repeat : file_.repeats) {
            for (; next < repeat.begin; ++next) add(file_.blocks[next]);
            const std::int64_t times = whole(repeat.times, "how often blocks recur", 0, repeat.where);
            if (times > most_repeats)
                diagnostics_.error(repeat.where, "blocks",
                                   fmt::format("blocks recur {} times (at most {})", times, most_repeats));
            for (std::int64_t time = 0; time < std::min(times, most_repeats) && diagnostics_.ok(); ++time)
                for (std::size_t i = repeat.begin; i < repeat.end; ++i) add(file_.blocks[i]);
            next = repeat.end;
        }
        for (; next < file_.blocks.size(); ++next) add(file_.blocks[next]);
        if (!uses_.empty() && diagnostics_.ok()) check_ends();
        check_tied();
        return std::move(uses_);
    }

  private:
    static constexpr std::int64_t most_repeats = 10'000;

    void add(const ModelFile::BlockUse& text) {
        const TemplateSource::Block* block = source_.find(text.block);
        if (block == nullptr) {
            diagnostics_.error(text.where, "blocks",
                               fmt::format("template '{}' has no block '{}'{}", file_.template_name,
                                           text.block, suggestion(text.block, source_.block_names())));
            return;
        }
        const std::int64_t count = whole(text.count, "a count", 0, text.where);
        ModelUse use{block, {}, {uses_.size(), count, !uses_.empty(), !block->output.empty()}, text.where};
        use.sizes = sizes_of(text, *block);
        uses_.push_back(std::move(use));
    }

    /// Evaluates an expression of the model's sizes to an integer.
    std::int64_t whole(const std::string& text, const char* what, double least,
                       const config::Location& where) {
        try {
            const double value = symbolic::Expression::parse(text, dimensions_.symbols()).evaluate(symbols_);
            if (value >= least && value == std::floor(value) && value <= 1e9)
                return static_cast<std::int64_t>(value);
            // '/' divides whole numbers without a remainder, and has no value otherwise.
            diagnostics_.error(
                where, "blocks",
                std::isnan(value)
                    ? fmt::format("'{}' has no value, as when a division leaves a remainder ('//' rounds "
                                  "down): {} is a whole number of the model's sizes",
                                  text, what)
                    : fmt::format("'{}' is {}: {} is a whole number of the model's sizes", text, value,
                                  what));
        } catch (const symbolic::ExpressionError& error) {
            diagnostics_.error(where, "blocks", error.what());
        }
        return 0;
    }

    /// Values of the block's own symbols, each of which its use must define.
    std::vector<Dimensions::Size> sizes_of(const ModelFile::BlockUse& use,
                                           const TemplateSource::Block& block) {
        std::vector<Dimensions::Size> sizes;
        for (const ModelFile::BlockSize& size : use.sizes) {
            if (std::find(block.symbols.begin(), block.symbols.end(), size.name) == block.symbols.end()) {
                diagnostics_.error(size.where, "blocks",
                                   fmt::format("block '{}' has no size '{}'{}", block.name, size.name,
                                               suggestion(size.name, block.symbols)));
                continue;
            }
            sizes.push_back({size.name, static_cast<double>(whole(size.value, "a size", 1, size.where))});
        }
        for (const std::string& needed : block.symbols) {
            if (dimensions_.symbols().find(needed) != nullptr) {
                diagnostics_.error(
                    block.where, block.name,
                    fmt::format("size '{}' of this block has the name of a size of the model", needed));
            }
            if (std::none_of(use.sizes.begin(), use.sizes.end(),
                             [&](const ModelFile::BlockSize& size) { return size.name == needed; })) {
                diagnostics_.error(use.where, "blocks",
                                   fmt::format("block '{}' needs the size '{}'", block.name, needed));
            }
        }
        return sizes;
    }

    void check_ends() {
        for (std::size_t i = 0; i < uses_.size(); ++i) {
            const ModelUse& use = uses_[i];
            const bool last = i + 1 == uses_.size();
            if ((i == 0 || last) && use.row.count != 1) {
                diagnostics_.error(
                    use.where, "blocks",
                    fmt::format("'{}' is repeated {} times: the first and the last block occur only once",
                                use.source->name, use.row.count));
            }
            if (use.row.has_output != last) continue;
            diagnostics_.error(
                use.where, "blocks",
                last ? fmt::format("'{}' is the last block, but has an output", use.source->name)
                     : fmt::format("'{}' has no output, but blocks follow", use.source->name));
        }
    }

    /// The last block may share parameters of the first: each tied parameter needs an owner with the same
    /// name and shape.
    void check_tied() {
        if (uses_.empty()) return;
        const auto owned = [&](const TemplateSource::TensorText& tied) {
            const auto& owners = uses_.front().source->parameters;
            return std::any_of(owners.begin(), owners.end(), [&](const TemplateSource::TensorText& other) {
                return !other.tied && other.name == tied.name && other.shape == tied.shape;
            });
        };
        for (const ModelUse& use : uses_) {
            for (const TemplateSource::TensorText& tensor : use.source->parameters) {
                if (!tensor.tied || (use.source == uses_.back().source && owned(tensor))) continue;
                diagnostics_.error(
                    tensor.where, use.source->name,
                    fmt::format("'{}' is tied: only the last block of a model shares a parameter, and "
                                "only one that the first block owns under this name and shape",
                                tensor.name));
            }
        }
    }

    const ModelFile& file_;
    const TemplateSource& source_;
    const Dimensions& dimensions_;
    std::vector<double> symbols_;
    config::Diagnostics& diagnostics_;
    std::vector<ModelUse> uses_;
};

}  // namespace

std::vector<ModelUse> read_uses(const ModelFile& file, const TemplateSource& source,
                                const Dimensions& dimensions, std::span<const double> sample,
                                config::Diagnostics& diagnostics) {
    return UseReader(file, source, dimensions, sample, diagnostics).read();
}

}  // namespace dse::frontend
