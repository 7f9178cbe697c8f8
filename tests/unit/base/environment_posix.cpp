#include <cstdlib>

#include "environment_change.h"

namespace sublet::test {

void set_environment(const std::string& name, const std::optional<std::string>& value) {
    if (value) {
        ::setenv(name.c_str(), value->c_str(), 1);
    } else {
        ::unsetenv(name.c_str());
    }
}

}  // namespace sublet::test
