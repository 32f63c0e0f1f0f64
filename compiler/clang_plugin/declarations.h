// What is done about every function and variable that the user declares, before clang compares it with what has been
// declared before and gives it an initialiser.
#ifndef HOSTWARP_COMPILER_CLANG_PLUGIN_DECLARATIONS_H
#define HOSTWARP_COMPILER_CLANG_PLUGIN_DECLARATIONS_H

#include <clang/AST/Attr.h>
#include <clang/Sema/Sema.h>

#include <vector>

namespace hostwarp::declarations {

// atEndOfFile() ends what shows declarations to the plugin; clang wants that before the file ends.
void atEndOfFile(clang::Sema &sema);

// joinAnnotations() makes declarations of one function, __host__ __device__ in one place and something else in another,
// all __host__ __device__, as nvcc does. Clang takes them for several functions.
void joinAnnotations(clang::Sema &sema, clang::FunctionDecl &function);

// annotatedLater() is where declarations begin of functions that another declaration has made the device's since.
std::vector<clang::SourceLocation> &annotatedLater();

// shareUncalled() makes std::declval() and deduction guides functions of both sides: nobody calls them, but where
// device code needs their types, clang looks for ones that device code might call.
void shareUncalled(clang::ASTContext &context, clang::FunctionDecl &function);

// leaveUninitialized() keeps clang from initialising the variable where the constructor does nothing.
void leaveUninitialized(clang::VarDecl &variable);

// leaveStaticUninitialized() does so for static variables of device functions whose class has an empty constructor.
void leaveStaticUninitialized(clang::Sema &sema, clang::VarDecl &variable);

// keepConstant() keeps a constant of the device, whose value stands in the code wherever it is used, for the host,
// which may ask for its address and copy it.
void keepConstant(clang::Sema &sema, clang::VarDecl &variable);

// expectAnnotations() has clang write down annotations of a kernel that it gets after its code is made: what follows it
// tells how it is launched (expected_blocks.cpp). It writes those of declarations that had one in time.
void expectAnnotations(clang::Sema &sema, clang::FunctionDecl &function);

}  // namespace hostwarp::declarations

#endif  // HOSTWARP_COMPILER_CLANG_PLUGIN_DECLARATIONS_H
