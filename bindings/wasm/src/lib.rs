//! The engine as one WebAssembly file that imports nothing. Each export is a function of numbers; texts go through two buffers: the
//! embedder reserves input ([`groma_input`]), writes into it, calls, and reads the answer at the address of [`groma_output`]. So no
//! pointer of the embedder's is ever followed here.
//!
//! An instance has two services: the language server (`groma_lsp_…`), which works only while [`groma_lsp_work`] runs, and the JSON
//! door ([`groma_door()`]). A panic ends the instance, as the target cannot unwind; its message is read with [`groma_failure`], and the
//! embedder creates another instance.

mod exchange;
mod files;
mod server;

use exchange::with_exchange;

/// Reserves `length` bytes of input and returns their address, which is valid until the next call of any export.
#[expect(unsafe_code, reason = "an export needs its name; nothing else defines this one")]
#[unsafe(no_mangle)]
pub extern "C" fn groma_input(length: usize) -> *mut u8 {
    with_exchange(|exchange| exchange.make_room(length))
}

/// Returns the address of the last call's answer.
#[expect(unsafe_code, reason = "an export needs its name; nothing else defines this one")]
#[unsafe(no_mangle)]
pub extern "C" fn groma_output() -> *const u8 {
    with_exchange(|exchange| exchange.answer().as_ptr())
}

/// Answers with the message of the panic that ended this instance, and returns its length: 0 without a panic.
#[expect(unsafe_code, reason = "an export needs its name; nothing else defines this one")]
#[unsafe(no_mangle)]
pub extern "C" fn groma_failure() -> usize {
    exchange::keep_failure()
}

/// Answers the JSON door's request in the input, and returns the length of the answer.
#[expect(unsafe_code, reason = "an export needs its name; nothing else defines this one")]
#[unsafe(no_mangle)]
pub extern "C" fn groma_door() -> usize {
    let request = with_exchange(exchange::ByteExchange::take_text);
    let answer = server::with_services(|services| services.door.answer(&request));
    with_exchange(|exchange| exchange.keep(answer))
}

/// Adds a file to those of the language server. The input is its path, of `path_length` bytes, followed by its content.
#[expect(unsafe_code, reason = "an export needs its name; nothing else defines this one")]
#[unsafe(no_mangle)]
pub extern "C" fn groma_lsp_put(path_length: usize) {
    let mut bytes = with_exchange(exchange::ByteExchange::take);
    let content = bytes.split_off(path_length.min(bytes.len()));
    let path = String::from_utf8_lossy(&bytes);
    server::with_services(|services| services.files.put(&path, content));
}

/// Adds a file without its content to those of the language server, with its length in bytes. The input is its path.
#[expect(unsafe_code, reason = "an export needs its name; nothing else defines this one")]
#[unsafe(no_mangle)]
pub extern "C" fn groma_lsp_list(length: usize) {
    let path = with_exchange(exchange::ByteExchange::take_text);
    server::with_services(|services| services.files.list_only(&path, length as u64));
}

/// Removes a file, or a folder with everything in it, from those of the language server. The input is its path.
#[expect(unsafe_code, reason = "an export needs its name; nothing else defines this one")]
#[unsafe(no_mangle)]
pub extern "C" fn groma_lsp_remove() {
    let path = with_exchange(exchange::ByteExchange::take_text);
    server::with_services(|services| services.files.remove(&path));
}

/// Queues the client's message in the input; [`groma_lsp_work`] acts on it.
#[expect(unsafe_code, reason = "an export needs its name; nothing else defines this one")]
#[unsafe(no_mangle)]
pub extern "C" fn groma_lsp_receive() {
    let message = with_exchange(exchange::ByteExchange::take_text);
    server::with_services(|services| services.server.receive(&message));
}

/// Runs one step of the language server: a message, or a job. Returns 1 if there may be more to do, 0 if the server waits for a
/// message, and 2 after `exit`.
#[expect(unsafe_code, reason = "an export needs its name; nothing else defines this one")]
#[unsafe(no_mangle)]
pub extern "C" fn groma_lsp_work() -> u32 {
    server::with_services(server::EngineServices::work)
}

/// Answers with the next message for the client, and returns its length: 0 without a message.
#[expect(unsafe_code, reason = "an export needs its name; nothing else defines this one")]
#[unsafe(no_mangle)]
pub extern "C" fn groma_lsp_next() -> usize {
    let message = server::with_services(server::EngineServices::next_message);
    with_exchange(|exchange| exchange.keep(message.unwrap_or_default()))
}
