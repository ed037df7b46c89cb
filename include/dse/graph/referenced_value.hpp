#pragma once

#include <span>

#include "dse/graph/graph.hpp"

namespace dse::graph {

/// What a reference inside a region stands for, whatever values are: times, values of a rank, …
/// \param ports   of the region
/// \param first   by item before the reference: index of its first value in `values`
/// \param values  of these items
/// \param none    stands for no value
template <class Value, class Indices>
const Value& referenced_value(ValueRef reference, std::span<const Value> ports, const Indices& first,
                              std::span<const Value> values, const Value& none) {
    switch (reference.source) {
        case ValueRef::Source::none:
            break;
        case ValueRef::Source::port:
            return ports[reference.index];
        case ValueRef::Source::item:
            return values[first[reference.index] + reference.output];
    }
    return none;
}

}  // namespace dse::graph
