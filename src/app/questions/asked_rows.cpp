#include "app/questions/asked_rows.hpp"

#include "app/unsealed.hpp"

namespace dse::app {

AskedRows::AskedRows(const RowQuestion& question)
    : file_{question.file},
      reader_{question.file, results::ResultsReader::Extent::so_far, question.trust},
      groups_{reader_.columns(), question.by},
      rows_where_{question.where},
      varied_{reader_.columns()} {}

void AskedRows::warn() {
    warn_if_unsealed(columns(), file_);
    warn_if_incomplete(reader_, file_);
}

std::string AskedRows::by_text() const {
    return grouping_names(columns(), by());
}

std::string AskedRows::group_text(const RowGroups::Values& values) const {
    return app::group_text(columns(), by(), values);
}

void AskedRows::each(const RowGroups::Visitor& visit) {
    reader_.each([&](const results::Table& block) {
        points_ += block.rows();
        varied_.add(block);
        const results::Table& meeting = rows_where_.of(block);
        short_runs_.add(meeting, meeting.status);
        shifted_bars_.add(meeting, meeting.status);
        groups_.each(meeting, visit);
    });
}

}  // namespace dse::app
