//! A search behind a pointer, of any type, that can be taken out again when it has ended.

use std::any::Any;
use std::sync::Arc;

use crate::{Answer, Search, Step};

/// A search over candidates `C`, whatever its own type is.
pub(super) struct Boxed<C>(Box<dyn AnySearch<C>>);

impl<C> Boxed<C> {
    pub(super) fn new<S: Search<Candidate = C> + Send + Sync + 'static>(search: S) -> Self {
        Boxed(Box::new(search))
    }

    /// Returns a copy of the search that was put in.
    pub(super) fn inner(&self) -> Arc<dyn Any + Send + Sync> {
        self.0.inner()
    }
}

impl<C> Clone for Boxed<C> {
    fn clone(&self) -> Self {
        self.0.copy()
    }
}

impl<C: Clone> Search for Boxed<C> {
    type Candidate = C;

    fn step(&self) -> Step<C> {
        self.0.step()
    }

    fn learn(&mut self, answer: &Answer) {
        self.0.learn(answer);
    }

    fn best(&self) -> C {
        self.0.best()
    }

    fn likely(&self) -> f64 {
        self.0.likely()
    }

    fn heeds_unresolved(&self) -> bool {
        self.0.heeds_unresolved()
    }
}

/// The methods of [`Search`] that a trait object can have.
trait AnySearch<C> {
    fn step(&self) -> Step<C>;
    fn learn(&mut self, answer: &Answer);
    fn best(&self) -> C;
    fn likely(&self) -> f64;
    fn heeds_unresolved(&self) -> bool;
    fn copy(&self) -> Boxed<C>;
    fn inner(&self) -> Arc<dyn Any + Send + Sync>;
}

impl<C, S: Search<Candidate = C> + Send + Sync + 'static> AnySearch<C> for S {
    fn step(&self) -> Step<C> {
        Search::step(self)
    }

    fn learn(&mut self, answer: &Answer) {
        Search::learn(self, answer);
    }

    fn best(&self) -> C {
        Search::best(self)
    }

    fn likely(&self) -> f64 {
        Search::likely(self)
    }

    fn heeds_unresolved(&self) -> bool {
        Search::heeds_unresolved(self)
    }

    fn copy(&self) -> Boxed<C> {
        Boxed::new(self.clone())
    }

    fn inner(&self) -> Arc<dyn Any + Send + Sync> {
        Arc::new(self.clone())
    }
}
