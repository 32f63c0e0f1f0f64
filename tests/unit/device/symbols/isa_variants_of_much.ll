; Where the entries for blocks have more than 50,000 instructions together they have no variants for AVX-512: 180 kernels of some
; 350 have none, 100 have them.
; RUN: awk -v kernels=180 -f %s.awk > %t.180.ll && %passes-of %t.180.ll --until=makeIsaVariants | %check --check-prefix=MUCH
; RUN: awk -v kernels=100 -f %s.awk > %t.100.ll && %passes-of %t.100.ll --until=makeIsaVariants | %check --check-prefix=LESS

; Nor have the entries for a thread variants of their own, unless they round.
; MUCH-NOT: define {{.*}}@__hwd_{{.*}}.avx512(
; MUCH-NOT: define {{.*}}@__hwd_entry.k{{[0-9]+}}.avx2(
; MUCH: define {{.*}}@__hwd_entry.rounds.avx2(
; MUCH: define internal void @__hwd_block.k1.avx2(
; MUCH-NOT: define {{.*}}@__hwd_{{.*}}.avx512(
; MUCH-NOT: define {{.*}}@__hwd_entry.k{{[0-9]+}}.avx2(
; LESS-DAG: define {{.*}}@__hwd_entry.k1.avx2(
; LESS-DAG: define internal void @__hwd_block.k1.avx512(
