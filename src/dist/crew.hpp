#pragma once

#include <map>

#include "dist/leaseholder.hpp"
#include "dse/dist/channel.hpp"

namespace dse::dist {

/// The other ranks, as rank 0 knows them: who has spoken, who is at work, who is gone; and the way to tell
/// them something.
class Crew {
  public:
    /// \param channel  rank 0's end; outlives this
    explicit Crew(Channel& channel) : channel_{&channel} {}

    /// A rank; from its first mention on it is known.
    Leaseholder& operator[](int rank) { return workers_[rank]; }

    /// Every rank counts as known, also one that has not yet said that it is ready.
    void expect_all();

    void send(int to, MessageKind kind, const Range& range = {});

    /// To every known rank that is not closed.
    void tell_all(MessageKind kind);

    [[nodiscard]] int known() const { return static_cast<int>(workers_.size()); }
    [[nodiscard]] int active() const;
    [[nodiscard]] int lost() const;

    /// Whether every rank of the channel but this one is known.
    [[nodiscard]] bool is_complete() const { return known() + 1 >= channel_->size(); }
    /// Whether a rank holds indices whose rows are not on disk.
    [[nodiscard]] bool holds_leases() const;
    /// Whether a known rank is neither closed nor lost.
    [[nodiscard]] bool is_open() const { return active() > 0; }

    /// Known ranks with their numbers, ascending.
    [[nodiscard]] auto begin() { return workers_.begin(); }
    [[nodiscard]] auto end() { return workers_.end(); }

  private:
    Channel* channel_;
    std::map<int, Leaseholder> workers_;
};

}  // namespace dse::dist
