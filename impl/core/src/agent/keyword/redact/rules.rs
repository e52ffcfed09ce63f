//! What secrets look like: the tables of docs/keyword-search.md, section 5.
//!
//! The model has its own copy, generated from `spec/tools/keyword_search.yaml`; a test holds the
//! two against each other, for which every pattern here is written as `r#"…"#`.

#![expect(clippy::needless_raw_string_hashes, reason = "every pattern is found by the same marks")]

/// One way in which a secret is known.
pub(super) struct Rule {
    /// Where `%word%` stands in it, the word of that name is meant.
    pub(super) pattern: &'static str,
    /// Whether its first group is the name of the value.
    pub(super) is_named: bool,
    /// Names of [`HARMLESS`]: a value that one of them matches is no secret.
    pub(super) unless: &'static [&'static str],
    /// The least oddness of a value.
    pub(super) odd: usize,
}

const fn value(pattern: &'static str, unless: &'static [&'static str], odd: usize) -> Rule {
    Rule { pattern, is_named: false, unless, odd }
}

const fn named(pattern: &'static str, unless: &'static [&'static str], odd: usize) -> Rule {
    Rule { pattern, is_named: true, unless, odd }
}

/// What `%word%` stands for; a word may use those above it.
pub(super) const WORDS: [(&str, &str); 12] = [
    ("b", r#"(?-u:\b)"#),
    (
        "password",
        r#"(?:[A-Za-z0-9_.-]*(?i:password|passwort|passphrase|passcode|passwd|pwd|kennwort)[A-Za-z0-9_]*|(?:[A-Za-z0-9_.-]*[_.-])?(?i:(?:db|smtp|mail|ftp|imap|user|root|admin|store|key|require|bind|ldap|sudo|become|wifi)?(?:pass|pw)|psk)[0-9_]*|[A-Za-z0-9_.-]*[a-z0-9](?:Pass|Pw)[0-9]*)"#,
    ),
    (
        "secret",
        r#"(?:[A-Za-z0-9_.-]*(?i:secret|token|credential|csrf|xsrf|crumb|connection[_.-]?string|(?:api|access|private|preshared|signing|encryption|master|account|storage|shared|service|auth|app|ssh|deploy|licen[cs]e|subscription|consumer|hmac|aes|crypto|cipher|webhook)[_.-]?key)[A-Za-z0-9_-]*|(?:[A-Za-z0-9_.-]*[_.-])?(?:(?i:creds?|jwt)|PAT)|[A-Za-z0-9_.-]*[a-z0-9](?:Creds?|Jwt))"#,
    ),
    ("name", r#"(?:%password%|%secret%)"#),
    ("end", r#"\\*["'`]?\]?"#),
    (
        "to",
        r#"\s*(?::\s*&?[A-Za-z][A-Za-z0-9_<>'. \[\]?|]{0,40}=|:=|=>|={1,3}|!==?|\|\|?=?|\?\?=?|::?|<-)\s*"#,
    ),
    (
        "string",
        r#"(?:[A-Z][A-Za-z:_]*\()?[A-Za-z@$&]{0,2}(?:\\+"([^"\\]{4,})|"((?:[^"\\]|\\.){4,})"|'((?:[^'\\]|\\.){4,})'|`([^`]{4,})`|["'`]([^\s"'`][^"'`]{3,})$)"#,
    ),
    (
        "assigns",
        r#"^[\s#;/*>|+-]*(?:(?i:export|set|setx|env|arg|declare|local|readonly|const|let|var)\s+)?"#,
    ),
    (
        "calls",
        r#"(?i:[a-z_]*(?:login|log_in|connect|connection|init|initialize|initialise|identify|authenticate|authorize|configure|setup|start|load|sign_?in|client|credentials?|auth|key|token|secret|password|passwd|pwd|pw_set))"#,
    ),
    (
        "near",
        r#"(?:(?i:pass|pwd|pw|login|logon|auth|cred|user|secret|token|key|secur|account|admin|connect|cookie|psk|wpa|wifi|ssid|root|bind|smtp|imap|ftp|ssh|ldap|sql|snmp|cipher|crypt|hmac|basic|jwt|community|vnc|unlock|mail|proxy|vpn|ppp|mqtt|redis|mongo|docker|regist|salt|sign_?in)|EAP)[^;{}]*?[\s"'=:,>|(]"#,
    ),
    ("place", r#"(?:(?-u:\B)[-/][A-Za-z]{1,2}[\s:="']+|,\s*[a-z]?["']|[A-Za-z"]\s+\*\s+"?)"#),
    ("stop", r#"(?:[\s"',;:/<@\\)|]|$)"#),
];

/// What values look like that are no secrets; of names, those that do not name one; what stands
/// before a value that is none.
pub(super) const HARMLESS: [(&str, &str); 13] = [
    (
        "name",
        r#"(?i)(?:public|name|head|[_.-]id|(?-i:[a-z]Id)|(?:^|[^p]u|user|client|object|device|node|group|thread|process|p|g|t)id|ids|ur[li]|path|file|dir|type|kind|length|len|count|counts|size|limit|max|min|policy|field|label|placeholder|prompt|message|error|regex|pattern|format|expir[a-z_]*|ttl|timeout|age|endpoint|iz(?:e[drs]?|ation|ing)|strategy|method|mode|provider|scheme|source|process|ref|selector|header|param|parameter|prefix|suffix|column|attribute|attr|property|manager|service|helper|handler|class|enabled|required|valid|usage|rotation|version|budget|title|text|hint|tokens|status|state|kind|event|ar(?:y|ies|iat)|sent|found|missing|invalid|hash|digest|checksum|integrity|sha-?[0-9]*|md5|etag|commit|rev|revision|uuid|guid|fingerprint)$|public|(?-i:^(?:OLD)?PWD$)"#,
    ),
    (
        "placeholder",
        r#"^\s*$|\[redacted\]|^\$[A-Za-z_({$]|^%[A-Za-z_]+%$|^%[sdvq(@]|^#\{|^\{\{|^\{[A-Za-z0-9_.:!-]*\}$|^<[^<>]*>?$|^@[A-Za-z_]+@$|^__[A-Za-z_]+__$|^\[[A-Za-z0-9_ -]*\]$|^[*xX•.…#?_-]+$|^0+$|^(?i:your|insert|enter|replace|put|add|the|an?|some|any)[-_ ]|^(?i:change[-_ ]?(?:me|it|this)|todo|fixme|tbd|n/?a|none|null|nil|undefined|true|false|include|omit|same-origin|example|sample|placeholder|dummy|optional|required|string)$|^(?i:[a-z]+[-_.])*(?i:pass|password|passwort|passwd|pwd|passphrase|token|secret|key|apikey|credentials?|auth)s?$|^(?i:[a-z']+[,]? )*(?i:password|passwort|passphrase|token|secret|key|credential)s?(?i:[,]? [a-z']+)*[.?!:…]*$"#,
    ),
    (
        "code",
        r#"^[&*]?(?:[A-Za-z_]+(?:\.|::|->|\?\.))*[A-Za-z_]+[!?]?[(\[<,;)]|^[&*]?(?:[A-Za-z_]+(?:\.|::|->|\?\.))+[A-Za-z_]+[;,)]*$|^[A-Za-z]+(?:_+[A-Za-z]+)+$|^[a-z]+(?:[A-Z][a-z]+)+$|^(?:[A-Z][a-z]+)+$|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|^(?:[A-Za-z_][A-Za-z0-9_]*::)+|^(?i:string|str|text|bytes?|bool(?:ean)?|int(?:eger)?|number|float|any|object|yes|no|on|off|unknown|never|void|default|enabled|disabled|value|strong|weak|medium|bearer|basic|digest|oauth2?|include|omit|same-origin)$|^(?:~|\.{1,2})?/[a-z0-9._-]+(?:/[a-z0-9._-]*)*$|^https?://|^/(?:Users|home)/"#,
    ),
    (
        "plain",
        r#"^[_.:!*&-]*(?:[A-Z]?[a-z]{1,20}(?:[A-Z][a-z]{2,20}|[-_./:+]+[A-Z]?[a-z]{2,20}|[-_./:+]*[A-Z]{2,3})*|[A-Z]{1,15}(?:[-_./:][A-Z]{1,15})*)[-_.:!?]*$|^[0-9][0-9.,:_/-]*[a-z%]{0,3}$|^0x[0-9A-Fa-f]{1,16}[uUlL]*[,;]?$|^_+[a-z0-9_]+$|^[A-Z]{2,4}(?:[A-Z]?[a-z]{2,})+$|^(?i:sha-?[0-9]+|md5|base[0-9]+|utf-?[0-9]+|oauth2?|u[0-9]+|v?[0-9]+(?:\.[0-9]+)*)$"#,
    ),
    (
        "identifier",
        r#"^(?:(?:[A-Za-z]{1,20}|[A-Za-z0-9]{1,12})_+)+(?:[A-Za-z]{1,20}|[A-Za-z0-9]{1,12})$"#,
    ),
    (
        "numbered",
        r#"[^0-9](?:16|32|64|128|256|512)$|(?i:issue|bugs?|test|page|line|section|chapter|version|port|windows|linux|rfc|iso|cp|pep|ppc|aes|foo|bar|abc)[-_#]?[0-9]+$"#,
    ),
    ("loose", r#"\s|^.{0,5}$"#),
    (
        "digest",
        r#"^(?i:sha-?[0-9]*|md[0-9]|hash|h1|commit|rev|ref|git|digest|blake[0-9]?[a-z]?|crc|id|uuid|guid|chunk|layer|blob|asset|build|cache|image|css|integrity|object|tree|node|index|main|vendor|page|bundle|static|file|mod|anon|symbol|sym|fn|func|const|var|tmp|temp|out|data|base[0-9]*|x|v?[0-9]+)[0-9]*[_-]|^[A-Za-z]{9,}[_-][a-f0-9]{40}$|^AAAA[BCE]3N|^MI[ICGH]|(?i:example)|^[a-z]+-[0-9a-f]{8}$"#,
    ),
    (
        "hex",
        r#"^(?i)(?:[a-z]+[0-9]?[_.-])*(?:0x)?[0-9a-f_-]+$|(?i:/[0-9a-f-]{7,}(?:/|$))|^[0-9A-Fa-f]{8}-"#,
    ),
    ("letters", r#"^[^0-9]*$"#),
    ("variable", r#"^[$%{<*]|^x{3,}$|^\[redacted\]$"#),
    ("port", r#"^[0-9]{1,5}(?:/|$)"#),
    (
        "before",
        r#"(?i:sha-?[0-9]+|md5|blake[0-9a-z]*|hash(?:es)?|digest|checksum|integrity|etag|fingerprint|commits?|revision|rev|blob|tree|raw|archive|gist|kat|msg|uuid|guid|h1|base-?64|b64|base32|encode[ds]?|decode[ds]?|cert[a-z]*|public[_-]?key|ssh-[a-z0-9-]+|ecdsa-[a-z0-9-]+|assert[a-z_]*|expect[a-z]*)[A-Za-z0-9_]*[^A-Za-z0-9]{0,8}[A-Za-z0-9+/]*$|(?i:(?:^|[^a-z])id|(?-i:[a-z]Id)|[^a-z]ids|head)["'\])]*\s*[:=]*\s*[\[({]?["'`]?$"#,
    ),
];

/// The letters that usually follow a, b, c, …
pub(super) const USUAL_PAIRS: [&str; 26] = [
    "abcdefgiklmnprstuvwxy",
    "abcdefilorsuy",
    "abcdefhiklmoprstuvy",
    "abcdefgilmorstuy",
    "abcdefghiklmnopqrstuvwxy",
    "abcdefilorstuy",
    "aeghilmnorsu",
    "aeimortuy",
    "abcdefglmnoprstvxz",
    "e",
    "aeis",
    "acdefiklopstuvy",
    "abeilmopstu",
    "acdefghiklnoprstuvy",
    "abcdefgiklmnoprstuvwx",
    "acdehiloprstuy",
    "u",
    "abcdefgiklmnoprstuvwy",
    "acdefghiklmnopqrstuwy",
    "acdefhilmnoprstuwxy",
    "abcdefgilmnoprst",
    "aeio",
    "aehinors",
    "aceipt",
    "eimnpst",
    "aei",
];

/// What secrets look like.
pub(super) const RULES: [Rule; 27] = [
    value(
        r#"\$(?:1|2[abxy]|5|6|y|apr1|argon2(?:id?|d)|scrypt|pbkdf2[a-z0-9-]*)\$[A-Za-z0-9./,$=+-]{20,}|%b%(?:(?:AKIA|ASIA)[A-Z0-9]{16}|(?:AIza|LTAI|AKID|ABSK|A{21}|GOCSPX-|gh[pousr]_|github_pat_|gl(?:pat|rt|dt|ptt)-|npm_|hf_|xox[a-z]-|xapp-|[srp]k[-_]|eyJ[A-Za-z0-9_-]{10,}\.|SG\.|hv[sbr]\.|ya29\.|1//0|pypi-|whsec_|AGE-SECRET-KEY-1|sha256~|(?:AC|SK)[a-f0-9]{24}|dapi[a-f0-9]{8}|PMAK-|pat-[a-z0-9]+-|access-[a-z]+-[0-9a-f]{8}-|v1\.0-[0-9a-f]{24}-|(?:sdk|mob)-[0-9a-f]{8}-)[A-Za-z0-9_.=-]{8,}|(?:bot)?[0-9]{8,10}:AA[A-Za-z0-9_-]{32,35}|[A-Za-z0-9_.~-]{4}Q~[A-Za-z0-9_.~-]{31,34})"#,
        &["code", "identifier"],
        0,
    ),
    value(
        r#"^[\s"'#*/]*(?:[A-Za-z0-9+/]{64}|[A-Za-z0-9+/]{76})(?:\\[nr])*["',+;\\\s]*$|[A-Za-z_][A-Za-z0-9_]*\(|%b%((?:[A-Za-z0-9_-]{1,20}[.|$]|[0-9]{8,}:){0,3}[A-Za-z0-9][A-Za-z0-9_~-]{19,}(?:[.:][A-Za-z0-9_~-]{5,})*={0,2})"#,
        &["digest", "hex", "plain", "identifier", "letters", "before"],
        60,
    ),
    value(
        r#"^[\s"'#*/]*(?:[A-Za-z0-9+/]{64}|[A-Za-z0-9+/]{76})(?:\\[nr])*["',+;\\\s]*$|://[^\s"'<>`]+|((?:[A-Za-z]{2,10}_)?[A-Za-z0-9+/]{28,}={0,2})"#,
        &["digest", "hex", "letters", "before"],
        65,
    ),
    value(
        r#"%b%(?:[A-Za-z0-9]{2,12}(?:[_-][A-Za-z0-9]{1,24})?[_-](?:[a-f0-9]{30,}|[a-f0-9]{16}_[a-f0-9]{32,})(?:[_-][A-Za-z0-9]{1,40})?|[a-f0-9]{32}-us[0-9]{1,2})%b%"#,
        &["digest"],
        30,
    ),
    value(
        r#"://[^/\s:"'<>`\[]*:([^\s"'<>`]+)@[A-Za-z0-9\[$%{_.-]|jdbc:[a-z]+:[a-z]+:[^/\s"']+/([^@\s"']+)@|%b%[A-Za-z0-9_.-]+:([^\s"'@:/<>]{4,})@[a-z]*\("#,
        &["variable", "port"],
        0,
    ),
    value(
        r#"://([A-Za-z0-9_-]{20,}|[a-f0-9]{8}:[a-f0-9]{8})(?::[a-z-]*)?@[A-Za-z0-9\[]|://[^\s"'?]*/(?:v[0-9]+|inputs|key|catch|(?i:reset|invite|verify|confirm|activate|auth|token|secret)[a-z_-]*)/(?:[^\s"'?]*/)?([A-Za-z0-9_-]{20,})|://[^\s"'?#]*/([0-9a-f]{32,})(?:[^0-9A-Za-z_.-]|$)"#,
        &["plain", "digest", "before"],
        30,
    ),
    value(
        r#"[?&](?:(?i:query|q|search|gist|url|v|ver|version|[a-z_-]*(?:hash|sha|md5|rev|commit|digest|checksum|[_-]id|uuid|guid))=[^&\s]*|[A-Za-z_-]{2,}=([A-Za-z0-9_%+/-]{16,}={0,2}))"#,
        &["plain", "digest"],
        35,
    ),
    value(
        r#"(?:hooks?\.[a-z.-]+/(?:[a-z]+/)+|/(?i:[a-z-]*hook)s?b?2?/(?:[0-9]+/)?|/(?:services|triggers?|spaces)/)([A-Za-z0-9][A-Za-z0-9@/_-]{15,})"#,
        &["plain", "digest"],
        0,
    ),
    named(r#"%b%(%password%)%end%%to%%string%"#, &["placeholder"], 0),
    named(r#"%b%(%secret%)%end%%to%%string%"#, &["placeholder", "loose", "code"], 0),
    named(
        r#"(?:["']|(?i:name|key|id)["']?\s*[:=]\s*["']?)(%name%)["']?\)?\s*(?:(?:[^A-Za-z0-9<>]{0,8}(?i:value|default)["']?\s*[:=]|\s*\{.*?%b%default\s*=)\s*["']?([^\s"',;}<>(]{4,})|(?:,|\|\||\?\?|%b%or%b%)\s*%string%)"#,
        &["placeholder", "code", "plain"],
        0,
    ),
    named(
        r#"(?:^|[^:])<(?:[A-Za-z_-]+:|[^<>]*?["'])?(%name%)(?:["'\s][^<>]*)?>\s*(?:<[A-Za-z]+>|<!\[CDATA\[)?([^<>\s][^<>]{2,}?)\s*(?:\]\]>|</|$)"#,
        &["placeholder", "code"],
        0,
    ),
    named(
        r#"%assigns%["']?(%password%|[A-Z0-9_]*(?:SECRET|TOKEN|API_?KEY|ACCESS_KEY|PRIVATE_KEY)[A-Z0-9_]*)["']?\s*(?::=|=>|[:=])\s*([^\s"'`{}\[\](),;<>|&!*][^\s]{2,}[^\s,;({\[])(?:\s+[#;].*|\s*\\?)$"#,
        &["placeholder", "code"],
        0,
    ),
    named(
        r#"%assigns%["']?(%secret%)["']?\s*(?::=|=>|[:=])\s*([^\s"'`{}\[\](),;<>|&!*][^\s"'`{}\[\](),;<>]{4,}[^\s"'`{}\[\](),;<>])(?:\s+[#;].*|\s*\\?)$"#,
        &["placeholder", "code", "plain"],
        0,
    ),
    named(
        r#"%b%(%name%)["']?(?:=|:\s*)["'`]?([^\s"'`:=;&<>(){}\[\],$|][^\s"'`;&<>(){}\[\],$|]{3,})(?:[\s"'`;&)}\],|]|$)"#,
        &["placeholder", "code", "plain"],
        0,
    ),
    named(
        r#"%b%(%name%|(?i:community|identified\s+by)|AUTH|PASS)%b%["'`]?\s+(?:(?i:is|are|of|to|by|\||[0-9a-z]{1,3}:|[0-9])\s+)*["'`]?([^\s"'`<>(){}\[\],;:=|-][^\s"'`<>(){}\[\],;|]{3,})"#,
        &["placeholder", "code", "plain", "letters"],
        0,
    ),
    named(
        r#"(?:^|[^A-Za-z0-9_.-])([A-Za-z0-9_.-]*(?i:key|auth|dsn|salt|sess(?:ion)?(?:[_-]?id)?|cookie|signature|sid|sas|otp|sig|api|access|private|login|remember[a-z_]*|authenticate|authorize|authorize-account|configure|connect|register|activate|init|token|secret|credentials?|key-data|dockerconfigjson)|(?i:x-[a-z0-9-]+)|-[tbkpa])(?:\s+--?[a-z-]+|[^A-Za-z0-9_-]{0,3}\s*:\s*&?[A-Za-z][A-Za-z0-9_<>'. \[\]?|]{0,40}=)?[^A-Za-z0-9_./-][^A-Za-z0-9]{0,7}(?:[a-z0-9]{1,12}[ :]{1,2})?([A-Za-z0-9][A-Za-z0-9+/=_.%-]{11,})"#,
        &["code", "plain", "digest"],
        35,
    ),
    named(
        r#"%assigns%["']?([A-Za-z][A-Za-z0-9_.-]*)["']?\s*[:=]\s*["']?([A-Za-z0-9_+-]{16,}(?:[/.:][A-Za-z0-9_+-]{8,})*={0,2})["']?[,;]?\s*(?:[#;].*|//.*)?$"#,
        &["code", "plain", "identifier", "digest", "letters", "before"],
        45,
    ),
    value(
        r#"%b%(?:(?i:authorization)["']?\s*[:=,]\s*["'`]?(?:[A-Za-z0-9-]+\s+(?:token=)?)?|(?i:bearer|basic|digest|negotiate|token|splunk)\s+)["'`]?([A-Za-z0-9+/=_.~:-]{12,})"#,
        &["placeholder", "code", "plain"],
        0,
    ),
    value(
        r#"(?i)%b%(?:identified\s+(?:with\s+\S+\s+)?by|password)(?:\s*=\s*|\s+)[NE]?(?:'([^']{3,})'|"([^"]{3,})")"#,
        &["placeholder", "code"],
        0,
    ),
    value(
        r#"%b%(?:sshpass|(?:docker|podman|nerdctl|buildah|skopeo|oras|helm|az|oc|cf)\s[^|;]*?login|mongo[a-z]*|(?:redis|valkey|keydb)-[a-z]+|ldap[a-z]+|kadmin|sqlcmd|bcp|zip|unzip|7z[ar]?|rar|unrar|mosquitto_[a-z]+|p4)%b%[^|;]*?\s(?:(?:-[pawP]|--pass[\s=])\s*["']?([^\s"'-][^\s"']{2,})|-hp["']?([^\s"']{3,}))"#,
        &["variable", "port"],
        0,
    ),
    value(
        r#"%b%(?:echo|printf)\s+(?:-[a-z]+\s+)?["']?(?:[^\s:"'|]+:)?([^\s"'|]{3,})["']?\s*\|.*?(?:-stdin|chpasswd|%b%kinit|%b%sudo -S)|%b%(?:htpasswd\s+-[A-Za-z]*b[A-Za-z]*\s+\S+\s+\S+|rabbitmqctl\s+(?:add_user|change_password)\s+\S+)\s+["']?([^\s"']{3,})|^\s*(?:requirepass|masterauth|rootpw|bindpw)\s+["']?([^\s"']{4,})|^[^\s:]+:(?:[0-9]{4,5}|\*):[^\s:]+:[^\s:]+:(\S+)$"#,
        &["variable", "port"],
        0,
    ),
    value(
        r#"(?:%b%(?:curl|wget|https?|xh)\s(?:[^|;]*?\s)?(?:-[A-Za-z]*u\s*|-a\s+)|--(?:proxy-)?(?:user|auth|credentials?|login)[=\s]\s*)["']?[^\s"':/]*:([^\s"'/][^\s"']{2,})|%b%(?:smb[a-z]+|rpcclient|net|mount\.cifs)%b%.*?(?:-U\s*["']?[^\s%"']+%|/user:\S+\s+)([^\s"']{3,})|%b%(?:mysql[a-z]*|mariadb[a-z-]*)%b%[^|;]*?\s-p["']?([^\s"']{3,})|\s(?:-u|--user(?:name)?)[ =]["']?[^\s"']+["']?\s+(?:-p|--pass(?:word)?)[ =]["']?([^\s"']{4,})|\s/(?i:p|pass|password):["']?([^\s"']{4,})|(?:%b%|-)pass(?:in|out)?\s+["']?pass:([^\s"']{3,})"#,
        &["placeholder", "code", "plain"],
        0,
    ),
    named(
        r#"%b%((?:[A-Za-z_]+(?:\.|::|->))*(?:[A-Z][A-Za-z]*|%calls%))\(\s*(?:(?:["'][^"']*["']|[^"'(),]+)\s*,\s*){0,3}?["']([A-Za-z0-9_=+/:.-]{16,})["']"#,
        &["code", "plain", "digest"],
        30,
    ),
    value(
        r#"(?:%near%|%place%|(?:^|[\s"'(=])[a-z][A-Za-z0-9_.@-]*[/,:])([A-Za-z]+[a-z]{3,}[!#%&*+_.@-]?[a-z]{0,6}[0-9]{2,6})%stop%|["'`]([A-Za-z]?[a-z]{3,}[!#%&*+_.@-]?[a-z]{0,6}[0-9]{3,6})["'`]|\s([A-Za-z]?[a-z]{3,}[!#%&*+_.@-]?[a-z]{0,6}[0-9]{3,6})$"#,
        &["placeholder", "plain", "digest", "numbered"],
        0,
    ),
    value(
        r#"(?:%near%|%place%)([A-Za-z0-9][A-Za-z0-9+=_.%@!#$&*/-]{7,})%stop%"#,
        &["placeholder", "plain", "identifier", "digest", "hex"],
        60,
    ),
    value(
        r#"%b%[A-Za-z][A-Za-z0-9_.-]*["'`\])]?\s*(?:=>|:=|[:=(,>]|\s)\s*(?:["'][^"']*["']\s*,\s*){0,3}[\[({]?\s*(?:[a-z]?["'`])?((?:0x)?(?:[0-9a-f]{30,}|[0-9A-F]{30,}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}))(?:[\s"'`,;:)\]}&<@|\\]|$)"#,
        &["before"],
        30,
    ),
];
