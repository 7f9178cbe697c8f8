// In the place of environment_exr.cpp where the program is built without OpenEXR.
#include "scene/environment_formats.h"

namespace sublet::scene {

HalfTexels decode_exr(std::span<const std::byte> /*bytes*/, std::uint64_t /*most_bytes*/) {
    throw WrongPicture("format",
                       "is OpenEXR, and this program was built without it: convert the file to .hdr, or build with "
                       "OpenEXR 3.1 (Debian: libopenexr-dev)");
}

}  // namespace sublet::scene
