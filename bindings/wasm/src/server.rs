//! Services of an instance: the language server with its files, and the JSON door. The instance has one thread, so a job of the server
//! runs to its end before the next message is read; its budget bounds it.

use std::cell::RefCell;
use std::sync::Arc;

use groma_door::{JsonDoor, NoFolders};
use groma_lsp::{LanguageServer, PlainHost, ServerOutput};
use serde_json::json;

use crate::exchange::note_failures;
use crate::files::HandedFiles;

/// The language server with its files, and the JSON API of one WebAssembly instance.
pub(crate) struct EngineServices {
    /// The files of the language server.
    pub(crate) files: Arc<HandedFiles>,
    /// The language server.
    pub(crate) server: LanguageServer,
    /// The JSON door.
    pub(crate) door: JsonDoor,
}

thread_local! {
    /// The language server and JSON API of this WebAssembly instance.
    static SERVICES: RefCell<EngineServices> = RefCell::new(EngineServices::new());
}

/// Calls `act` with the language server and JSON API of this WebAssembly instance, and returns its result.
pub(crate) fn with_services<T>(act: impl FnOnce(&mut EngineServices) -> T) -> T {
    SERVICES.with_borrow_mut(act)
}

/// The number of the message type *log* in the language server protocol.
const LOG: u32 = 4;

impl EngineServices {
    /// Creates services over an empty set of files.
    fn new() -> EngineServices {
        note_failures();
        let files = Arc::new(HandedFiles::default());
        let server = LanguageServer::new(Arc::new(PlainHost::new(files.clone())));
        EngineServices { files, server, door: JsonDoor::new(NoFolders) }
    }

    /// Handles one message or runs one job. Returns 0 if there was none, 1 if there was, 2 if the client has ended the server.
    pub(crate) fn work(&mut self) -> u32 {
        let has_worked = self.server.step();
        if self.server.exit_code().is_some() {
            return 2;
        }
        if has_worked {
            return 1;
        }
        match self.server.next_job() {
            Some(job) => {
                self.server.finish(job.run());
                1
            }
            None => 0,
        }
    }

    /// Removes and returns the next message for the client.
    pub(crate) fn next_message(&mut self) -> Option<String> {
        self.server.next_output().map(|output| match output {
            ServerOutput::Message(message) => message,
            ServerOutput::Log(line) => {
                let params = json!({ "type": LOG, "message": line });
                json!({ "jsonrpc": "2.0", "method": "window/logMessage", "params": params })
                    .to_string()
            }
        })
    }
}
