//! Input and output buffers of the exports. The call that reads the input empties it, so an address is good for one call.

use std::cell::RefCell;

/// Buffers for the input of the next call and the answer of the last.
#[derive(Default)]
pub(crate) struct ByteExchange {
    input: Vec<u8>,
    output: Vec<u8>,
}

impl ByteExchange {
    /// Resizes the input buffer and returns its address.
    pub(crate) fn make_room(&mut self, length: usize) -> *mut u8 {
        self.input.clear();
        self.input.resize(length, 0);
        self.input.as_mut_ptr()
    }

    /// Removes and returns the bytes that were stored as the next call's input.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.input)
    }

    /// Removes and returns the input as text; bytes that are not UTF-8 become replacement characters.
    pub(crate) fn take_text(&mut self) -> String {
        let bytes = self.take();
        String::from_utf8(bytes)
            .unwrap_or_else(|why| String::from_utf8_lossy(why.as_bytes()).into_owned())
    }

    /// Stores an answer and returns its length in bytes.
    pub(crate) fn keep(&mut self, answer: String) -> usize {
        self.output = answer.into_bytes();
        self.output.len()
    }

    /// Returns the last answer.
    pub(crate) fn answer(&self) -> &[u8] {
        &self.output
    }
}

thread_local! {
    /// The buffers through which bytes enter and leave this instance.
    static EXCHANGE: RefCell<ByteExchange> = RefCell::default();
    /// The message of the last panic; empty if there was none.
    static FAILURE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Calls a function with the input and answer buffers of this WebAssembly instance, and returns its result.
pub(crate) fn with_exchange<T>(act: impl FnOnce(&mut ByteExchange) -> T) -> T {
    EXCHANGE.with_borrow_mut(act)
}

/// Installs a panic hook that records the message of a panic.
pub(crate) fn note_failures() {
    std::panic::set_hook(Box::new(|panic| {
        let words = panic.to_string();
        // The hook must not panic: a second panic keeps the first message.
        FAILURE.with(|kept| kept.try_borrow_mut().map(|mut kept| *kept = words).unwrap_or(()));
    }));
}

/// Stores the message of the last panic as the answer and returns its length.
pub(crate) fn keep_failure() -> usize {
    let words = FAILURE.with_borrow(String::clone);
    // The panic may have come while the buffers were in use.
    EXCHANGE.with(|exchange| exchange.try_borrow_mut().map_or(0, |mut it| it.keep(words)))
}
