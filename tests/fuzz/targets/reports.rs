#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| isx_fuzz::check("reports", data));
