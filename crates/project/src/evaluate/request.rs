//! Requests: how long one question may take, apart from what the whole run may use. A question that is stopped leaves no
//! trace: cells that it has filled stay filled, the others are open for the next question, and the run goes on.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A reason to stop that comes from outside, such as a clock that has passed a deadline.
type StopCheck = Arc<dyn Fn() -> bool + Send + Sync>;

/// The bounds of one question: it can be cancelled from any thread, may have a deadline, and may have to do with what is
/// evaluated already. Clones share the cancellation.
#[derive(Clone, Default)]
pub struct RequestToken {
    cancelled: Arc<AtomicBool>,
    stops: Option<StopCheck>,
    ready_only: bool,
}

impl RequestToken {
    /// A request that waits for what it asks, until it is cancelled.
    pub fn new() -> RequestToken {
        RequestToken::default()
    }

    /// A request that evaluates nothing for its sake: it is answered from what is evaluated already, and says if more would
    /// come.
    pub fn ready() -> RequestToken {
        RequestToken { ready_only: true, ..RequestToken::default() }
    }

    /// The same, which also stops once `stops` returns true. That is asked often and from several threads: a comparison of
    /// clocks is cheap enough.
    #[must_use]
    pub fn until(self, stops: impl Fn() -> bool + Send + Sync + 'static) -> RequestToken {
        RequestToken { stops: Some(Arc::new(stops)), ..self }
    }

    /// Cancels the request, and that of every clone.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Release);
    }

    /// Returns true if it is cancelled or its time has passed.
    pub fn is_over(&self) -> bool {
        self.cancelled.load(Ordering::Acquire) || self.stops.as_ref().is_some_and(|stops| stops())
    }

    /// Returns true if nothing is to be evaluated for its sake.
    pub fn is_ready_only(&self) -> bool {
        self.ready_only
    }

    /// Runs a question of this thread as a part of the request.
    pub(crate) fn run<T>(&self, question: impl FnOnce() -> T) -> T {
        let _guard = RequestGuard(CURRENT.replace(Some(self.clone())));
        question()
    }

    /// The request that this thread works for.
    pub(super) fn current() -> Option<RequestToken> {
        CURRENT.with_borrow(Clone::clone)
    }
}

impl std::fmt::Debug for RequestToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "RequestToken({})", if self.is_over() { "over" } else { "open" })
    }
}

thread_local! {
    /// The request of the question that this thread asks. Threads that help with it get it from the goals that they share.
    static CURRENT: RefCell<Option<RequestToken>> = const { RefCell::new(None) };
}

/// Puts the request around this one back, also after a panic.
struct RequestGuard(Option<RequestToken>);

impl Drop for RequestGuard {
    fn drop(&mut self) {
        CURRENT.set(self.0.take());
    }
}
