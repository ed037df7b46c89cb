#pragma once

#include <string>
#include <vector>

#include "dse/config/diagnostics.hpp"
#include "dse/config/field_index.hpp"
#include "dse/config/node.hpp"

namespace dse::space {

/// An axis whose values are records that all set the same fields: [{tp: 8, pp: 1}, {tp: 4, pp: 2}]. The
/// values of the axis are one label per record, from which the fields are derived.
struct JointAxis {
    struct Column {
        std::string field;          ///< as written in the records
        const config::Node* where;  ///< its place in the first record
        std::string formula;        ///< "8 if layout == 'tp=8, pp=1' else 4"
        std::string unit;           ///< in which all records write the field, "Gbps"; else empty
    };
    std::vector<std::string> labels;  ///< "tp=8, pp=1"; empty after an error
    std::vector<Column> columns;
};

/// The records that are the values of an axis: a list of maps, or a single map that is not a range. Empty if
/// its values are not records.
std::vector<const config::Node*> records_of(const config::Node& values);

/// Label of a record. \param first  the axis's first record, which determines the order of the fields
std::string label_of(const config::Node& record, const config::Node& first);

/// \param name     of the axis
/// \param records  at least one
JointAxis read_joint(const std::string& name, const std::vector<const config::Node*>& records,
                     const config::FieldIndex& fields, config::Diagnostics& diagnostics);

/// All orders of some names, {permutations: [tp, dp, pp]}, in lexicographic order, as names joined by '-'.
/// \param choices  values of the field, if it has a fixed set of them. Each order stands for the first choice
///                 that has the names in this order, possibly among others. Empty: any value is allowed, and
///                 the result consists of the names alone
/// \return empty after an error
std::vector<std::string> read_permutations(const config::Node& names, const std::vector<std::string>& choices,
                                           config::Diagnostics& diagnostics);

}  // namespace dse::space
