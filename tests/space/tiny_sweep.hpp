#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "dse/base/units.hpp"
#include "dse/config/field_index.hpp"
#include "dse/space/space.hpp"

namespace dse::space::testing {

enum class Schedule : std::uint8_t { gpipe, one_f_one_b, interleaved };
inline std::span<const std::string_view> choice_names(Schedule) {
    static constexpr std::string_view names[] = {"gpipe", "1f1b", "interleaved"};
    return names;
}

struct TinyLink {
    BytesPerSecond bandwidth{25e9};
    double efficiency{0.9};
};
template <class Visitor>
void describe(Visitor& v, TinyLink& link) {
    v.required("bandwidth", link.bandwidth, "of a link");
    v.required("efficiency", link.efficiency, "share of it");
}

struct TinyWorkload {
    std::string model{"llama"};
    std::int64_t tp{1};
    std::int64_t pp{1};
    std::int64_t dp{1};
    std::int64_t microbatch{1};
    std::int64_t global_batch{64};
    std::int8_t narrow{0};
    bool sequence_parallel{false};
    Schedule schedule{Schedule::gpipe};
};
template <class Visitor>
void describe(Visitor& v, TinyWorkload& w) {
    v.required("model", w.model, "");
    v.required("tp", w.tp, "");
    v.required("pp", w.pp, "");
    v.required("dp", w.dp, "");
    v.required("microbatch", w.microbatch, "");
    v.required("global_batch", w.global_batch, "");
    v.required("narrow", w.narrow, "");
    v.required("sequence_parallel", w.sequence_parallel, "");
    v.required("schedule", w.schedule, "");
}

/// A part that is kept in a file: its name is a field beside the fields that the file holds.
struct TinyNode {
    std::string name{"small"};
    std::int64_t cores{8};
};
template <class Visitor>
void describe(Visitor& v, TinyNode& node) {
    v.required("cores", node.cores, "");
}

struct TinySystem {
    std::int64_t devices{64};
    TinyNode node;
    TinyLink inner;
    TinyLink outer;
};
template <class Visitor>
void describe(Visitor& v, TinySystem& s) {
    v.required("devices", s.devices, "");
    v.required("node", s.node.name, "");
    v.section("node", s.node, "");
    v.section("inner", s.inner, "");
    v.section("outer", s.outer, "");
}

/// Fields of a small workload and system, as an evaluation hands them to a sweep.
class TinyFields {
  public:
    TinyFields() {
        index_.add("workload", workload_);
        index_.add("system", system_);
    }
    TinyFields(const TinyFields&) = delete;
    TinyFields& operator=(const TinyFields&) = delete;
    const config::FieldIndex& index() const { return index_; }

  private:
    TinyWorkload workload_;
    TinySystem system_;
    config::FieldIndex index_;
};

/// Reads and compiles; errors stand in the diagnostics.
inline std::optional<Space> try_compile(const std::string& yaml, config::Diagnostics& diagnostics) {
    const TinyFields fields;
    const config::Node root = config::parse_yaml(yaml, "sweep.yaml", diagnostics);
    SweepSpec spec = read_sweep(root, fields.index(), diagnostics);
    if (!diagnostics.ok()) return std::nullopt;
    return Space::compile(std::move(spec), fields.index(), diagnostics);
}

inline std::shared_ptr<const Space> compile(const std::string& yaml) {
    config::Diagnostics diagnostics;
    std::optional<Space> space = try_compile(yaml, diagnostics);
    EXPECT_TRUE(space) << diagnostics.text();
    return space ? std::make_shared<const Space>(std::move(*space)) : nullptr;
}

/// The sweep of the documentation, small.
inline const char* const layout_sweep = R"(name: layouts
axes:
  tp: [1, 2, 4, 8]
  pp: [1, 2, 3, 4]
  microbatch: {from: 1, to: 8, scale: log2}
  schedule: [gpipe, 1f1b, interleaved]
  outer.bandwidth: [200 Gbps, 400 Gbps]
derive:
  dp: devices / (tp * pp)
require:
  - devices % (tp * pp) == 0
  - global_batch % (dp * microbatch) == 0
  - schedule != 'interleaved' or pp > 1
)";

}  // namespace dse::space::testing
