// tinygltf's implementation. It parses the document alone: buffers and images are resolved by document.cpp, which checks
// paths and sizes, so neither the file system nor an image decoder is compiled in.
#define TINYGLTF_IMPLEMENTATION
#define TINYGLTF_NO_STB_IMAGE
#define TINYGLTF_NO_STB_IMAGE_WRITE
#define TINYGLTF_NO_FS
#include <tiny_gltf.h>
