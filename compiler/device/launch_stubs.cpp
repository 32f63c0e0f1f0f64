// Kernels that device code launches, with -rdc=true [CUDA 4.18 dynamic parallelism]. As on the host, a kernel's name
// stands for a stub: it tells the runtime which kernel, with which arguments; hw_start_launch() follows at the launch.
// The stub's address is the kernel's.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "compiler/device/passes.h"
#include "compiler/device/thread_state.h"

namespace hostwarp::compiler {

namespace {

// moveBody() makes an internal function of the kernel's body and leaves the kernel without one.
llvm::Function *moveBody(llvm::Function &kernel) {
  llvm::Function *body =
      llvm::Function::Create(kernel.getFunctionType(), llvm::GlobalValue::InternalLinkage, kernel.getAddressSpace(),
                             kernel.getName() + ".body", kernel.getParent());
  body->copyAttributesFrom(&kernel);
  body->setComdat(nullptr);
  body->setVisibility(llvm::GlobalValue::DefaultVisibility);
  body->setSubprogram(kernel.getSubprogram());
  kernel.setSubprogram(nullptr);
  body->splice(body->begin(), &kernel);
  for (auto [from, to] : llvm::zip(kernel.args(), body->args())) {
    from.replaceAllUsesWith(&to);
    to.takeName(&from);
  }
  return body;
}

// argumentAddress() is where the stub's argument lies in memory.
llvm::Value *argumentAddress(llvm::IRBuilder<> &builder, llvm::Argument &argument) {
  if (argument.hasPointeeInMemoryValueAttr()) return &argument;
  llvm::Type *type = argument.getType();
  llvm::Value *value = &argument;
  if (type->isIntegerTy(1)) value = builder.CreateZExt(value, type = builder.getInt8Ty());
  llvm::Value *place = builder.CreateAlloca(type);
  builder.CreateStore(value, place);
  return place;
}

void makeStub(llvm::Function &kernel) {
  llvm::Module &module = *kernel.getParent();
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "", &kernel));
  llvm::Type *pointer = builder.getPtrTy();
  auto *list = builder.CreateAlloca(pointer, builder.getInt32(static_cast<uint32_t>(kernel.arg_size())));
  for (llvm::Argument &argument : kernel.args())
    builder.CreateStore(argumentAddress(builder, argument),
                        builder.CreateConstInBoundsGEP1_32(pointer, list, argument.getArgNo()));
  builder.CreateCall(abiFunction(module, "hw_prepare_launch", builder.getVoidTy(), {pointer, pointer}),
                     {&kernel, list});
  builder.CreateRetVoid();
}

}  // namespace

void makeLaunchStubs(DeviceModule &device) {
  if (!device.options.relocatable) return;
  for (Kernel &kernel : device.kernels) {
    kernel.stub = kernel.function;
    kernel.function = moveBody(*kernel.stub);
    makeStub(*kernel.stub);
  }
}

}  // namespace hostwarp::compiler
