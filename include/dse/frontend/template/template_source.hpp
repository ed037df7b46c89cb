#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dse/config/library.hpp"
#include "dse/config/node.hpp"
#include "dse/frontend/template/tensor.hpp"

namespace dse::frontend {

/// A template file, parsed and checked syntactically but not semantically.
struct TemplateSource {
    /// "tp", "tp if sequence_parallel": one entry of a dimension's split, which can be a list of entries.
    struct Split {
        std::size_t dimension{0};
        graph::AxisSet axes;
        std::string condition;  ///< empty: always
        config::Location where;
    };

    struct TensorText {
        std::string name;
        std::vector<std::string> shape;
        std::vector<Split> splits;
        Storage storage{Storage::activation};
        bool tied{false};
        bool sparse{false};
        config::Location where;
        std::string condition;
    };

    struct Line {
        std::string text;
        std::string condition;  ///< condition of its group; empty: always
        config::Location where;
    };

    struct Block {
        std::string name;
        std::vector<std::string> symbols;    ///< sizes that each use of the block defines
        std::optional<TensorText> boundary;  ///< input of the block; none: the template's boundary
        std::vector<TensorText> inputs;
        std::vector<TensorText> parameters;
        std::vector<Line> lines;
        std::string output;                  ///< tensor that is passed to the next block; empty: last block
        std::vector<std::string> selective;  ///< tensors that selective recomputation drops
        bool recomputable{false};            ///< full recomputation keeps only the block's input
        config::Location where;
    };

    std::string file;
    std::vector<std::string> symbols;  ///< sizes that a model defines
    TensorText boundary;
    std::vector<Block> blocks;

    /// The tensor that enters a block.
    [[nodiscard]] const TensorText& boundary_of(const Block& block) const {
        return block.boundary ? *block.boundary : boundary;
    }
    [[nodiscard]] const Block* find(std::string_view name) const;
    [[nodiscard]] std::vector<std::string> block_names() const;
};

/// Reads a template; syntactic errors are reported to `diagnostics`.
TemplateSource read_template(const config::Node& node, config::Diagnostics& diagnostics);

}  // namespace dse::frontend
