#include "trace/chakra/printed_tensors.hpp"

#include <array>
#include <charconv>
#include <optional>

namespace dse::trace::chakra {
namespace {

/// Reads text sequentially.
class Scanner {
  public:
    explicit Scanner(std::string_view text) : text_{text} {}

    bool take(char wanted) {
        while (text_.starts_with(' ')) text_.remove_prefix(1);
        if (!text_.starts_with(wanted)) return false;
        text_.remove_prefix(1);
        return true;
    }
    std::optional<std::uint64_t> number() {
        while (text_.starts_with(' ')) text_.remove_prefix(1);
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
        if (error != std::errc{}) return std::nullopt;
        text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
        return value;
    }

  private:
    std::string_view text_;
};

/// Parses a tensor after its opening bracket: its elements and bytes.
std::optional<PrintedTensors> tensor_at(std::string_view text) {
    constexpr std::uint64_t widest = 64;  // bytes per element: complex numbers have 16
    Scanner scanner{text};
    std::array<std::uint64_t, 5> numbers{};
    for (std::uint64_t& number : numbers) {
        const auto read = scanner.number();
        if (!read || !scanner.take(',')) return std::nullopt;
        number = *read;
    }
    if (!scanner.take('\'') && !scanner.take('"')) return std::nullopt;
    const std::uint64_t elements = numbers[3];
    const std::uint64_t width = numbers[4];
    if (width > widest || elements > ~std::uint64_t{0} / widest) return std::nullopt;
    return PrintedTensors{elements, elements * width};
}

}  // namespace

PrintedTensors printed_tensors(std::string_view values) {
    PrintedTensors sum;
    for (std::size_t at = values.find('['); at != std::string_view::npos; at = values.find('[', at + 1)) {
        if (const auto tensor = tensor_at(values.substr(at + 1))) {
            sum.elements += tensor->elements;
            sum.bytes += tensor->bytes;
        }
    }
    return sum;
}

}  // namespace dse::trace::chakra
