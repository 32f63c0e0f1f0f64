// libcudadevrt.a: builds name it beside libcudart; what NVIDIA's holds is in our libcudart.
namespace hostwarp {
extern const char deviceRuntimeIsInLibcudart = 0;
}
