#pragma once

#include <string>
#include <vector>

#include "dse/base/units.hpp"
#include "dse/config/range.hpp"

namespace dse::eval {

/// Maps a name used in a table to the name used in this project.
struct NamedFile {
    std::string name;
    std::string file;
    double launch_factor{1.0};  ///< of models: see graph::SoftwareStack
    Seconds first_token_time{
        0.0};                  ///< of models: until a first token, beyond what steps take and requests wait
    bool block_scales{false};  ///< of models: whether operands in fp8 have a scale for each block
    double weight_bits{0.0};   ///< of precisions: see graph::SoftwareStack; 0: that of products
    double routing_skew{0.0};  ///< of models: how unevenly their experts are chosen; 0: all alike
    std::string stack{};  ///< of models in tables of power: a file of workloads/stacks; empty: the table's
};

template <class Visitor>
void describe(Visitor& v, NamedFile& named) {
    v.required("name", named.name, "in the table");
    v.required("file", named.file, "here");
    v.optional("launch_factor", named.launch_factor, config::not_negative,
               "of models: kernels that engines launch for each one that we model");
    v.optional("first_token_time", named.first_token_time, config::not_negative,
               "of models: time until a first token beyond what steps take and requests wait");
    v.optional(
        "block_scales", named.block_scales,
        "of models: operands in fp8 have a scale for each block, and are cast by kernels of their own");
    v.optional("weight_bits", named.weight_bits, config::between(0, 16),
               "of precisions: bits of a stored weight that products widen, on devices that do not multiply "
               "in its format; 0: none is widened");
    v.optional("routing_skew", named.routing_skew, config::not_negative,
               "of models: exponent of their experts' popularity (imbalance zipf); 0: all are chosen alike");
    v.optional("stack", named.stack,
               "of models in tables of power: file of workloads/stacks, instead of the table's");
}

/// \returns nullptr if there is no entry for it
const NamedFile* find_named(const std::vector<NamedFile>& all, const std::string& name);

/// \param what  of which kind the entry is, for the message
/// \throws ModelError with the nearest name if there is no entry for it
const NamedFile& require_named(const std::vector<NamedFile>& all, const std::string& name, const char* what);

}  // namespace dse::eval
