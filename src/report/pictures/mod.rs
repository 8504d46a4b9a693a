//! A front as a picture: what is drawn, and the drawing.

pub mod plot;
#[cfg(feature = "svg")]
pub mod svg;
