#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace dse::serving {

/// The values of one line of a trace, unchanged.
struct TraceLine {
    double time{0};  ///< s, relative to an arbitrary origin
    double prompt{0};
    double output{0};
    std::vector<std::uint32_t> pieces;  ///< see Requests::pieces
    std::int64_t piece_tokens{512};     ///< Mooncake's (Qin et al., FAST 2025, release of the traces)
};

/// The columns of a CSV file, found by the names that publishers give them.
class TraceColumns {
  public:
    /// \throws InputError (without a position) naming the columns that are missing and those that are
    ///         present, or two that state the same
    explicit TraceColumns(std::string_view head);

    /// \throws InputError (without a position)
    void read(std::string_view text, TraceLine& line) const;

    /// Whether some format calls the column of arrivals so.
    static bool is_arrival(std::string_view column);
    /// Whether a line without output is a request that failed, as BurstGPT's documentation says of its own.
    [[nodiscard]] bool has_failures() const { return has_failures_; }

  private:
    enum Field : std::size_t { time, prompt, output, pieces, field_count };
    static constexpr std::size_t none = ~std::size_t{0};

    std::array<std::size_t, field_count> column_{none, none, none, none};
    std::size_t count_{0};  ///< of all columns
    bool has_failures_{false};
};

/// Parses a line of Mooncake's traces: {"timestamp": ms, "input_length": …, "output_length": …, "hash_ids":
/// […]}, or of Qwen-Bailian's, which also have a "chat_id", and whose times are in seconds and blocks of 16
/// tokens.
/// \throws InputError (without a position)
void read_json_line(std::string_view text, TraceLine& line);

/// Parses "12.5", or a date and time ("2023-11-16 18:17:03.9799600", with or without time zone), to s.
/// \throws InputError (without a position)
double parse_time(std::string_view text);

}  // namespace dse::serving
