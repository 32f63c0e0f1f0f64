#include "samples/01_vector_add/vector_add.cu"
