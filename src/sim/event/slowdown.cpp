#include "sim/event/slowdown.hpp"

#include <algorithm>

#include "dse/base/check.hpp"
#include "dse/sim/durations.hpp"

namespace dse::sim::event {

void Slowdown::advance(Rank& rank, double now) const {
    DSE_EXPECT(now >= rank.since);
    if (rank.runs) rank.left = std::max(0.0, rank.left - (now - rank.since) / pace(rank));
    rank.since = now;
}

Slowdown::Finish Slowdown::finish(Rank& rank) const {
    return {quantise(rank.since + rank.left * pace(rank)), ++rank.number};
}

Slowdown::Finish Slowdown::begin(std::int64_t number, double now, double duration) {
    Rank& rank = at(ranks_, number);
    DSE_EXPECT(!rank.runs);
    advance(rank, now);
    rank.runs = true;
    rank.left = duration;
    return finish(rank);
}

std::optional<Slowdown::Finish> Slowdown::arrive(std::int64_t number, double now) {
    Rank& rank = at(ranks_, number);
    advance(rank, now);
    const bool changes = ++rank.beside == 1 && rank.runs;
    return changes ? std::optional{finish(rank)} : std::nullopt;
}

std::optional<Slowdown::Finish> Slowdown::depart(std::int64_t number, double now) {
    Rank& rank = at(ranks_, number);
    DSE_EXPECT(rank.beside > 0);
    advance(rank, now);
    const bool changes = --rank.beside == 0 && rank.runs;
    return changes ? std::optional{finish(rank)} : std::nullopt;
}

bool Slowdown::end(std::int64_t number, const Finish& finish) {
    Rank& rank = at(ranks_, number);
    if (!rank.runs || rank.number != finish.number) return false;
    rank.runs = false;
    rank.since = finish.time;
    return true;
}

}  // namespace dse::sim::event
