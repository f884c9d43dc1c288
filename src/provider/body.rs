//! Reads the body of an answer, counting bytes, in strict UTF-8. Never decompresses, never patches
//! broken text: `reqwest`'s own `text()` would put U+FFFD into a person's notes.

use super::fault::Fault;
use super::http::transport_fault;
use crate::failure::Code;
use reqwest::Response;
use reqwest::header::CONTENT_ENCODING;

/// Reads the whole body as text; never holds more than `bytes_max` bytes.
pub(super) async fn read_text(mut response: Response, bytes_max: usize) -> Result<String, Fault> {
    refuse_packed(&response)?;
    let announced = response.content_length().unwrap_or(0);
    let announced = usize::try_from(announced).unwrap_or(usize::MAX);
    if announced > bytes_max {
        return Err(too_large(bytes_max));
    }
    let mut bytes = Vec::with_capacity(announced);
    while let Some(chunk) = response.chunk().await.map_err(transport_fault)? {
        if bytes.len() + chunk.len() > bytes_max {
            return Err(too_large(bytes_max));
        }
        bytes.extend_from_slice(&chunk);
    }
    String::from_utf8(bytes).map_err(|error| {
        // A text that ends inside a character was cut; any other flaw will come again.
        if error.utf8_error().error_len().is_none() {
            cut_short()
        } else {
            not_text()
        }
    })
}

/// Refuses a compressed reply.
// The request said `Accept-Encoding: identity`, and a compressed body could unpack without bound.
pub(super) fn refuse_packed(response: &Response) -> Result<(), Fault> {
    let mut encodings = response.headers().get_all(CONTENT_ENCODING).iter();
    if encodings.all(|value| value.as_bytes().eq_ignore_ascii_case(b"identity")) {
        return Ok(());
    }
    Err(Fault::lasting(
        Code::ProviderBadResponse,
        "the answer is compressed, which was not asked for",
    ))
}

/// Creates the fault of a reply that is not UTF-8 text.
pub(super) fn not_text() -> Fault {
    Fault::lasting(Code::XmlParseError, "the answer is not UTF-8 text")
}

/// Creates the fault of a reply that ends too early.
pub(super) fn cut_short() -> Fault {
    Fault::passing(Code::ProviderBadResponse, "the answer was cut short")
}

fn too_large(bytes_max: usize) -> Fault {
    Fault::lasting(
        Code::ProviderBadResponse,
        format!("the answer is larger than {bytes_max} bytes"),
    )
}
