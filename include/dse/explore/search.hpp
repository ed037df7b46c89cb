#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dse/dist/proof_progress.hpp"
#include "dse/dist/trial.hpp"
#include "dse/results/proof.hpp"
#include "dse/space/record.hpp"
#include "dse/space/sampler.hpp"

namespace dse::explore {

using dist::Fidelity;
using dist::Trial;

/// Chooses the points that a campaign evaluates. An adaptive search is told the records of its points in the
/// order in which it asked for them, and what it asks for next depends on these alone. It therefore asks for
/// the same points on one rank and on a thousand, and a stopped campaign returns to the same state when it is
/// told the records on disk. A search may contain other searches, and functions of its own (bounds of boxes).
class Search {
  public:
    Search() = default;
    Search(const Search&) = delete;
    Search& operator=(const Search&) = delete;
    virtual ~Search() = default;

    /// Largest number of points that it asks for; rows have the ids 0 … size() − 1.
    [[nodiscard]] virtual std::uint64_t size() const = 0;

    /// The next points (a generation, a neighbourhood), each with the fidelity to use. Empty if it must first
    /// be told more, or if it has ended, which is the case when everything it asked for has been told. The
    /// ids of the points are ignored: the n-th point that is asked for has id n.
    virtual std::vector<Trial> ask() = 0;

    /// Works towards the next ask() for a moment (some tenth of a second), so that whoever calls it can look
    /// after others meanwhile. The points asked for do not depend on how often it is called.
    /// \return whether ask() can answer at once; false: call it again
    virtual bool prepare() { return true; }

    /// Passes the records of one non-empty ask(), in the same order. Between two tells, ask() is called once.
    virtual void tell(std::span<const space::Record> records) = 0;

    /// By how many asks the tells lag behind. With 0, all records of an ask are told before the next ask;
    /// with more, workers need not wait for the slowest record. The n-th ask (from 0) follows exactly the
    /// tells of the asks before n − lag().
    [[nodiscard]] virtual std::size_t lag() const { return 0; }

    /// Description of its state for display and comparison: equal after the same records.
    [[nodiscard]] virtual std::string state() const = 0;

    /// The sampler, if the points are known in advance: ids are then handed out instead of points, and
    /// nothing is asked or told. nullptr for an adaptive search.
    [[nodiscard]] virtual const space::Sampler* sampler() const { return nullptr; }

    /// For a search that proves its front: how far it is, with the ε reached (see Proof::Mark).
    [[nodiscard]] virtual std::optional<dist::ProofProgress> progress() const { return std::nullopt; }

    /// For a search that proves its front: the proof so far.
    [[nodiscard]] virtual std::optional<results::Proof> proof() const { return std::nullopt; }

    /// What an earlier run of it has shown, before the first ask: it ends where that one did, whose budget of
    /// time was spent on more than evaluations.
    virtual void recall(const results::Proof& /*proof*/) {}
};

}  // namespace dse::explore
