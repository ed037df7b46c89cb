#include "dse/space/joint_axis.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dse/base/nearest.hpp"
#include "dse/config/field.hpp"
#include "space/axis_yaml.hpp"
#include "space/field_names.hpp"

namespace dse::space {
namespace {

using config::Diagnostics;
using config::FieldIndex;
using config::FieldInfo;
using config::FieldType;
using config::Node;

/// More of them nobody would list: 40,320 orders.
constexpr std::size_t most_names = 8;

/// What a formula that chooses by record may have, which names each record but the last by its label: else
/// branches, and characters (the limits of symbolic::ParsedExpression).
constexpr std::size_t most_records = 127;
constexpr std::size_t longest_formula = 4096;

/// Of maps that are no records: ranges, conditions, permutations.
constexpr std::array<std::string_view, 8> other_keys{"from",  "to",   "step",   "scale",
                                                     "count", "when", "values", "permutations"};

std::vector<std::string> keys_of(const Node& record) {
    std::vector<std::string> keys;
    for (const Node::Entry& entry : record.entries()) keys.push_back(entry.key);
    return keys;
}

/// The records of one axis.
class Records {
  public:
    Records(const std::vector<const Node*>& records, const FieldIndex& fields, Diagnostics& diagnostics)
        : records_{records}, keys_{keys_of(*records.front())}, fields_{fields}, diagnostics_{diagnostics} {}

    JointAxis read(const std::string& name) {
        for (const Node* record : records_)
            if (!is_complete(*record)) return {};
        for (const std::string& key : keys_)
            if (!holds_names(key)) return {};
        JointAxis axis;
        for (const Node* record : records_) axis.labels.push_back(label_of(*record, *records_.front()));
        if (!are_different(axis.labels)) return {};
        for (const std::string& key : keys_)
            axis.columns.push_back(
                {key, records_.front()->find(key), formula_of(name, key, axis.labels), unit_of(key)});
        if (!are_few(axis)) return {};
        return axis;
    }

  private:
    bool fail(const Node& where, const std::string& message) {
        diagnostics_.error(where.location(), where.path(), message);
        return false;
    }

    bool is_complete(const Node& record) {
        if (!record.is_map() || record.entries().empty())
            return fail(record, fmt::format("expected a record such as {{tp: 8, pp: 1}}, found {}",
                                            record.describe()));
        for (const Node::Entry& entry : record.entries()) {
            if (std::find(keys_.begin(), keys_.end(), entry.key) == keys_.end())
                return fail(entry.value,
                            fmt::format("the first record has no '{}'{}: all set the same fields", entry.key,
                                        suggestion(entry.key, keys_)));
            if (!entry.value.is_scalar() || entry.value.text().empty())
                return fail(entry.value, fmt::format("expected a value, found {}", entry.value.describe()));
            if (entry.value.text().find('\'') != std::string::npos)
                return fail(entry.value, fmt::format("a record cannot hold {}, which has a quote in it",
                                                     entry.value.describe()));
        }
        for (const std::string& key : keys_)
            if (record.find(key) == nullptr)
                return fail(record, fmt::format("'{}' is missing, which the first record has", key));
        return true;
    }

    /// Whether all records name something that there is, where a field holds names.
    bool holds_names(const std::string& key) {
        const FieldMatch match = match_field(fields_, key);
        if (match.field == nullptr || match.field->info().type != FieldType::text) return true;
        return std::all_of(records_.begin(), records_.end(), [&](const Node* record) {
            return read_name(*record->find(key), match.field->info(), diagnostics_).has_value();
        });
    }

    bool are_few(const JointAxis& axis) {
        std::size_t longest = 1;
        for (const JointAxis::Column& column : axis.columns)
            longest = std::max(longest, column.formula.size());
        if (records_.size() <= most_records && longest <= longest_formula) return true;
        const std::size_t fit = std::min(most_records, records_.size() * longest_formula / longest);
        return fail(*records_.front(),
                    fmt::format("{} records are too many, about {} of this length fit: divide the sweep, "
                                "derive what others determine, or make fields axes of their own",
                                records_.size(), fit));
    }

    bool are_different(const std::vector<std::string>& labels) {
        for (auto label = labels.begin(); label != labels.end(); ++label)
            if (std::find(labels.begin(), label, *label) != label)
                return fail(*records_[static_cast<std::size_t>(label - labels.begin())],
                            fmt::format("the record {} appears twice", *label));
        return true;
    }

    /// One record alone stands under its label too: what no formula uses is no axis.
    std::string formula_of(const std::string& name, const std::string& key,
                           const std::vector<std::string>& labels) {
        const std::size_t last = labels.size() - 1;
        std::string formula;
        for (std::size_t i = 0; i < std::max<std::size_t>(last, 1); ++i)
            formula += fmt::format("{} if {} == '{}' else ", literal(key, i), name, labels[i]);
        return formula + literal(key, last);
    }

    std::string unit_of(const std::string& key) {
        const FieldMatch match = match_field(fields_, key);
        if (match.field == nullptr) return {};
        std::vector<const Node*> values;
        for (const Node* record : records_) values.push_back(record->find(key));
        return shared_unit(values, match.field->info());
    }

    /// As an expression has it: quantities in SI units, names in quotes. What sets no field is a number.
    std::string literal(const std::string& key, std::size_t record) {
        const Node& value = *records_[record]->find(key);
        const FieldMatch match = match_field(fields_, key);
        if (match.field == nullptr) return value.text();
        const FieldInfo& info = match.field->info();
        if (info.type == FieldType::choice || info.type == FieldType::text) return "'" + value.text() + "'";
        const auto number = config::parse_value(value, info, diagnostics_);
        if (info.type == FieldType::flag) return number.value_or(0.0) != 0.0 ? "true" : "false";
        return fmt::format("{}", number.value_or(0.0));
    }

    const std::vector<const Node*>& records_;
    std::vector<std::string> keys_;
    const FieldIndex& fields_;
    Diagnostics& diagnostics_;
};

/// Names of a choice without those that are not among `names`: "tp-cp-ep-dp-pp" → "tp-dp-pp".
std::string without_others(std::string_view choice, const std::vector<std::string>& names) {
    std::vector<std::string_view> kept;
    while (!choice.empty()) {
        const std::string_view part = choice.substr(0, choice.find('-'));
        if (std::find(names.begin(), names.end(), part) != names.end()) kept.push_back(part);
        choice.remove_prefix(std::min(choice.size(), part.size() + 1));
    }
    return fmt::format("{}", fmt::join(kept, "-"));
}

}  // namespace

std::vector<const Node*> records_of(const Node& values) {
    std::vector<const Node*> records;
    if (values.is_sequence() && !values.items().empty() && values.items().front().is_map())
        for (const Node& item : values.items()) records.push_back(&item);
    const auto is_none = [](const Node::Entry& entry) {
        return std::find(other_keys.begin(), other_keys.end(), entry.key) != other_keys.end();
    };
    if (values.is_map() && std::none_of(values.entries().begin(), values.entries().end(), is_none))
        records.push_back(&values);
    return records;
}

std::string label_of(const Node& record, const Node& first) {
    std::vector<std::string> parts;
    for (const Node::Entry& entry : first.entries()) {
        const Node* value = record.find(entry.key);
        if (value != nullptr) parts.push_back(entry.key + "=" + value->text());
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

JointAxis read_joint(const std::string& name, const std::vector<const Node*>& records,
                     const FieldIndex& fields, Diagnostics& diagnostics) {
    return Records{records, fields, diagnostics}.read(name);
}

std::vector<std::string> read_permutations(const Node& names, const std::vector<std::string>& choices,
                                           Diagnostics& diagnostics) {
    const auto fail = [&](const std::string& message) {
        diagnostics.error(names.location(), names.path(), message);
        return std::vector<std::string>{};
    };
    std::vector<std::string> order;
    if (names.is_sequence())
        for (const Node& item : names.items()) order.push_back(item.is_scalar() ? item.text() : "");
    if (order.size() < 2 || order.size() > most_names)
        return fail(fmt::format("'permutations' is a list of 2 to {} names", most_names));
    std::sort(order.begin(), order.end());
    if (std::adjacent_find(order.begin(), order.end()) != order.end())
        return fail("a name of 'permutations' appears twice");
    std::vector<std::string> result;
    do {
        const std::string text = fmt::format("{}", fmt::join(order, "-"));
        const auto found = std::find_if(choices.begin(), choices.end(), [&](const std::string& choice) {
            return without_others(choice, order) == text;
        });
        if (!choices.empty() && found == choices.end())
            return fail(fmt::format("no value of the field has the order {}; values are such as {}", text,
                                    choices.front()));
        result.push_back(choices.empty() ? text : *found);
    } while (std::next_permutation(order.begin(), order.end()));
    return result;
}

}  // namespace dse::space
