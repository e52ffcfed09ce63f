//! Figures for a collector on this machine: just enough of HTTP to be asked for one page.
//!
//! Invariants: only addresses of this machine are listened at; a request that names another host is
//! refused, so that no page in a browser can have its
//! own name lead here; one request at a time, of bounded length, answered or dropped within
//! `PATIENCE`.

use std::{
    io::{self, Read, Write},
    net::{IpAddr, SocketAddr, TcpListener, TcpStream},
    thread,
    time::{Duration, Instant},
};

/// Longest request, up to the blank line that ends it.
const MOST_BYTES: usize = 8 << 10;
/// Longest time for one request.
const PATIENCE: Duration = Duration::from_secs(2);

/// Listens from now on, as long as the process lives. Where: the port may have been left to the
/// system.
pub(super) fn begin(
    address: SocketAddr,
    page: impl Fn() -> String + Send + 'static,
) -> Result<SocketAddr, String> {
    if !address.ip().is_loopback() {
        return Err(format!(
            "`{address}` is no address of this machine alone; allowed: 127.0.0.1:PORT, [::1]:PORT"
        ));
    }
    let failed =
        |err: io::Error| format!("cannot listen at `{address}`: {err}; choose another port");
    let listener = TcpListener::bind(address).map_err(failed)?;
    let at = listener.local_addr().map_err(failed)?;
    let serve = move || {
        for connection in listener.incoming() {
            // The client is gone; no answer is due.
            let _ = connection.and_then(|connection| serve(connection, &page));
        }
    };
    thread::Builder::new().name("forge-endpoint".to_owned()).spawn(serve).map_err(failed)?;
    Ok(at)
}

fn serve(mut connection: TcpStream, page: &impl Fn() -> String) -> io::Result<()> {
    let answer = match request(&mut connection, Instant::now() + PATIENCE)? {
        Some(request) => answer(&request, page),
        None => response("413 Content Too Large", "the request is too long\n", true),
    };
    connection.set_write_timeout(Some(PATIENCE))?;
    connection.write_all(answer.as_bytes())
}

/// What was sent up to the first blank line; none if there is none for too long.
fn request(connection: &mut TcpStream, until: Instant) -> io::Result<Option<String>> {
    let (mut bytes, mut buffer) = (Vec::new(), [0; 1024]);
    while bytes.len() <= MOST_BYTES {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        connection.set_read_timeout(Some(left))?;
        let read = connection.read(&mut buffer)?;
        bytes.extend_from_slice(buffer.get(..read).unwrap_or_default());
        if read == 0 || bytes.windows(4).any(|end| end == b"\r\n\r\n") {
            return Ok(Some(String::from_utf8_lossy(&bytes).into_owned()));
        }
    }
    Ok(None)
}

fn answer(request: &str, page: &impl Fn() -> String) -> String {
    let mut lines = request.split("\r\n");
    let mut words = lines.next().unwrap_or_default().split(' ');
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let mut hosts = lines.filter_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("host").then(|| value.trim())
    });
    if !hosts.next().is_some_and(is_here) || hosts.next().is_some() {
        return response(
            "403 Forbidden",
            "ask for this machine by its address or as localhost\n",
            true,
        );
    }
    match (method, target) {
        ("GET" | "HEAD", "/metrics") => response("200 OK", &page(), method == "GET"),
        ("GET" | "HEAD", _) => {
            response("404 Not Found", "there is only /metrics\n", method == "GET")
        }
        _ => response("405 Method Not Allowed", "figures can only be read\n", true),
    }
}

/// Whether a request for this host, with or without a port, is one for this machine.
fn is_here(host: &str) -> bool {
    let named = host.parse::<SocketAddr>().map(|address| address.ip());
    let is_loopback =
        |text: &str| text.trim_matches(['[', ']']).parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
    let name = host.split_once(':').map_or(host, |(name, _)| name);
    named.is_ok_and(|ip| ip.is_loopback())
        || is_loopback(host)
        || name.eq_ignore_ascii_case("localhost")
}

fn response(status: &str, body: &str, with_body: bool) -> String {
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\nContent-Length: {}\r\n\
         Cache-Control: no-store\r\nConnection: close\r\n\r\n",
        body.len()
    );
    if with_body { head + body } else { head }
}

#[cfg(test)]
mod tests {
    use std::{
        io::{Read, Write},
        net::TcpStream,
    };

    use super::{MOST_BYTES, begin};

    fn ask(request: &str) -> String {
        let at = begin("127.0.0.1:0".parse().unwrap(), || "figures 1\n".to_owned()).unwrap();
        let mut connection = TcpStream::connect(at).unwrap();
        // It may answer before everything is sent.
        let _ = connection.write_all(request.replace("PORT", &at.port().to_string()).as_bytes());
        let mut answer = Vec::new();
        let _ = connection.read_to_end(&mut answer);
        String::from_utf8(answer).unwrap()
    }

    #[test]
    fn the_metrics_page_is_served_under_any_loopback_host_name() {
        for host in ["127.0.0.1:PORT", "localhost:PORT", "[::1]:PORT", "127.0.0.1", "LocalHost"] {
            let answer = ask(&format!("GET /metrics HTTP/1.1\r\nhOsT: {host}\r\n\r\n"));
            assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{host}: {answer}");
            assert!(
                answer.contains("\r\nContent-Length: 10\r\n")
                    && answer.ends_with("\r\n\r\nfigures 1\n"),
                "{answer}"
            );
        }
        let head = ask("HEAD /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assert!(head.contains("Content-Length: 10") && head.ends_with("\r\n\r\n"), "{head}");
    }

    #[test]
    fn a_request_with_a_foreign_or_missing_host_header_is_refused() {
        for headers in [
            "Host: evil.example:PORT",
            "Host: 10.0.0.1",
            "Host: localhost.evil.example",
            "Host: localhost\r\nHost: evil.example",
            "Accept: */*",
        ] {
            let answer = ask(&format!("GET /metrics HTTP/1.1\r\n{headers}\r\n\r\n"));
            assert!(
                answer.starts_with("HTTP/1.1 403 ") && !answer.contains("figures 1"),
                "{headers}: {answer}"
            );
        }
    }

    #[test]
    fn the_metrics_endpoint_serves_one_page_and_refuses_other_methods() {
        assert!(ask("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").starts_with("HTTP/1.1 404 "));
        assert!(
            ask("POST /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n").starts_with("HTTP/1.1 405 ")
        );
    }

    #[test]
    fn a_request_without_end_is_cut_off() {
        let answer = ask(&format!("GET /metrics HTTP/1.1\r\nX: {}", "x".repeat(2 * MOST_BYTES)));
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 413 "), "{answer}");
    }

    #[test]
    fn addresses_other_than_loopback_are_refused() {
        for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:80"] {
            let why = begin(address.parse().unwrap(), String::new).unwrap_err();
            assert!(why.contains("allowed: 127.0.0.1:PORT"), "{why}");
        }
    }
}
