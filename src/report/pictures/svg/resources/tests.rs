//! Pictures of fronts of several resources.
