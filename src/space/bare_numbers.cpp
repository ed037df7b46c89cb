#include "space/bare_numbers.hpp"

#include <algorithm>

#include "dse/config/bare_number.hpp"
#include "dse/config/written_unit.hpp"
#include "dse/symbolic/bare_comparison.hpp"

namespace dse::space {
namespace {

config::Dimension dimension_of(const config::FieldInfo& info) {
    return info.type == config::FieldType::quantity ? info.dimension : config::Dimension{};
}

config::Dimension dimension_of(const Referent& referent, const std::vector<Axis>& axes,
                               std::span<const config::FieldInfo> derived,
                               std::span<const std::string> metrics) {
    switch (referent.kind) {
        case Referent::Kind::axis:
            return dimension_of(axes[referent.index].info);
        case Referent::Kind::derived:
            return dimension_of(derived[referent.index]);
        case Referent::Kind::field:
            return dimension_of(referent.field->info());
        case Referent::Kind::metric:
            break;
    }
    return referent.index < metrics.size() ? config::dimension_of_unit(metrics[referent.index])
                                           : config::Dimension{};
}

}  // namespace

void note_bare_numbers(const Formula& formula, const Uses& uses, const std::vector<Axis>& axes,
                       std::span<const config::FieldInfo> derived, std::span<const std::string> metrics,
                       config::Diagnostics& diagnostics) {
    for (const symbolic::BareComparison& comparison : symbolic::bare_comparisons(formula.parsed)) {
        const auto use = std::find_if(uses.begin(), uses.end(),
                                      [&](const Use& each) { return each.written == comparison.name.name; });
        if (use == uses.end()) continue;
        const config::Dimension dimension = dimension_of(use->referent, axes, derived, metrics);
        const std::string note = config::bare_number_note(comparison.name.name, comparison.number, dimension);
        if (note.empty()) continue;
        config::Location where = formula.text_where;
        where.column += static_cast<int>(comparison.name.position);
        diagnostics.warning(where, formula.path, note);
    }
}

}  // namespace dse::space
