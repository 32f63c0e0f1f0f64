// Sharing with OpenGL in the driver API.
#ifndef HOSTWARP_CUDA_GL_H
#define HOSTWARP_CUDA_GL_H
#define CUDAGL_H

#include "cuda.h"
#include "cuda_gl_interop.h"

#if defined(__cplusplus)
extern "C" {
#endif
CUresult cuGraphicsGLRegisterBuffer(CUgraphicsResource *pCudaResource, GLuint buffer, unsigned int Flags);
CUresult cuGraphicsGLRegisterImage(CUgraphicsResource *pCudaResource, GLuint image, GLenum target, unsigned int Flags);
#if defined(__cplusplus)
}
#endif

#endif  // HOSTWARP_CUDA_GL_H
