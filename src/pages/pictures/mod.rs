//! A front as a picture: the data to draw, and the drawing.

pub mod plot;
#[cfg(feature = "svg")]
pub mod svg;
