#pragma once

#include <string>
#include <vector>

#include "dse/config/diagnostics.hpp"
#include "dse/config/field_index.hpp"
#include "dse/config/node.hpp"

namespace dse::space {

/// An axis whose values are records, each of which sets the same fields: [{tp: 8, pp: 1}, {tp: 4, pp: 2}]. As
/// an axis it has a label for each record; its fields are derived from the label.
struct JointAxis {
    struct Column {
        std::string field;          ///< as the records write it
        const config::Node* where;  ///< in the first record
        std::string formula;        ///< "8 if layout == 'tp=8, pp=1' else 4"
    };
    std::vector<std::string> labels;  ///< "tp=8, pp=1"; none after an error
    std::vector<Column> columns;
};

/// The records that an axis takes its values from: a list of maps, or one map that is no range. None where
/// its values are none.
std::vector<const config::Node*> records_of(const config::Node& values);

/// What a record is called. \param first  of the axis's records, whose order of fields it has
std::string label_of(const config::Node& record, const config::Node& first);

/// \param name     of the axis
/// \param records  one at least
JointAxis read_joint(const std::string& name, const std::vector<const config::Node*>& records,
                     const config::FieldIndex& fields, config::Diagnostics& diagnostics);

/// The orders of some names: {permutations: [tp, dp, pp]}, in lexicographic order, as names joined by '-'.
/// \param choices  what the field knows: of those that have the names in an order, among others, the first is
/// taken;
///                 of a field that knows none the names alone are
/// \returns none after an error
std::vector<std::string> read_permutations(const config::Node& names, const std::vector<std::string>& choices,
                                           config::Diagnostics& diagnostics);

}  // namespace dse::space
