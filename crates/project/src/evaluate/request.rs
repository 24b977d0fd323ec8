//! Requests: the time limit of one query, apart from the budget of the whole run. A stopped query leaves filled cells filled and
//! others open for the next query, and the run goes on.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A function that returns true once a request is to be stopped, such as after a deadline.
type StopCheck = Arc<dyn Fn() -> bool + Send + Sync>;

/// The bounds of one query: it can be cancelled from any thread, may have a deadline, and may be limited to values already
/// evaluated. Clones share the cancellation.
#[derive(Clone, Default)]
pub struct RequestToken {
    cancelled: Arc<AtomicBool>,
    stops: Option<StopCheck>,
    ready_only: bool,
}

impl RequestToken {
    /// Returns a request that waits for its values until it is cancelled.
    pub fn new() -> RequestToken {
        RequestToken::default()
    }

    /// Returns a request that evaluates nothing: it is answered from existing values, and the answer says if it is incomplete.
    pub fn ready() -> RequestToken {
        RequestToken { ready_only: true, ..RequestToken::default() }
    }

    /// Returns the request with a stop condition: it is over once `stops` returns true. `stops` is called often and from several
    /// threads, so it must be cheap, such as comparing clocks.
    #[must_use]
    pub fn until(self, stops: impl Fn() -> bool + Send + Sync + 'static) -> RequestToken {
        RequestToken { stops: Some(Arc::new(stops)), ..self }
    }

    /// Cancels the request and all its clones.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Release);
    }

    /// Returns true if the request is cancelled or its stop condition holds.
    pub fn is_over(&self) -> bool {
        self.cancelled.load(Ordering::Acquire) || self.stops.as_ref().is_some_and(|stops| stops())
    }

    /// Returns true if the request is limited to existing values.
    pub fn is_ready_only(&self) -> bool {
        self.ready_only
    }

    /// Runs a closure on this thread, whose queries to evaluations then belong to the request.
    pub(crate) fn run<T>(&self, question: impl FnOnce() -> T) -> T {
        let _guard = RequestGuard(CURRENT.replace(Some(self.clone())));
        question()
    }

    /// Returns the request that queries on the current thread belong to; `None` outside of any.
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
    /// The request that the current query on this thread belongs to. Worker threads get it from the state that they share.
    static CURRENT: RefCell<Option<RequestToken>> = const { RefCell::new(None) };
}

/// A guard that ends a request on this thread and restores the one around it, also after a panic.
struct RequestGuard(Option<RequestToken>);

impl Drop for RequestGuard {
    fn drop(&mut self) {
        CURRENT.set(self.0.take());
    }
}
