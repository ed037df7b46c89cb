#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "dse/explore/search.hpp"
#include "dse/metrics/objective.hpp"
#include "dse/results/proof.hpp"
#include "dse/space/bounder.hpp"
#include "dse/space/box.hpp"
#include "explore/judge.hpp"
#include "explore/lattice.hpp"
#include "explore/proven_front.hpp"
#include "explore/spending.hpp"

namespace dse::explore {

/// The front of a space, with a proof: branch and bound over boxes. A box is settled if the space drops all
/// of it, if its bounds show that no point of it has an answer, or if a known answer is as good as its
/// bounds. The others are split, those whose bounds are farthest beyond the known answers first, until they
/// are points, which are evaluated.
///
/// With a tolerance the answers told are, at the end, within it in every objective of whatever the space has;
/// without one they contain the front, all of several equal answers included. It can be ended at any time,
/// and says how far it was. A budget of time ends it at a prefix of the same points.
class ProvenSearch final : public Search {
  public:
    /// Seconds, by a clock that never goes back.
    using Clock = std::function<double()>;

    /// \param bounder  of boxes of the space
    /// \param known    points of the space that older files answer: it asks for the best of them first
    /// \param clock    by which budgets of time count what it spends itself, on bounds; by default the
    /// machine's \throws InputError for a space that has an axis without steps or more points than 63 bits
    ///         number, and for objectives that have no bounds
    ProvenSearch(const std::shared_ptr<const space::Space>& space,
                 const std::vector<metrics::Objective>& objectives, std::unique_ptr<space::Bounder> bounder,
                 std::span<const space::Record> known = {}, Clock clock = {});

    [[nodiscard]] std::uint64_t size() const override { return budget_; }
    bool prepare() override;
    std::vector<Trial> ask() override;
    void tell(std::span<const space::Record> records) override;
    [[nodiscard]] std::size_t lag() const override { return 1; }
    [[nodiscard]] std::string state() const override;
    [[nodiscard]] std::optional<dist::ProofProgress> progress() const override;
    [[nodiscard]] std::optional<results::Proof> proof() const override;
    void recall(const results::Proof& proof) override { spent_at_ = proof.spent_at; }

  private:
    struct Node {
        space::Box box;
        std::vector<double> lower;  ///< of costs; −infinity: unknown
        double gap{0.0};            ///< when last computed: an upper bound of the current one
        std::uint64_t number{0};    ///< in order of creation
    };
    struct LessUrgent {
        bool operator()(const Node& a, const Node& b) const;
    };
    /// The gain from splitting an axis.
    struct Experience {
        double gain{0.0};
        double splits{0.0};
    };

    void know(std::span<const space::Record> known);
    void begin_ask();
    bool wants_more();
    void take_step();
    std::vector<Trial> ask_for_known();
    void spend();
    bool is_spent();
    void refresh();
    void treat(Node node, std::vector<Trial>& trials);
    void split(const Node& node);
    std::vector<double> add(space::Box box, const std::vector<double>& known);
    bool bound(Node& node);
    [[nodiscard]] std::size_t axis_to_split(const space::Box& box) const;
    [[nodiscard]] bool is_bounded(const space::Box& box) const;
    [[nodiscard]] std::vector<double> costs_of(const metrics::Metrics& best) const;
    [[nodiscard]] std::vector<double> in_own_units(std::vector<double> lower) const;
    std::uint64_t ask_for(const std::vector<std::uint64_t>& digits, double gap, std::vector<Trial>& trials);
    void probe(std::vector<Trial>& trials);
    std::optional<std::uint64_t> probe(const Node& node, std::vector<Trial>& trials);
    void push(Node node);
    Node pop();
    void settle(space::Box box, results::Proof::Verdict verdict, std::uint64_t row,
                const std::vector<double>& lower);
    void mark();

    std::vector<metrics::Objective> objectives_;
    std::unique_ptr<space::Bounder> bounder_;
    Lattice lattice_;
    Judge judge_;
    space::BoxFilter filter_;
    double tolerance_;
    std::uint64_t budget_;
    Clock clock_;
    double clock_read_{0.0};
    Spending spending_;
    std::optional<std::uint64_t> spent_at_;  ///< points after which a budget of time was spent
    std::deque<Genome> known_best_;          ///< of older answers, not yet asked for
    std::uint64_t known_again_{0};           ///< asked for, the first of all
    std::vector<Node> open_;                 ///< a heap, the most urgent first
    /// Open too, until the row is told.
    std::deque<std::pair<std::uint64_t, Node>> waiting_;
    std::vector<bool> enumerated_;
    std::map<std::pair<std::size_t, std::uint64_t>, Experience>
        experience_;  ///< by axis and length of the run
    ProvenFront front_;
    std::map<Genome, std::uint64_t> rows_;    ///< of the points asked for
    std::optional<std::vector<Trial>> next_;  ///< those of the ask that is being prepared
    bool is_ready_{false};                    ///< next_ can be handed out
    std::uint64_t look_after_{0};             ///< of its bounds: it then tries a promising point
    std::deque<double> under_way_;            ///< gaps of the points asked for and not told
    double settled_points_{0.0};              ///< of the grid, in settled boxes
    double settled_gap_{0.0};                 ///< the largest gap of the boxes settled as dominated
    std::uint64_t told_{0};
    std::uint64_t bounded_{0};
    std::uint64_t made_{0};
    std::vector<results::Proof::Part> parts_;
    std::vector<results::Proof::Mark> course_;
};

}  // namespace dse::explore
