#include "volumes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <nlohmann/json.hpp>

#include "dse/base/error.hpp"
#include "synth/least_squares.hpp"

namespace dse::synth {
namespace {

constexpr std::int32_t absent = 30000;  ///< used in place of a bin if a node lacks a quantity
constexpr std::int32_t most_bins = 1000;
constexpr std::int64_t fine = 1024;
constexpr std::int64_t largest_bin =
    1 + std::int64_t{60} * bins_per_octave;  ///< 2^60, below all limits of traces
constexpr int feature_parts = 16;

std::size_t variable_of(std::size_t label, std::size_t quantity) {
    return label * quantity_count + quantity;
}

/// Bins of a label's nodes, relative to its first node that has the quantity.
class Offsets {
  public:
    explicit Offsets(std::size_t variables) : base_(variables), last_(variables, 0) {}

    std::optional<std::int32_t>& base(std::size_t variable) { return base_[variable]; }
    std::int32_t& last(std::size_t variable) { return last_[variable]; }

  private:
    std::vector<std::optional<std::int32_t>> base_;
    std::vector<std::int32_t> last_;
};

/// Context of the next node's offset: the offset of the last earlier quantity that the same node has, else
/// the offset of the previous node with this label.
struct OffsetContexts {
    Context narrow, wide, widest;
    OffsetContexts(std::size_t variable, std::int32_t hint, bool of_node, std::int64_t above)
        : narrow{context({number(variable), 2 * (hint + absent) + (of_node ? 1 : 0), above})},
          wide{context({number(variable), 2 * (hint + absent) + (of_node ? 1 : 0)})},
          widest{context({number(variable)})} {}
    static std::int64_t number(std::size_t variable) { return static_cast<std::int64_t>(variable); }
};

std::int64_t label_above(const SmallGraph& graph, const Node& node) {
    return node.parents.empty() ? 0xffff : graph.nodes[node.parents.back()].label;
}

std::int32_t rounded(std::int64_t number, std::int64_t unit) {
    const std::int64_t half = number < 0 ? -unit / 2 : unit / 2;
    return static_cast<std::int32_t>((number + half) / unit);
}

}  // namespace

Features features_of(const Conditions& conditions) {
    const auto log = [](std::int64_t n) {
        return n < 1 ? 0
                     : static_cast<std::int32_t>(
                           std::lround(feature_parts * std::log2(static_cast<double>(n))));
    };
    return {log(conditions.devices), log(conditions.near), log(conditions.ring), log(conditions.batch),
            log(conditions.sequence)};
}

std::int32_t VolumeTables::expected(std::size_t variable, const Features& features) const {
    const Trend& trend = trends_[variable];
    std::int64_t sum = trend.mean * feature_parts;
    for (std::size_t f = 0; f < feature_count; ++f) sum += std::int64_t{trend.slopes[f]} * features[f];
    return rounded(sum, fine * feature_parts);
}

std::int64_t VolumeTables::octaves_beyond(const Features& features) const {
    std::int32_t farthest = 0;
    for (std::size_t f = 0; f < feature_count; ++f)
        farthest = std::max({farthest, fewest_[f] - features[f], features[f] - most_[f]});
    return (farthest + feature_parts - 1) / feature_parts;
}

/// Learns from all graphs of a corpus together.
class VolumeFit {
  public:
    explicit VolumeFit(const Corpus& corpus)
        : corpus_{corpus}, variables_{corpus.labels.size() * quantity_count} {}

    VolumeTables run() {
        collect();
        tables_.trends_.resize(variables_);
        find_ranges();
        for (std::size_t v = 0; v < variables_; ++v) fit_trend(v);
        for (std::size_t g = 0; g < corpus_.graphs.size(); ++g) learn(g);
        return std::move(tables_);
    }

  private:
    void collect();
    void find_ranges();
    void fit_trend(std::size_t variable);
    void learn(std::size_t number);
    void learn_offsets(const SmallGraph& graph);

    const Corpus& corpus_;
    std::size_t variables_;
    std::vector<Features> features_;                          ///< by graph
    std::vector<std::map<std::size_t, std::int32_t>> first_;  ///< by graph: first bin of each variable, or
                                                              ///< absent
    VolumeTables tables_;
};

void VolumeFit::collect() {
    for (const SmallGraph& graph : corpus_.graphs) {
        features_.push_back(features_of(graph.conditions));
        std::map<std::size_t, std::int32_t> first;
        for (const Node& node : graph.nodes) {
            for (std::size_t q = 0; q < quantity_count; ++q) {
                const int bin = bin_of(node.volumes[q]);
                const auto [place, added] =
                    first.emplace(variable_of(node.label, q), bin == 0 ? absent : bin);
                if (!added && place->second == absent && bin != 0) place->second = bin;
            }
        }
        first_.push_back(std::move(first));
    }
}

void VolumeFit::find_ranges() {
    tables_.fewest_ = tables_.most_ = features_.front();
    for (const Features& features : features_) {
        for (std::size_t f = 0; f < feature_count; ++f) {
            tables_.fewest_[f] = std::min(tables_.fewest_[f], features[f]);
            tables_.most_[f] = std::max(tables_.most_[f], features[f]);
        }
    }
    for (VolumeTables::Trend& trend : tables_.trends_) trend.least = most_bins;
    for (const SmallGraph& graph : corpus_.graphs) {
        for (const Node& node : graph.nodes) {
            for (std::size_t q = 0; q < quantity_count; ++q) {
                VolumeTables::Trend& trend = tables_.trends_[variable_of(node.label, q)];
                const std::int64_t bin = bin_of(node.volumes[q]);
                if (bin > 0) trend.least = std::min(trend.least, bin);
                trend.most = std::max(trend.most, bin);
            }
        }
    }
    for (VolumeTables::Trend& trend : tables_.trends_) trend.least = std::min(trend.least, trend.most);
}

void VolumeFit::fit_trend(std::size_t variable) {
    std::vector<std::vector<double>> rows;
    std::vector<double> bins;
    for (std::size_t g = 0; g < first_.size(); ++g) {
        const auto found = first_[g].find(variable);
        if (found == first_[g].end() || found->second == absent) continue;
        std::vector<double> row;
        for (const std::int32_t feature : features_[g])
            row.push_back(static_cast<double>(feature) / feature_parts);
        rows.push_back(std::move(row));
        bins.push_back(found->second);
    }
    if (rows.empty()) return;
    // Weight of four observations one octave away: a few graphs say little about a slope, and batches often
    // follow devices.
    constexpr double penalty = 4.0;
    const LinearFit fit = least_squares(rows, bins, penalty);
    VolumeTables::Trend& trend = tables_.trends_[variable];
    const auto in_parts = [](double bins_of) {
        return static_cast<std::int64_t>(std::lround(bins_of * static_cast<double>(fine)));
    };
    trend.mean = in_parts(fit.intercept);
    for (std::size_t f = 0; f < feature_count; ++f)
        trend.slopes[f] = static_cast<std::int32_t>(in_parts(fit.slopes[f]));
}

void VolumeFit::learn(std::size_t number) {
    std::int64_t sum = 0;
    std::int64_t count = 0;
    for (const auto& [variable, bin] : first_[number]) {
        if (bin == absent) continue;
        sum += bin - tables_.expected(variable, features_[number]);
        ++count;
    }
    const std::int32_t scale = count == 0 ? 0 : rounded(sum, count);
    tables_.scale_.add(context({}), scale);
    for (const auto& [variable, bin] : first_[number]) {
        const std::int32_t beyond =
            bin == absent ? absent : bin - tables_.expected(variable, features_[number]) - scale;
        tables_.first_.add(context({static_cast<std::int64_t>(variable)}), beyond);
    }
    learn_offsets(corpus_.graphs[number]);
}

void VolumeFit::learn_offsets(const SmallGraph& graph) {
    Offsets offsets{variables_};
    for (const Node& node : graph.nodes) {
        std::optional<std::int32_t> hint;
        for (std::size_t q = 0; q < quantity_count; ++q) {
            const std::size_t variable = variable_of(node.label, q);
            const int bin = bin_of(node.volumes[q]);
            if (bin != 0 && !offsets.base(variable)) offsets.base(variable) = bin;
            const std::int32_t offset = bin == 0 ? absent : bin - *offsets.base(variable);
            const OffsetContexts at{variable, hint.value_or(offsets.last(variable)), hint.has_value(),
                                    label_above(graph, node)};
            for (const Context one : {at.narrow, at.wide, at.widest}) tables_.further_.add(one, offset);
            offsets.last(variable) = offset;
            if (bin == 0) continue;
            hint = offset;
            tables_.place_.add(context({static_cast<std::int64_t>(variable), bin}),
                               sixteenth_of(node.volumes[q]));
        }
    }
}

VolumeTables VolumeTables::fit(const Corpus& corpus) {
    return VolumeFit{corpus}.run();
}

void VolumeTables::draw(SmallGraph& graph, Random& random) const {
    const Features features = features_of(graph.conditions);
    const std::int32_t scale = scale_.draw(random, {context({})}, 0);
    // Values stay within the range of sizes seen. If devices, batch, … lie outside of their own range, the
    // range of sizes is widened by as many octaves.
    const std::int64_t beyond_seen = bins_per_octave * octaves_beyond(features);
    Offsets offsets{trends_.size()};
    for (Node& node : graph.nodes) {
        std::optional<std::int32_t> hint;
        for (std::size_t q = 0; q < quantity_count; ++q) {
            const std::size_t variable = variable_of(node.label, q);
            std::optional<std::int32_t>& base = offsets.base(variable);
            if (!base) {
                const auto beyond =
                    first_.draw(random, {context({static_cast<std::int64_t>(variable)})}, absent);
                base = beyond == absent ? absent : expected(variable, features) + scale + beyond;
            }
            const OffsetContexts at{variable, hint.value_or(offsets.last(variable)), hint.has_value(),
                                    label_above(graph, node)};
            const std::int32_t offset = further_.draw(random, {at.narrow, at.wide, at.widest}, absent);
            offsets.last(variable) = offset;
            if (offset == absent || *base == absent) continue;
            hint = offset;
            const Trend& trend = trends_[variable];
            const auto bin = static_cast<int>(std::clamp<std::int64_t>(
                std::int64_t{*base} + offset, std::max<std::int64_t>(1, trend.least - beyond_seen),
                std::min<std::int64_t>(largest_bin, trend.most + beyond_seen)));
            const Histogram* seen = place_.find(context({static_cast<std::int64_t>(variable), bin}));
            const int sixteenth = seen != nullptr ? seen->draw(random) : static_cast<int>(random.below(16));
            node.volumes[q] = volume_in(bin, sixteenth);
        }
    }
}

nlohmann::json VolumeTables::to_json() const {
    nlohmann::json trends = nlohmann::json::array();
    for (const Trend& trend : trends_) {
        nlohmann::json row = nlohmann::json::array({trend.mean});
        for (const std::int32_t slope : trend.slopes) row.push_back(slope);
        row.push_back(trend.least);
        row.push_back(trend.most);
        trends.push_back(std::move(row));
    }
    return {{"trends", std::move(trends)}, {"fewest", fewest_},         {"most", most_},
            {"scale", scale_.to_json()},   {"first", first_.to_json()}, {"further", further_.to_json()},
            {"place", place_.to_json()}};
}

VolumeTables VolumeTables::from_json(const nlohmann::json& json, std::size_t labels) {
    constexpr std::int64_t most_slope = 1 << 24;
    VolumeTables tables;
    for (const nlohmann::json& row : json.at("trends")) {
        Trend trend;
        trend.mean = row.at(0).get<std::int64_t>();
        for (std::size_t f = 0; f < feature_count; ++f)
            trend.slopes[f] = static_cast<std::int32_t>(
                std::clamp(row.at(f + 1).get<std::int64_t>(), -most_slope, most_slope));
        trend.mean = std::clamp(trend.mean, -fine * most_bins, fine * most_bins);
        trend.least = std::clamp<std::int64_t>(row.at(feature_count + 1).get<std::int64_t>(), 1, largest_bin);
        trend.most =
            std::clamp<std::int64_t>(row.at(feature_count + 2).get<std::int64_t>(), trend.least, largest_bin);
        tables.trends_.push_back(trend);
    }
    if (tables.trends_.size() != labels * quantity_count)
        throw InputError("it has trends for another number of operators");
    json.at("fewest").get_to(tables.fewest_);
    json.at("most").get_to(tables.most_);
    tables.scale_ = Table::from_json(json.at("scale"), -most_bins, most_bins);
    tables.first_ = Table::from_json(json.at("first"), -absent, absent);
    tables.further_ = Table::from_json(json.at("further"), -absent, absent);
    tables.place_ = Table::from_json(json.at("place"), 0, 15);
    return tables;
}

}  // namespace dse::synth
