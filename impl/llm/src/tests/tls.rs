//! Certificates are verified.

use std::sync::Arc;

use reqwest::Certificate;
use rustls::{
    ServerConfig,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};

use super::{
    super::remote::is_encrypted,
    fixtures::ANSWER,
    server::{Server, answered},
    *,
};

/// For 127.0.0.1, signed by itself, and known to nobody; with its key, which opens nothing.
const CERTIFICATE: &[u8] = include_bytes!("loopback-certificate.pem");
const PRIVATE: &[u8] = include_bytes!("loopback-key.pem");

fn server() -> Server {
    let certificate = CertificateDer::from_pem_slice(CERTIFICATE).unwrap();
    let key = PrivateKeyDer::from_pem_slice(PRIVATE).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    // A second attempt is made, and fails the same way.
    Server::encrypted(vec![answered(), answered()], Arc::new(config))
}

fn asked(server: &Server, host: &str, trust: Trust) -> Result<String, ModelFailure> {
    let preference = preference(Protocol::OpenAi, format!("https://{host}:{}/v1", server.port()));
    let chosen = Chosen { preference, key: Some(Key::from(KEY.to_owned())) };
    ask(&RemoteModel::with(chosen, Box::new(|| Duration::ZERO), trust))
}

fn unreachable(answer: &Result<String, ModelFailure>) -> &str {
    let Err(ModelFailure::Unreachable(why)) = answer else { panic!("{answer:?}") };
    why
}

#[test]
fn a_server_with_a_trusted_certificate_receives_the_request() {
    let server = server();
    let trusted = Trust::Only(vec![Certificate::from_pem(CERTIFICATE).unwrap()]);
    assert_eq!(asked(&server, "127.0.0.1", trusted), Ok(ANSWER.to_owned()));
    let request = server.request();
    assert_eq!(request.header("authorization"), Some("Bearer sk-only-for-tests-4711"));
}

#[test]
fn a_server_with_an_untrusted_certificate_gets_no_request() {
    let server = server();
    let answer = asked(&server, "127.0.0.1", Trust::System);
    assert!(unreachable(&answer).to_lowercase().contains("certificate"), "{answer:?}");
    assert_eq!(server.count(), 0);
}

#[test]
fn a_server_with_a_certificate_for_another_name_gets_no_request() {
    let server = server();
    let trusted = Trust::Only(vec![Certificate::from_pem(CERTIFICATE).unwrap()]);
    let answer = asked(&server, "localhost", trusted);
    assert!(unreachable(&answer).to_lowercase().contains("certificate"), "{answer:?}");
    assert_eq!(server.count(), 0);
}

#[test]
fn certificates_are_checked_for_any_spelling_of_the_scheme() {
    for (address, needed) in [
        ("https://a", true),
        ("HTTPS://a", true),
        (" https://a", true),
        ("http://a", false),
        ("HTTP://a", false),
    ] {
        assert_eq!(is_encrypted(address), needed, "{address}");
    }
}
