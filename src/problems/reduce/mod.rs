//! Problems made smaller without losing an answer, a folder a family, and the way back.

pub mod knapsack;
pub mod lcs;
pub mod mckp;
pub mod multidim;
pub mod set_union;
