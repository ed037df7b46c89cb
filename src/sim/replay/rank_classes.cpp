#include "sim/replay/rank_classes.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace dse::sim::replay {
namespace {

using hardware::Algorithm;
using hardware::DimensionKind;
using netsim::AstraAlgorithm;
using netsim::AstraSystem;
using trace::chakra::Communication;
using trace::chakra::NodeIndex;
using trace::chakra::NodeType;
using trace::chakra::RankTrace;
using trace::chakra::Trace;
using trace::chakra::TraceStep;

using Signature = std::vector<std::int64_t>;

/// The groups and peers that the nodes of a trace refer to, each once.
struct Mentions {
    /// The other end of a message, as named in the trace.
    struct End {
        bool sends;
        std::uint32_t peer;
        std::uint32_t tag;
        friend auto operator<=>(const End&, const End&) = default;
    };
    std::set<std::uint32_t> groups;  ///< TraceStep::none for all ranks
    std::set<End> ends;

    explicit Mentions(const Trace& trace) {
        for (std::size_t i = 0; i < trace.size(); ++i) {
            const NodeIndex node{i};
            if (!trace.communicates(node)) continue;
            const TraceStep& step = trace.step(node);
            const Communication& said = trace.communication(node);
            if (step.type == NodeType::comm_coll) groups.insert(said.group);
            if (step.type == NodeType::comm_send) ends.insert({true, said.destination, said.tag});
            if (step.type == NodeType::comm_recv) ends.insert({false, said.source, said.tag});
        }
    }
};

constexpr std::int64_t nowhere = -1;

template <class T>
std::int64_t slot_of(const std::vector<T>& names, const T& name) {
    const auto found = std::ranges::find(names, name);
    return found == names.end() ? nowhere : found - names.begin();
}

/// Whether collectives over all devices keep them in step if they start together.
bool treats_all_alike(const AstraSystem& system) {
    for (const auto& algorithms : system.algorithms) {
        for (std::size_t d = 0; d < algorithms.count; ++d) {
            const AstraAlgorithm& algorithm = algorithms.all[d];
            if (algorithm.algorithm == Algorithm::double_binary_tree || algorithm.window != 0) return false;
            if (algorithm.over_all && system.dimension_count > 1) return false;
        }
    }
    return true;
}

/// Splits classes of ranks until the ranks of each class are alike.
class Refinement {
  public:
    explicit Refinement(const AstraJob& job) : job_{job}, system_{job.machine.system} {
        for (const RankTrace& rank : job.ranks) {
            mentions_.try_emplace(rank.trace.get(), *rank.trace);
            class_of_.push_back(first_.try_emplace(rank.trace.get(), class_of_.size()).first->second);
        }
        const auto groups = job.groups.groups();
        position_.resize(groups.size());
        for (std::size_t g = 0; g < groups.size(); ++g) {
            for (std::size_t i = 0; i < groups[g].ranks.size(); ++i)
                position_[g][groups[g].ranks[i]] = static_cast<std::int64_t>(i);
        }
        group_class_.resize(groups.size());
        in_step_.resize(groups.size());
        even_.resize(groups.size());
        for (std::size_t g = 0; g < groups.size(); ++g) even_[g] = treats_alike(g);
    }

    void run() {
        std::size_t before = 0;
        for (std::size_t now = renumber(); now != before; now = split()) before = now;
        // Classifies the groups again, by the final classes.
        classify_groups();
    }

    std::vector<std::size_t> class_of_;
    std::vector<std::size_t> group_class_;
    std::vector<bool> in_step_;

  private:
    /// Renumbers classes from 0 in the order of their lowest ranks. \return number of classes
    std::size_t renumber() {
        std::map<std::size_t, std::size_t> numbers;
        for (std::size_t& number : class_of_)
            number = numbers.try_emplace(number, numbers.size()).first->second;
        return numbers.size();
    }

    std::size_t split() {
        classify_groups();
        std::map<Signature, std::size_t> numbers;
        std::vector<std::size_t> next;
        for (std::size_t rank = 0; rank < class_of_.size(); ++rank)
            next.push_back(numbers.try_emplace(signature(rank), numbers.size()).first->second);
        class_of_ = std::move(next);
        return numbers.size();
    }

    void classify_groups() {
        std::map<Signature, std::size_t> numbers;
        for (std::size_t g = 0; g < group_class_.size(); ++g) {
            Signature sign = members_of(g);
            in_step_[g] = even_[g] && is_uniform(sign);
            if (in_step_[g]) sign.resize(2);
            sign.push_back(in_step_[g] ? 1 : 0);
            add_shape(g, sign);
            group_class_[g] = numbers.try_emplace(std::move(sign), numbers.size()).first->second;
        }
    }

    /// The class of each member, and the name under which it knows the group.
    Signature members_of(std::size_t group) const {
        Signature sign;
        for_members(group, [&](std::int64_t member) {
            const auto rank = static_cast<std::size_t>(member);
            sign.push_back(static_cast<std::int64_t>(class_of_[rank]));
            std::int64_t known_as = nowhere;
            for (std::uint32_t slot = 0; slot < job_.ranks[rank].groups.size(); ++slot) {
                if (job_.groups.of(member, slot) == group) known_as = slot;
            }
            sign.push_back(known_as);
        });
        return sign;
    }

    static bool is_uniform(const Signature& members) {
        for (std::size_t i = 2; i < members.size(); ++i) {
            if (members[i] != members[i % 2]) return false;
        }
        return true;
    }

    /// Adds the distances between its members. On a network with several dimensions, groups are rings.
    void add_shape(std::size_t group, Signature& sign) const {
        const auto& members = job_.groups.groups()[group].ranks;
        sign.push_back(static_cast<std::int64_t>(members.size()));
        for (std::size_t i = 0; i < members.size(); ++i) {
            const netsim::AstraHops way = system_.way(members[i], members[(i + 1) % members.size()]);
            sign.push_back(static_cast<std::int64_t>(way.dimension));
            sign.push_back(way.links);
            if (in_step_[group] && i == 0) break;
            if (system_.dimension_count == 1) sign.push_back(members[i] - members[0]);
        }
    }

    bool treats_alike(std::size_t group) const {
        const auto& members = job_.groups.groups()[group].ranks;
        if (members.empty()) return treats_all_alike(system_);
        for (std::size_t i = 0; i < members.size(); ++i) {
            if (system_.way(members[i], members[(i + 1) % members.size()]) !=
                system_.way(members[0], members[1 % members.size()]))
                return false;
        }
        return system_.dimension_count > 1 || only_rings() ||
               (treats_all_alike(system_) && system_.all_dimensions[0].kind != DimensionKind::ring);
    }
    bool only_rings() const {
        return std::ranges::all_of(system_.algorithms, [](const auto& algorithms) {
            return std::all_of(algorithms.all.begin(), algorithms.all.begin() + algorithms.count,
                               [](const AstraAlgorithm& a) { return a.algorithm == Algorithm::ring; });
        });
    }

    template <class Visit>
    void for_members(std::size_t group, Visit&& visit) const {
        const auto& members = job_.groups.groups()[group].ranks;
        for (const std::int64_t member : members) visit(member);
        if (!members.empty()) return;
        for (std::size_t rank = 0; rank < class_of_.size(); ++rank) visit(static_cast<std::int64_t>(rank));
    }

    Signature signature(std::size_t rank) const {
        const RankTrace& trace = job_.ranks[rank];
        const Mentions& mentions = mentions_.at(trace.trace.get());
        Signature sign{static_cast<std::int64_t>(class_of_[rank])};
        for (const std::uint32_t slot : mentions.groups) {
            const std::size_t group = job_.groups.of(static_cast<std::int64_t>(rank), slot);
            sign.push_back(static_cast<std::int64_t>(group_class_[group]));
            if (!in_step_[group]) sign.push_back(position(group, static_cast<std::int64_t>(rank)));
        }
        for (const Mentions::End& end : mentions.ends) add_end(rank, end, sign);
        return sign;
    }

    std::int64_t position(std::size_t group, std::int64_t rank) const {
        const auto found = position_[group].find(rank);
        return found == position_[group].end() ? rank : found->second;
    }

    void add_end(std::size_t rank, const Mentions::End& end, Signature& sign) const {
        const RankTrace& own = job_.ranks[rank];
        const auto self = static_cast<std::int64_t>(rank);
        const std::int64_t peer = end.peer == TraceStep::none ? nowhere : own.ranks[end.peer];
        if (peer < 0 || peer >= static_cast<std::int64_t>(class_of_.size())) {
            sign.push_back(nowhere);
            return;
        }
        const RankTrace& other = job_.ranks[static_cast<std::size_t>(peer)];
        sign.push_back(static_cast<std::int64_t>(class_of_[static_cast<std::size_t>(peer)]));
        sign.push_back(slot_of(other.ranks, self));
        sign.push_back(end.tag == TraceStep::none ? nowhere : slot_of(other.tags, own.tags[end.tag]));
        const netsim::AstraHops way = end.sends ? system_.way(self, peer) : system_.way(peer, self);
        sign.push_back(static_cast<std::int64_t>(way.dimension));
        sign.push_back(way.links);
    }

    const AstraJob& job_;
    const AstraSystem& system_;
    std::map<const Trace*, Mentions> mentions_;
    std::map<const Trace*, std::size_t> first_;
    std::vector<std::map<std::int64_t, std::int64_t>> position_;  ///< by group: position of each rank
    std::vector<bool> even_;  ///< by group: whether its collectives treat all members alike
};

}  // namespace

RankClasses::RankClasses(const AstraJob& job, Fold fold) {
    if (fold == Fold::none) {
        class_of_.resize(job.ranks.size());
        std::iota(class_of_.begin(), class_of_.end(), std::size_t{0});
        group_class_.resize(job.groups.groups().size());
        std::iota(group_class_.begin(), group_class_.end(), std::size_t{0});
        in_step_.resize(group_class_.size());
    } else {
        Refinement refinement{job};
        refinement.run();
        class_of_ = std::move(refinement.class_of_);
        group_class_ = std::move(refinement.group_class_);
        in_step_ = std::move(refinement.in_step_);
    }
    for (std::size_t rank = 0; rank < class_of_.size(); ++rank) {
        if (class_of_[rank] == representatives_.size())
            representatives_.push_back(static_cast<std::int64_t>(rank));
    }
}

netsim::AstraMessage RankClasses::common(const AstraJob& job, const netsim::AstraMessage& message) const {
    const std::int64_t stands = representative(of(message.to));
    if (stands == message.to) return message;
    const RankTrace& receiver = job.ranks[static_cast<std::size_t>(message.to)];
    const RankTrace& first = job.ranks[static_cast<std::size_t>(stands)];
    const std::int64_t peer = slot_of(receiver.ranks, message.from);
    const std::int64_t tag = slot_of(receiver.tags, message.tag);
    if (peer == nowhere || tag == nowhere) return message;
    return {first.tags[static_cast<std::size_t>(tag)], first.ranks[static_cast<std::size_t>(peer)], stands,
            message.bytes};
}

}  // namespace dse::sim::replay
