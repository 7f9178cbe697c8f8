// tinygltf's implementation, without file system or image decoder: see CMakeLists.txt.
#define TINYGLTF_IMPLEMENTATION
#include <tiny_gltf.h>
// Sources that follow in one with this include the header alone.
#undef TINYGLTF_IMPLEMENTATION
