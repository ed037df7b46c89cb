#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dse::ir {

/// The text of a compiler's file, gzip-compressed or not. Plain files are mapped rather than copied, so that
/// the pages of a skipped literal can be released.
class Source {
  public:
    /// \throws InputError with the reason if the file cannot be read
    static Source file(const std::string& path);
    /// Uses a text in memory. \param name  used in messages
    static Source text(std::string text, std::string name);

    Source(Source&& other) noexcept;
    Source& operator=(Source&& other) noexcept;
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;
    ~Source();

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] std::string_view text() const;

    /// Line and column from 1, columns in bytes. \pre offset <= text().size()
    struct Place {
        std::size_t line{1};
        std::size_t column{1};
    };
    [[nodiscard]] Place place(std::size_t offset) const;

    /// \throws InputError "name:line:column: reason", with the reason made printable
    [[noreturn]] void refuse(std::size_t offset, std::string_view reason) const;

    /// Releases the pages in between, which will not be read again soon.
    void release(std::size_t begin, std::size_t end) const;

  private:
    Source() = default;
    std::string name_;
    std::string owned_;
    void* mapped_{nullptr};
    std::size_t mapped_size_{0};
};

}  // namespace dse::ir
