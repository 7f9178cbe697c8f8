// Libraries of formats that the program may be built without (third_party/README.md).
#pragma once

#include <string>

namespace sublet::scene {

struct OptionalLibrary {
    bool present;  // the program was built with it
    const char* name;
    const char* from;  // where a build gets it
};

extern const OptionalLibrary kBasisUniversal;
extern const OptionalLibrary kDraco;
extern const OptionalLibrary kLibWebp;

// What is wrong where a file needs a library that is not there, and what to do about it.
[[nodiscard]] std::string built_without(const OptionalLibrary& library);

}  // namespace sublet::scene
