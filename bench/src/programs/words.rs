//! Names for what is made up.

/// What the modules are about.
pub(super) const MODULES: [&str; 12] = [
    "units", "tariff", "seasons", "routes", "parcels", "stock", "billing", "customs", "returns",
    "storage", "weather", "report",
];

/// What functions do, and to what.
pub(super) const VERBS: [&str; 14] = [
    "rate", "round", "spread", "weigh", "rank", "merge", "count", "split", "score", "shift",
    "pick", "scale", "blend", "trim",
];

/// What there is.
pub(super) const NOUNS: [&str; 16] = [
    "load", "zone", "depot", "slot", "crate", "route", "label", "pallet", "season", "batch",
    "distance", "carrier", "deposit", "window", "quota", "shelf",
];

/// What functions are given.
pub(super) const PARAMETERS: [[&str; 2]; 6] = [
    ["weight", "zone"],
    ["amount", "days"],
    ["distance", "stops"],
    ["price", "pieces"],
    ["volume", "level"],
    ["start", "span"],
];

/// What types are called.
pub(super) const RECORDS: [&str; 6] = ["Parcel", "Tariff", "Leg", "Shelf", "Invoice", "Slot"];

/// What types have.
pub(super) const FIELDS: [&str; 6] = ["base", "extra", "share", "limit", "margin", "grade"];
