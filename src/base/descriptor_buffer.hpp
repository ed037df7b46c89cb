#pragma once

#include <array>
#include <streambuf>

namespace dse {

/// Writes a stream to a file descriptor, which it owns, and remembers why the first write failed:
/// std::filebuf tells that a stream failed, but not the reason.
class DescriptorBuffer : public std::streambuf {
  public:
    explicit DescriptorBuffer(int descriptor);
    ~DescriptorBuffer() override;
    DescriptorBuffer(const DescriptorBuffer&) = delete;
    DescriptorBuffer& operator=(const DescriptorBuffer&) = delete;

    /// Writes what is left and closes the descriptor; once, further calls do nothing.
    /// \returns 0, or the errno of the first write, or of the closing, that failed
    int close();

  protected:
    int_type overflow(int_type next) override;
    int sync() override;

  private:
    /// \returns whether all that was collected is written
    bool drain();

    int descriptor_;
    int error_{0};
    std::array<char, 65536> pending_;
};

}  // namespace dse
