//! Puts what was measured into `tests/README.md`, between the markers of its table. Measures nothing.

use std::error::Error;
use std::path::Path;

/// Replaces what stands between `<!-- NAME:begin -->` and `<!-- NAME:end -->`.
///
/// # Errors
/// When the file cannot be read or written, or has no such marks in this order.
pub(crate) fn write(path: &Path, name: &str, table: &str) -> Result<(), Box<dyn Error>> {
    let text = std::fs::read_to_string(path)?;
    let (begin, end) = (
        format!("<!-- {name}:begin -->\n"),
        format!("<!-- {name}:end -->"),
    );
    let (before, rest) = text
        .split_once(&begin)
        .ok_or_else(|| format!("{} has no marker {name}:begin", path.display()))?;
    let (_, after) = rest
        .split_once(&end)
        .ok_or_else(|| format!("{} has no marker {name}:end behind it", path.display()))?;
    std::fs::write(path, format!("{before}{begin}{table}{end}{after}"))?;
    Ok(())
}
