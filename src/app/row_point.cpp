#include "app/row_point.hpp"

#include "dse/space/grid_index.hpp"

namespace dse::app {

space::Point point_of(const study::Sweep& sweep, const results::Table& rows, std::size_t row) {
    space::Point point;
    for (const std::vector<double>& column : rows.points) point.values.push_back(column[row]);
    point.id = space::grid_index(*sweep.space, point.values).value_or(rows.point_id[row]);
    return point;
}

}  // namespace dse::app
