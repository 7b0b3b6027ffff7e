//! Names for the made-up programs.

/// The names of modules.
pub(super) const MODULES: [&str; 12] = [
    "units", "tariff", "seasons", "routes", "parcels", "stock", "billing", "customs", "returns",
    "storage", "weather", "report",
];

/// The verbs in names of functions.
pub(super) const VERBS: [&str; 14] = [
    "rate", "round", "spread", "weigh", "rank", "merge", "count", "split", "score", "shift",
    "pick", "scale", "blend", "trim",
];

/// The nouns in names of functions.
pub(super) const NOUNS: [&str; 16] = [
    "load", "zone", "depot", "slot", "crate", "route", "label", "pallet", "season", "batch",
    "distance", "carrier", "deposit", "window", "quota", "shelf",
];

/// The names of parameters.
pub(super) const PARAMETERS: [[&str; 2]; 6] = [
    ["weight", "zone"],
    ["amount", "days"],
    ["distance", "stops"],
    ["price", "pieces"],
    ["volume", "level"],
    ["start", "span"],
];

/// The names of types.
pub(super) const RECORDS: [&str; 6] = ["Parcel", "Tariff", "Leg", "Shelf", "Invoice", "Slot"];

/// The names of fields.
pub(super) const FIELDS: [&str; 6] = ["base", "extra", "share", "limit", "margin", "grade"];
