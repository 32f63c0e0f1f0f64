constexpr int variables = 4, firstValue = 5, secondValue = 50;

__device__ int valueOf(int variable);
// replaceAll() gives the variables their second values, from the host.
void replaceAll();
