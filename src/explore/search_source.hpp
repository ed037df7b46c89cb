#pragma once

#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "dse/dist/trial_source.hpp"
#include "dse/explore/search.hpp"

namespace dse::explore {

/// Records by id.
using Replay = std::map<std::uint64_t, space::Record>;

/// The points of a learning search for the farm: asks and tells in an order that depends neither on the ranks
/// nor on timing. Points whose records are already known are not handed out.
class SearchSource final : public dist::TrialSource {
  public:
    /// \param search  new; must outlive this object
    /// \param known   records of earlier runs
    /// \param limit   largest number of trials to hand out
    /// \throws InputError if the search asks for other points than those in `known`
    SearchSource(Search& search, Replay known,
                 std::uint64_t limit = std::numeric_limits<std::uint64_t>::max());

    std::optional<Trial> next() override;
    void answer(const space::Record& record) override;
    [[nodiscard]] bool exhausted() const override;

    /// Everything that the search asked for has been told, and it asks for nothing more.
    [[nodiscard]] bool complete() const { return ended_ && batches_.empty(); }

  private:
    /// The result of one ask().
    struct Batch {
        std::uint64_t first{0};
        std::vector<space::Record> records;
        std::vector<bool> answered;
        std::size_t open{0};  ///< not answered
    };

    /// Asks as far ahead as the lag allows, and tells completed batches in order. A search that needs more
    /// than a moment for its next points goes on when the farm asks again.
    void advance();
    void ask();
    void wait_or_end();
    /// The record of a trial that an earlier run has evaluated.
    space::Record known(const Trial& trial);
    Batch* batch_of(std::uint64_t id);

    Search& search_;
    Replay known_;
    std::uint64_t left_;  ///< trials that may still be handed out
    std::deque<Trial> waiting_;
    std::deque<Batch> batches_;  ///< asked for and not told
    std::uint64_t asked_{0};
    bool ended_{false};
    bool is_preparing_{false};  ///< the search has not answered the last ask
};

}  // namespace dse::explore
