#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "dse/base/units.hpp"
#include "dse/config/described_once.hpp"
#include "dse/config/range.hpp"
#include "dse/graph/precision.hpp"
#include "dse/graph/serving.hpp"
#include "dse/graph/serving_engine.hpp"
#include "dse/graph/stack_choices.hpp"

namespace dse::graph {

// The structs of software_stack.def, and how visitors describe each.
// clang-format off
#define DSE_GROUP(name) struct name {
#define DSE_FIELD(type, name, value, ...) type name{value};
#define DSE_END_GROUP };
// clang-format on
#include "dse/graph/software_stack.def"

// A text, or a range and a text, that begins with "training: ".
#define DSE_TRAINING_TEXT(text) "training: " text
#define DSE_TRAINING_RANGE_TEXT(range, text) range, "training: " text
#define DSE_TRAINING(a, ...) DSE_TRAINING_##__VA_OPT__(RANGE_)##TEXT(a __VA_OPT__(, ) __VA_ARGS__)
#define DSE_GROUP(name)      \
    template <class Visitor> \
    void describe(Visitor& v, name& group) {  // NOLINT(bugprone-macro-parentheses): a type
#define DSE_FIELD(type, name, value, ...) v.optional(#name, group.name, __VA_ARGS__);
#define DSE_TRAINING_FIELD(type, name, value, ...) v.optional(#name, group.name, DSE_TRAINING(__VA_ARGS__));
#define DSE_END_GROUP }
#include "dse/graph/software_stack.def"
#undef DSE_TRAINING
#undef DSE_TRAINING_RANGE_TEXT
#undef DSE_TRAINING_TEXT

/// The base that the others follow.
struct NoFields {};

/// Facts about the software that runs the model. They influence a prediction as much as the hardware does
/// (see docs/theory/effects.md), so each is a field that a sweep can vary. Keys of sweeps do not name the
/// groups, which are its bases.
struct SoftwareStack : NoFields
#define DSE_GROUP(name) , name
#include "dse/graph/software_stack.def"
{
};

/// Former names of the exposed shares. Their meaning is unchanged: 1 is fully exposed.
inline constexpr std::pair<const char*, const char*> renamed_shares[] = {{"overlap_tp", "exposed_tp"},
                                                                         {"overlap_cp", "exposed_cp"},
                                                                         {"overlap_ep", "exposed_ep"},
                                                                         {"overlap_dp", "exposed_dp"},
                                                                         {"overlap_pp", "exposed_pp"}};

template <class Visitor>
void describe(Visitor& v, SoftwareStack& stack) {
#define DSE_GROUP(name) describe(v, static_cast<name&>(stack));  // NOLINT(bugprone-macro-parentheses): a type
#include "dse/graph/software_stack.def"
    for (const auto& [old_name, name] : renamed_shares)
        v.renamed(old_name, name, "the share of communication that is exposed");
}
DSE_DESCRIBED_ONCE(SoftwareStack);

/// The software stack of a framework at a certain date, from a file of workloads/stacks. Fields set by the
/// workload itself take precedence.
struct NamedStack {
    std::string name;
    std::string source;
    SoftwareStack values;
    ServingEngine engine;  ///< for mode serving
};

template <class Visitor>
void describe(Visitor& v, NamedStack& stack) {
    v.required("name", stack.name, "name for display");
    v.optional("source", stack.source, "where its facts are documented");
    describe(v, stack.values);
    v.optional_section("serving", stack.engine, "serving: the engine that answers requests");
}
DSE_DESCRIBED_ONCE(NamedStack);

/// The stack with all fields that only matter to training reset to their defaults, and with ZeRO off.
/// \param mode  of inference; in prefill, expert_rate is that of passes that read prompts
SoftwareStack forward_part(SoftwareStack stack, Mode mode);

/// Whether attention of training steps runs in eight bits.
bool attends_in_fp8(const SoftwareStack& stack);

/// Whether products of some layers run in 16 bits while those of others run in eight or four.
bool has_wide_layers(const SoftwareStack& stack);

/// Precision in which replicas reduce gradients.
Precision reduced_in(const SoftwareStack& stack);

/// \throws ModelError naming the field that is out of range
void require_valid(const SoftwareStack& stack);

}  // namespace dse::graph
