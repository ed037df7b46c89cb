#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dist/leaseholder.hpp"
#include "dse/dist/channel.hpp"

namespace dse::dist {

/// The other ranks, as rank 0 knows them: who has spoken, who is at work, who is gone; and the way to tell
/// them something. What is asked at each message costs the same with ten ranks and ten thousand.
class Crew {
  public:
    /// \param channel  rank 0's end; outlives this
    explicit Crew(Channel& channel)
        : channel_{&channel}, members_(static_cast<std::size_t>(channel.size())) {}

    /// Does something to a rank; from its first mention on it is known.
    /// \param change  (Leaseholder&) -> anything
    template <class Change>
    decltype(auto) change(int rank, Change&& change) {
        count(rank, -1);
        // Counted again however the change ends.
        const Recount after{*this, rank};
        return std::invoke(std::forward<Change>(change), *members_[static_cast<std::size_t>(rank)].worker);
    }

    [[nodiscard]] double rate(int rank) const { return worker(rank).rate(); }

    /// Every rank counts as known, also one that has not yet said that it is ready.
    void expect_all();

    void send(int to, MessageKind kind, const Range& range = {}, std::string body = {});

    /// To every known rank that is not closed.
    void tell_all(MessageKind kind);

    /// A rank that wants a lease, the same until it has enough; then they take turns. None where all have
    /// enough.
    std::optional<int> next_without_lease();

    /// Active ranks that were silent for so long, ascending.
    [[nodiscard]] std::vector<int> silent(Leaseholder::Clock::duration limit) const;

    [[nodiscard]] int known() const { return known_; }
    /// Known ranks that are neither closed nor lost.
    [[nodiscard]] int active() const { return active_; }
    [[nodiscard]] int lost() const { return lost_; }

    /// Whether every rank of the channel but this one is known.
    [[nodiscard]] bool is_complete() const { return known() + 1 >= channel_->size(); }
    /// Whether a rank holds indices whose rows are not on disk.
    [[nodiscard]] bool holds_leases() const { return holders_ > 0; }
    [[nodiscard]] bool is_open() const { return active() > 0; }

  private:
    struct Member {
        std::optional<Leaseholder> worker;  ///< of a known rank
        bool in_turn{false};                ///< stands in turns_
    };

    struct Recount {
        Crew& crew;
        int rank;
        Recount(Crew& counted, int changed) : crew{counted}, rank{changed} {}
        Recount(const Recount&) = delete;
        Recount& operator=(const Recount&) = delete;
        ~Recount() { crew.count(rank, 1); }
    };

    [[nodiscard]] const Leaseholder& worker(int rank) const {
        return *members_[static_cast<std::size_t>(rank)].worker;
    }
    /// Adds a rank to the counts, or takes it out; makes it known.
    void count(int rank, int sign);

    Channel* channel_;
    std::vector<Member> members_;  ///< by rank
    std::deque<int> turns_;        ///< ranks that wanted a lease when they were last looked at
    int known_{0};
    int active_{0};
    int lost_{0};
    int holders_{0};
};

}  // namespace dse::dist
