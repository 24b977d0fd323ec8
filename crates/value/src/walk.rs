//! Walking whole values: marks taken off and put back at any depth, causes gathered.

use crate::{Marks, Value};

impl Value {
    /// The value without any mark at any depth, and all the marks together.
    pub fn unmark_deep(&self) -> (Value, Marks) {
        self.unmark()
    }
}
