#pragma once

#include <string>
#include <vector>

#include "dse/config/library.hpp"
#include "dse/config/node.hpp"

namespace dse::frontend {

/// A model: a template's blocks in order, and the numbers of its symbols. One file of workloads/models.
struct ModelFile {
    struct Symbol {
        std::string name;
        double value{0};
        config::Location where;
    };
    /// A number that a use of a block supplies.
    struct BlockSize {
        std::string name;
        std::string value;  ///< an expression over the symbols
        config::Location where;
    };
    /// A block that stands `count` times in a row.
    struct BlockUse {
        std::string block;
        std::string count;  ///< an expression over the symbols
        config::Location where;
        std::vector<BlockSize> sizes{};
    };

    std::string name;
    std::string template_name;
    config::Location template_where;
    std::vector<Symbol> symbols;
    std::vector<BlockUse> blocks;
};

ModelFile read_model(const config::Node& node, config::Diagnostics& diagnostics);

}  // namespace dse::frontend
