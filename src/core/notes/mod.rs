//! Notes: versioned texts, how they are found, and how they link.
//! Pure data and queries; files and journal are the store's business.
