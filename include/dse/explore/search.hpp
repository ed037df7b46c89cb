#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dse/dist/trial.hpp"
#include "dse/results/proof.hpp"
#include "dse/space/record.hpp"
#include "dse/space/sampler.hpp"

namespace dse::explore {

using dist::Fidelity;
using dist::Trial;

/// Chooses the points that a campaign evaluates. One that learns is told the records of its points in the
/// order in which it asked for them; what it asks for next is a function of these alone. So it asks for the
/// same points with one rank and with a thousand, and a campaign that was stopped comes to the same state
/// when the records on disk are told again. A search may hold others, and functions of its own (bounds of
/// boxes).
class Search {
  public:
    Search() = default;
    Search(const Search&) = delete;
    Search& operator=(const Search&) = delete;
    virtual ~Search() = default;

    /// Points that it asks for at most; rows have the ids 0 … size() − 1.
    [[nodiscard]] virtual std::uint64_t size() const = 0;

    /// The next points (a generation, a neighbourhood), each with the fidelity of its answer. None where it
    /// must be told more first, or has come to its end: that it has where all it asked for is told. Their ids
    /// are not looked at: the n-th point that is asked for has id n.
    virtual std::vector<Trial> ask() = 0;

    /// The records of one ask() that asked for some, in its order. Between two tells, ask() is called once.
    virtual void tell(std::span<const space::Record> records) = 0;

    /// How many asks the telling lags behind: with 0 all records of an ask are told before the next one; with
    /// more, workers need not wait for the last of them. The n-th ask, counted from 0, follows the tells of
    /// the asks before n − lag(), and no others.
    [[nodiscard]] virtual std::size_t lag() const { return 0; }

    /// How far it is, for people and for comparisons: equal after the same records.
    [[nodiscard]] virtual std::string state() const = 0;

    /// Where the points are known beforehand, what they are: ids are then handed out instead of points, and
    /// nothing is asked or told. nullptr for a search that learns.
    [[nodiscard]] virtual const space::Sampler* sampler() const { return nullptr; }

    /// Of a search that proves: how far it is, as Proof::Mark says it; infinite at first.
    [[nodiscard]] virtual std::optional<double> epsilon() const { return std::nullopt; }

    /// Of a search that proves: what it has shown so far.
    [[nodiscard]] virtual std::optional<results::Proof> proof() const { return std::nullopt; }

    /// What an earlier run of it has shown, before the first ask: it ends where that one did, whose budget of
    /// time was spent on more than evaluations.
    virtual void recall(const results::Proof& /*proof*/) {}
};

}  // namespace dse::explore
