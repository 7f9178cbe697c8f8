// For LD_PRELOAD beside the leak sanitizer, which reads names when a program ends: libraries stay loaded until then, so
// that what the driver and the layers leave behind can be told from ours.
extern "C" int dlclose(void* /*library*/) {
    return 0;
}
