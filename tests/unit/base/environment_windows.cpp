#include <windows.h>

#include "base/path_text.h"
#include "environment_change.h"

namespace sublet::test {

void set_environment(const std::string& name, const std::optional<std::string>& value) {
    const std::wstring wide = text_path(value.value_or("")).native();
    ::SetEnvironmentVariableW(text_path(name).c_str(), value ? wide.c_str() : nullptr);
}

}  // namespace sublet::test
