#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>

namespace dse::trace::chakra {

/// Which nodes of a trace are drawn.
struct DrawnNodes {
    std::optional<std::uint64_t> around{};  ///< a node's id: only it and its neighbours; all without it
    std::uint64_t steps{2};                 ///< dependencies between that node and the farthest neighbour
    std::uint64_t most{
        2000};  ///< more nodes than this are refused: Graphviz needs minutes, and nobody can read them
};

/// Writes a trace as a directed graph in Graphviz's DOT language: a box per node, coloured by type, with its
/// name and size; an edge from each node to each that waits for it, dashed for control dependencies. Nodes
/// with neighbours that are not drawn have a dashed border. \throws InputError as TraceReader does, and if no
/// node has the id or more nodes are chosen than allowed
void write_dot(const std::string& path, const DrawnNodes& drawn, std::ostream& stream);

}  // namespace dse::trace::chakra
