#pragma once

#include <string>
#include <vector>

#include "dse/graph/traffic.hpp"

namespace dse::graph {

/// A column of results that belongs to one class of requests.
struct ClassColumn {
    std::string name;
    std::string unit;
};

/// Beginning of the names of a class' columns, an identifier of expressions: its name with an underscore for
/// whatever an identifier cannot hold.
std::string column_prefix(const RequestClass& one);

/// The columns of all classes, in their order. Of each class: time to first token, time per output token and
/// end-to-end latency, each by statistic_names; then requests, goodput, slo_attainment and slo_worst.
std::vector<ClassColumn> class_columns(const Traffic& traffic);

}  // namespace dse::graph
