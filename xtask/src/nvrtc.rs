//! The few NVRTC calls that compile a kernel, loaded at run time so that nothing else needs a CUDA toolkit.

use libloading::{Library, Symbol};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;

/// A loaded NVRTC.
pub struct Nvrtc {
    library: Library,
    // NVRTC opens its built-in library by bare name; loading it first from the same folder makes it found.
    _builtins: Option<Library>,
}

/// The version whose PTX is committed: its instruction set is read by drivers since 550.
pub const VERSION: (i32, i32) = (12, 4);

type Program = *mut c_void;

impl Nvrtc {
    /// Loads NVRTC from `folder`, or from wherever the loader finds it.
    pub fn load(folder: Option<&str>) -> Result<Self, String> {
        let place = |name: &str| {
            folder
                .map_or_else(|| name.to_owned(), |folder| Path::new(folder).join(name).display().to_string())
        };
        // SAFETY: the libraries are NVIDIA's; loading them runs their initializers and nothing of ours.
        let (builtins, library) = unsafe {
            (
                Library::new(place("libnvrtc-builtins.so.12.4")).ok(),
                Library::new(place("libnvrtc.so.12")).map_err(|error| {
                    format!("cannot load libnvrtc.so.12 ({error}); see `cargo xtask` for where to get it")
                })?,
            )
        };
        let nvrtc = Self { library, _builtins: builtins };
        let found = nvrtc.version()?;
        if found != VERSION {
            return Err(format!("NVRTC {}.{} found, {}.{} wanted", found.0, found.1, VERSION.0, VERSION.1));
        }
        Ok(nvrtc)
    }

    fn symbol<T>(&self, name: &str) -> Result<Symbol<'_, T>, String> {
        // SAFETY: every caller below gives the C signature of nvrtc.h for the name it asks for.
        unsafe { self.library.get(name.as_bytes()) }.map_err(|error| format!("{name}: {error}"))
    }

    fn version(&self) -> Result<(i32, i32), String> {
        type Version = unsafe extern "C" fn(*mut c_int, *mut c_int) -> c_int;
        let call: Symbol<'_, Version> = self.symbol("nvrtcVersion")?;
        let (mut major, mut minor) = (0, 0);
        // SAFETY: both pointers are to live integers.
        match unsafe { call(&raw mut major, &raw mut minor) } {
            0 => Ok((major, minor)),
            code => Err(format!("nvrtcVersion failed with {code}")),
        }
    }

    /// Compiles `source`, called `name`, whose `#include`s are answered from `headers` (name, text).
    pub fn compile(
        &self,
        name: &str,
        source: &str,
        headers: &[(String, String)],
        options: &[&str],
    ) -> Result<String, String> {
        type Create = unsafe extern "C" fn(
            *mut Program,
            *const c_char,
            *const c_char,
            c_int,
            *const *const c_char,
            *const *const c_char,
        ) -> c_int;
        type Compile = unsafe extern "C" fn(Program, c_int, *const *const c_char) -> c_int;
        type Destroy = unsafe extern "C" fn(*mut Program) -> c_int;

        let text = |text: &str| CString::new(text).map_err(|_| format!("{name}: a NUL in the text"));
        let (c_name, c_source) = (text(name)?, text(source)?);
        let header_names = headers.iter().map(|(name, _)| text(name)).collect::<Result<Vec<_>, _>>()?;
        let header_texts = headers.iter().map(|(_, body)| text(body)).collect::<Result<Vec<_>, _>>()?;
        let options = options.iter().map(|option| text(option)).collect::<Result<Vec<_>, _>>()?;
        let pointers = |strings: &[CString]| strings.iter().map(|s| s.as_ptr()).collect::<Vec<_>>();
        let (names, texts, flags) = (pointers(&header_names), pointers(&header_texts), pointers(&options));

        let create: Symbol<'_, Create> = self.symbol("nvrtcCreateProgram")?;
        let compile: Symbol<'_, Compile> = self.symbol("nvrtcCompileProgram")?;
        let destroy: Symbol<'_, Destroy> = self.symbol("nvrtcDestroyProgram")?;
        let mut program: Program = std::ptr::null_mut();
        // SAFETY: every string outlives the calls; the counts are the lengths of the arrays they go with.
        let (created, compiled) = unsafe {
            let created = create(
                &raw mut program,
                c_source.as_ptr(),
                c_name.as_ptr(),
                names.len() as c_int,
                texts.as_ptr(),
                names.as_ptr(),
            );
            (created, if created == 0 { compile(program, flags.len() as c_int, flags.as_ptr()) } else { 0 })
        };
        if created != 0 {
            return Err(format!("{name}: nvrtcCreateProgram failed with {created}"));
        }
        let result = if compiled == 0 {
            self.text(program, "nvrtcGetPTXSize", "nvrtcGetPTX")
        } else {
            let log = self.text(program, "nvrtcGetProgramLogSize", "nvrtcGetProgramLog")?;
            Err(format!("{name} does not compile:\n{log}"))
        };
        // SAFETY: the program was created above and is not used after this.
        unsafe { destroy(&raw mut program) };
        result
    }

    fn text(&self, program: Program, size_call: &str, text_call: &str) -> Result<String, String> {
        type Size = unsafe extern "C" fn(Program, *mut usize) -> c_int;
        type Text = unsafe extern "C" fn(Program, *mut c_char) -> c_int;
        let ask_size: Symbol<'_, Size> = self.symbol(size_call)?;
        let ask_text: Symbol<'_, Text> = self.symbol(text_call)?;
        let mut size = 0usize;
        // SAFETY: the program is live and the pointer is to a live integer.
        let code = unsafe { ask_size(program, &raw mut size) };
        if code != 0 {
            return Err(format!("{size_call} failed with {code}"));
        }
        let mut buffer = vec![0u8; size + 1];
        // SAFETY: the buffer holds the size that NVRTC asked for and one byte more.
        let code = unsafe { ask_text(program, buffer.as_mut_ptr().cast()) };
        if code != 0 {
            return Err(format!("{text_call} failed with {code}"));
        }
        let text = CStr::from_bytes_until_nul(&buffer).map_err(|_| format!("{text_call}: no end"))?;
        Ok(text.to_string_lossy().into_owned())
    }
}
