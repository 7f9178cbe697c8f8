// Variables of the test's own environment.
#pragma once

#include <optional>
#include <string>

#include "base/system.h"

namespace sublet::test {

/// In environment_posix.cpp and environment_windows.cpp. Nothing: takes it away. Text is UTF-8.
void set_environment(const std::string& name, const std::optional<std::string>& value);

/// Sets a variable while it lives.
class EnvironmentChange {
  public:
    EnvironmentChange(std::string name, const std::string& value)
        : name_(std::move(name)), before_(environment_variable(name_.c_str())) {
        set_environment(name_, value);
    }
    ~EnvironmentChange() { set_environment(name_, before_); }
    EnvironmentChange(const EnvironmentChange&) = delete;
    EnvironmentChange& operator=(const EnvironmentChange&) = delete;

  private:
    std::string name_;
    std::optional<std::string> before_;
};

}  // namespace sublet::test
