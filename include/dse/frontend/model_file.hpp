#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "dse/config/library.hpp"
#include "dse/config/node.hpp"

namespace dse::frontend {

/// A model: the blocks of a template in order, and the values of its symbols. A file of workloads/models.
struct ModelFile {
    struct Symbol {
        std::string name;
        double value{0};
        config::Location where;
    };
    /// A size that one use of a block defines.
    struct BlockSize {
        std::string name;
        std::string value;  ///< an expression over the symbols
        config::Location where;
    };
    /// `count` consecutive copies of a block.
    struct BlockUse {
        std::string block;
        std::string count;  ///< an expression over the symbols
        config::Location where;
        std::vector<BlockSize> sizes{};
    };

    /// Blocks that recur together, `times` after each other.
    struct Repeat {
        std::size_t begin{0};  ///< of `blocks`
        std::size_t end{0};
        std::string times;  ///< an expression over the symbols
        config::Location where;
    };

    std::string name;
    std::string template_name;
    config::Location template_where;
    std::vector<Symbol> symbols;
    std::vector<BlockUse> blocks;
    std::vector<Repeat> repeats;  ///< in order, without overlap
    /// Layers that draft tokens in inference (multi-token prediction). No blocks of this file.
    std::int64_t draft_heads{0};
    /// The longest sequence of its published weights [tokens]; 0: it is not stated.
    std::int64_t context{0};
};

ModelFile read_model(const config::Node& node, config::Diagnostics& diagnostics);

}  // namespace dse::frontend
