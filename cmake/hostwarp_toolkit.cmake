# A folder with the shape of a CUDA toolkit, for makefiles and scripts that take one: bin/nvcc is hwcc, include and lib64
# are ours. The build tree has it at the same place as an installation.
set(hostwarp_toolkit share/hostwarp/toolkit)
set(toolkit ${PROJECT_BINARY_DIR}/${hostwarp_toolkit})

# NVTX is headers alone. Build systems look for the library of its first version, and CMake 3.25 fails where there is none.
file(WRITE ${PROJECT_BINARY_DIR}/lib/libnvToolsExt.so
     "/* NVTX is headers alone: there is nothing to link. */\n")
install(FILES ${PROJECT_BINARY_DIR}/lib/libnvToolsExt.so DESTINATION lib)

function(link_into_toolkit target name)
  cmake_path(GET name PARENT_PATH folder)
  file(MAKE_DIRECTORY ${toolkit}/${folder})
  file(CREATE_LINK ${target} ${toolkit}/${name} SYMBOLIC)
endfunction()

link_into_toolkit(../../../../bin/hwcc bin/nvcc)
foreach(program nvidia-smi ptxas)
  link_into_toolkit(../../../../bin/hostwarp bin/${program})
endforeach()
link_into_toolkit(../../../include include)
foreach(library libcudart.so libcudart.so.13 libcudart_static.a libhostwarp_cudart.a libcudadevrt.a libcuda.so
                libcuda.so.1 libnvToolsExt.so libcurand.so libcurand.so.10 libnvidia-ml.so libnvidia-ml.so.1 libnvrtc.so libnvrtc.so.13 libnvJitLink.so libnvJitLink.so.13)
  link_into_toolkit(../../../../lib/${library} lib64/${library})
endforeach()
foreach(library libnvvm.so libnvvm.so.4)
  link_into_toolkit(../../../../../lib/${library} nvvm/lib64/${library})
endforeach()
link_into_toolkit(../../../../../lib/libdevice.10.bc nvvm/libdevice/libdevice.10.bc)
link_into_toolkit(. lib64/stubs)
link_into_toolkit(lib64 lib)
link_into_toolkit(../../include targets/${CMAKE_SYSTEM_PROCESSOR}-linux/include)
link_into_toolkit(../../lib64 targets/${CMAKE_SYSTEM_PROCESSOR}-linux/lib)
file(WRITE ${toolkit}/version.json "{\n  \"cuda\": {\"name\": \"hostwarp's CUDA\", \"version\": \"13.0.0\"}\n}\n")
install(DIRECTORY ${toolkit}/ DESTINATION ${hostwarp_toolkit})
