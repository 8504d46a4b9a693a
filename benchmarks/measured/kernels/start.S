.section .init
.globl _start
_start: lui sp, 0x20
  call main
  ebreak
