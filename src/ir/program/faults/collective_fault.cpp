#include <cstdint>

#include <fmt/format.h>

#include "ir/program/faults/shape_faults.hpp"

namespace dse::ir::faults {
namespace {

/// An array that is sent and the one received for it.
struct Exchange {
    TypeId sent;
    TypeId received;
};

/// Number of devices per group if stated here; 0 if not, for example if all devices form one group.
/// StableHLO's verifier requires only a multiple, which the tests of its passes rely on.
std::int64_t stated_group_size(const Communication& communication, const Program& program) {
    if (communication.groups.everybody() || program.language != Language::hlo) return 0;
    constexpr std::int64_t most = 1 << 30;  // larger numbers are errors
    const std::int64_t named = communication.groups.size(0);
    if (communication.mode != GroupMode::cross_replica_and_partition) return named;
    const bool stated = program.partitions > 1 && program.partitions < most && named < most;
    return stated ? named * program.partitions : 0;
}

class Collective {
  public:
    Collective(const ShapeSubject& subject, const Communication& communication)
        : types_{subject.types()},
          communication_{communication},
          devices_{stated_group_size(communication, subject.program())} {}

    [[nodiscard]] Fault kept(Exchange exchange) const {
        if (exchange.sent == exchange.received ||
            same_shape(types_[exchange.sent], types_[exchange.received]))
            return std::nullopt;
        return text(exchange) + ": their shapes must be equal";
    }

    /// Each device receives the values of all devices in its group. A scalar stays a scalar: torch_xla orders
    /// its exchanges by a scalar that is passed through all of them.
    [[nodiscard]] Fault gathered(Exchange exchange) const {
        return cut(exchange, exchange.sent, exchange.received);
    }

    /// Each device receives a part of the whole.
    [[nodiscard]] Fault scattered(Exchange exchange) const {
        return cut(exchange, exchange.received, exchange.sent);
    }

    /// Divided along one dimension, concatenated along another or the same.
    [[nodiscard]] Fault turned(Exchange exchange) const {
        const Type& sent = types_[exchange.sent];
        const Type& received = types_[exchange.received];
        if (!is_sized(sent) || !is_sized(received) || is_scalar(sent)) return kept(exchange);
        const std::size_t rank = sent.sizes.size();
        if (auto wrong = no_dimension(communication_.dimension, exchange.sent)) return wrong;
        if (auto wrong = no_dimension(communication_.concat_dimension, exchange.sent)) return wrong;
        const auto split = static_cast<std::size_t>(communication_.dimension);
        const auto concat = static_cast<std::size_t>(communication_.concat_dimension);
        bool fits = received.sizes.size() == rank;
        for (std::size_t d = 0; fits && d < rank; ++d) {
            if (d == split && split != concat)
                fits = is_multiple(received.sizes[d], sent.sizes[d]);
            else if (d == concat && split != concat)
                fits = is_multiple(sent.sizes[d], received.sizes[d]);
            else
                fits = sent.sizes[d] == received.sizes[d];
        }
        if (fits && split == concat) fits = devices_ == 0 || sent.sizes[split] % devices_ == 0;
        if (fits) return std::nullopt;
        return fmt::format("{}: {} split dimension {} and concatenate along dimension {}", text(exchange),
                           group(), split, concat);
    }

  private:
    [[nodiscard]] std::string text(Exchange exchange) const {
        return fmt::format("its operand is {}, but its result is {}", types_.text(exchange.sent),
                           types_.text(exchange.received));
    }

    [[nodiscard]] std::string group() const {
        return devices_ == 0 ? "the devices of a group" : fmt::format("groups of {} devices", devices_);
    }

    [[nodiscard]] Fault no_dimension(std::int64_t dimension, TypeId type) const {
        if (dimension >= 0 && static_cast<std::size_t>(dimension) < types_[type].sizes.size())
            return std::nullopt;
        return fmt::format("its operand {} has no dimension {}", types_.text(type), dimension);
    }

    [[nodiscard]] bool is_multiple(std::int64_t part, std::int64_t whole) const {
        if (devices_ > 0) return whole % devices_ == 0 && whole / devices_ == part;
        return part == 0 ? whole == 0 : whole % part == 0;
    }

    [[nodiscard]] Fault cut(Exchange exchange, TypeId small, TypeId large) const {
        const Type& part = types_[small];
        const Type& whole = types_[large];
        if (!is_sized(part) || !is_sized(whole) || is_scalar(whole)) return kept(exchange);
        if (auto wrong = no_dimension(communication_.dimension, exchange.sent)) return wrong;
        const auto dimension = static_cast<std::size_t>(communication_.dimension);
        bool fits = part.sizes.size() == whole.sizes.size();
        for (std::size_t d = 0; fits && d < part.sizes.size(); ++d)
            fits =
                d == dimension ? is_multiple(part.sizes[d], whole.sizes[d]) : part.sizes[d] == whole.sizes[d];
        if (fits) return std::nullopt;
        return fmt::format("{}: {} hold parts of dimension {} only; the other sizes must be equal",
                           text(exchange), group(), dimension);
    }

    const TypeTable& types_;
    const Communication& communication_;
    std::int64_t devices_;
};

using Rule = Fault (Collective::*)(Exchange) const;

// Shardy's collectives, whose types are those of global arrays.
Fault resharding_fault(const ShapeSubject& subject) {
    return subject.operands() == 1 ? unlike_operand(subject, 0, 0) : std::nullopt;
}

// Checks each operand against its result.
Fault exchange_fault(const ShapeSubject& subject, Rule rule) {
    if (subject.attribute<Resharding>() != nullptr) return resharding_fault(subject);
    const auto* communication = subject.attribute<Communication>();
    if (communication == nullptr || subject.results() == 0) return std::nullopt;
    if (subject.results() != subject.operands())
        return fmt::format("it has {} operands, but {} results", subject.operands(), subject.results());
    const Collective collective{subject, *communication};
    for (std::size_t i = 0; i < subject.operands(); ++i)
        if (auto wrong = (collective.*rule)({subject.operand_id(i), subject.result_id(i)})) return wrong;
    return std::nullopt;
}

/// Types of the results in a start's result: in HLO it contains operands and results.
std::span<const TypeId> started(const ShapeSubject& subject) {
    const auto& results = subject.operation().results;
    if (results.size() != 1) return {};
    const Type& both = subject.types()[results[0]];
    if (both.kind != Type::Kind::tuple || both.members.size() < 2) return {};
    const Type& made = subject.types()[both.members[1]];
    return made.kind == Type::Kind::tuple ? std::span{made.members} : std::span{both.members}.subspan(1, 1);
}

Fault start_fault(const ShapeSubject& subject, Rule rule) {
    const auto results = started(subject);
    const auto* communication = subject.attribute<Communication>();
    if (communication == nullptr || results.size() != subject.operands()) return std::nullopt;
    const Collective collective{subject, *communication};
    for (std::size_t i = 0; i < results.size(); ++i)
        if (auto wrong = (collective.*rule)({subject.operand_id(i), results[i]})) return wrong;
    return std::nullopt;
}

}  // namespace

Fault all_reduce_fault(const ShapeSubject& subject) {
    return exchange_fault(subject, &Collective::kept);
}

Fault all_gather_fault(const ShapeSubject& subject) {
    return exchange_fault(subject, &Collective::gathered);
}

Fault reduce_scatter_fault(const ShapeSubject& subject) {
    return exchange_fault(subject, &Collective::scattered);
}

// HLO exchanges either parts of an array along a dimension, or one array per device.
Fault all_to_all_fault(const ShapeSubject& subject) {
    const auto& results = subject.operation().results;
    const bool of_arrays = !results.empty() && subject.types()[results[0]].kind == Type::Kind::tuple;
    return exchange_fault(subject, of_arrays ? &Collective::kept : &Collective::turned);
}

// For an array, or for a tuple as a whole. An in-place exchange has more operands: destination and positions.
Fault permute_fault(const ShapeSubject& subject) {
    if (subject.operands() != 1) return std::nullopt;
    const bool whole =
        subject.operand(0).kind == Type::Kind::tuple && subject.attribute<Resharding>() == nullptr;
    return whole ? copy_fault(subject) : exchange_fault(subject, &Collective::kept);
}

// In older HLO an all-reduce start has both operands and results; in StableHLO a broadcast may have its root
// as an operand.
Fault paired_fault(const ShapeSubject& subject) {
    return subject.results() == subject.operands() ? exchange_fault(subject, &Collective::kept)
                                                   : std::nullopt;
}

Fault all_gather_start_fault(const ShapeSubject& subject) {
    return start_fault(subject, &Collective::gathered);
}

Fault permute_start_fault(const ShapeSubject& subject) {
    return subject.operands() == 1 ? start_fault(subject, &Collective::kept) : std::nullopt;
}

// The operand is the result of the start.
Fault done_fault(const ShapeSubject& subject) {
    const auto& results = subject.operation().results;
    if (subject.operands() == 0 || results.size() != 1) return std::nullopt;
    const Type& both = subject.operand(0);
    if (both.kind != Type::Kind::tuple || both.members.size() < 2) return std::nullopt;
    if (same_type(subject.types(), both.members[1], results[0])) return std::nullopt;
    return fmt::format("its start returns {}, but its result is {}", subject.types().text(both.members[1]),
                       subject.types().text(results[0]));
}

}  // namespace dse::ir::faults
