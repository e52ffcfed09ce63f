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
    /// The least entropy of a value, in hundredths of a bit for each byte.
    pub(super) bits: u32,
}

const fn form(pattern: &'static str) -> Rule {
    Rule { pattern, is_named: false, unless: &[], bits: 0 }
}

const fn judged(pattern: &'static str, unless: &'static [&'static str]) -> Rule {
    Rule { pattern, is_named: false, unless, bits: 0 }
}

const fn named(pattern: &'static str, unless: &'static [&'static str]) -> Rule {
    Rule { pattern, is_named: true, unless, bits: 0 }
}

impl Rule {
    const fn with_bits(self, bits: u32) -> Self {
        Self { bits, ..self }
    }
}

/// What `%word%` stands for; a word may use those above it.
pub(super) const WORDS: [(&str, &str); 10] = [
    ("b", r#"(?-u:\b)"#),
    (
        "password",
        r#"(?:[A-Za-z0-9_.-]*(?i:password|passwort|passphrase|passcode|passwd|pwd|kennwort)[A-Za-z0-9_]*|(?:[A-Za-z0-9_.-]*[_.-])?(?i:(?:db|smtp|mail|ftp|user|root|admin|store|key|require|bind|ldap|sudo|become|wifi)?(?:pass|pw)|psk)[0-9_]*|[A-Za-z0-9_.-]*[a-z0-9](?:Pass|Pw)[0-9]*)"#,
    ),
    (
        "secret",
        r#"(?:[A-Za-z0-9_.-]*(?i:secret|token|credential|csrf|xsrf|crumb|connection[_.-]?string|(?:api|access|private|preshared|signing|encryption|master|account|storage|shared|service|auth|app|ssh|deploy|licen[cs]e|subscription|consumer|hmac|aes|crypto|cipher|webhook)[_.-]?key)[A-Za-z0-9_-]*|(?:[A-Za-z0-9_.-]*[_.-])?(?:(?i:creds?|jwt)|PAT)|[A-Za-z0-9_.-]*[a-z0-9](?:Creds?|Jwt))"#,
    ),
    ("name", r#"(?:%password%|%secret%)"#),
    ("end", r#"\\*["'`]?\]?"#),
    (
        "to",
        r#"\s*(?::\s*&?[A-Za-z][A-Za-z0-9_<>'. \[\]?|]{0,40}=|:=|=>|={1,3}|!==?|\|\|=?|\?\?=?|:|<-)\s*"#,
    ),
    ("open", r#"[A-Za-z@$&]{0,2}"#),
    (
        "assigns",
        r#"^[\s#;/*>|+-]*(?:(?i:export|set|setx|env|arg|declare|local|readonly|const|let|var)\s+)?"#,
    ),
    (
        "calls",
        r#"(?i:[a-z_]*(?:login|log_in|connect|connection|init|initialize|initialise|identify|authenticate|authorize|configure|setup|start|load|sign_?in|client|credentials?|auth|key|token|secret))"#,
    ),
    ("rest", r#"(?:\s+[#;].*|\s*\\?)$"#),
];

/// What values look like that are no secrets; of names, those that do not name one.
pub(super) const HARMLESS: [(&str, &str); 12] = [
    (
        "name",
        r#"(?i)(?:public|name|[_.a-z-]id|ids|ur[li]|path|file|dir|type|kind|length|len|count|counts|size|limit|max|min|policy|field|label|placeholder|prompt|message|error|regex|pattern|format|expir[a-z_]*|ttl|timeout|age|endpoint|iz(?:e[drs]?|ation|ing)|strategy|method|mode|provider|scheme|source|process|ref|selector|header|param|parameter|prefix|suffix|column|attribute|attr|property|manager|service|helper|handler|class|enabled|required|valid|usage|rotation|version|budget|title|text|hint|tokens|status|state|kind|event|ar(?:y|ies|iat)|sent|found|missing|invalid)$|public|(?-i:^(?:OLD)?PWD$)"#,
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
        r#"^[_.:!*&-]*(?:[A-Z]?[a-z]+(?:[-_./:+]*(?:[A-Z]?[a-z]{2,}|[A-Z]{2,3}))*|[A-Z]+(?:[-_./:][A-Z]+)*)[-_.:!?]*$|^[0-9][0-9.,:_/-]*[a-z%]{0,3}$|^0x[0-9A-Fa-f]{1,8}[,;]?$|^_+[a-z0-9_]+$|^[A-Z]{2,4}(?:[A-Z]?[a-z]{2,})+$|^(?i:sha-?[0-9]+|md5|base[0-9]+|utf-?[0-9]+|oauth2?|u[0-9]+|v?[0-9]+(?:\.[0-9]+)*)$"#,
    ),
    ("words", r#"^[A-Za-z]{2,}(?:[-_./: ]+[A-Za-z]{2,})+[?!.:]*$"#),
    (
        "digest",
        r#"^(?i:sha[0-9]*|md[0-9]|hash|h1|commit|rev|ref|git|digest|blake[0-9]?[a-z]?|crc|id|uuid|guid|chunk|layer|blob|asset|build|cache|test|tests|image|css|integrity|object|tree|node|index|main|vendor|page|bundle|static|file|mod|anon|symbol|sym|fn|func|const|var|tmp|temp|out|data|base[0-9]*|x|v?[0-9]+)[0-9]*[_-]|^[A-Za-z_]{9,}[_-][a-f0-9]{40}$"#,
    ),
    ("digits", r#"^[^0-9]*$"#),
    ("digits_in_one_place", r#"^[^0-9]*[0-9]*[^0-9]*$"#),
    ("letters_and_digits", r#"^[A-Za-z0-9]*$"#),
    ("version", r#"^[a-z]{0,3}[0-9.:x-]+$"#),
    ("variable", r#"^[$%{<*]|^x{3,}$|^\[redacted\]$"#),
    ("port", r#"^[0-9]{1,5}(?:/|$)"#),
];

/// What secrets look like.
pub(super) const RULES: [Rule; 93] = [
    form(r#"%b%(?:AKIA|ASIA)[A-Z0-9]{16}%b%"#),
    form(r#"%b%(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|gl(?:pat|rt|dt|ptt|cbt|ft|oas|agent|imt|soat|ffct)-[A-Za-z0-9_.-]{20,}|npm_[A-Za-z0-9]{30,}|ATBB[A-Za-z0-9]{28,})"#),
    form(r#"%b%(?:xox[a-z]-[A-Za-z0-9-]{10,}|xapp-[0-9]-[A-Za-z0-9-]{20,}|[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,})"#),
    form(r#"(?:%b%|bot)([0-9]{8,10}:AA[A-Za-z0-9_-]{32,35})"#),
    form(r#"%b%AIza[A-Za-z0-9_-]{35}"#),
    form(r#"%b%(?:sk|rk|pk)[-_][A-Za-z0-9_-]{20,}"#),
    form(r#"%b%eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,}"#),
    form(r#"%b%(?:SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|GOCSPX-[A-Za-z0-9_-]{20,}|ya29\.[A-Za-z0-9_-]{20,}|1//0[A-Za-z0-9_-]{30,}|hf_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{50,}|do[opr]_v1_[a-f0-9]{60,}|shp(?:at|ss|ca|pa)_[A-Fa-f0-9]{30,}|gsk_[A-Za-z0-9]{40,}|xai-[A-Za-z0-9]{60,}|r8_[A-Za-z0-9]{30,}|pplx-[A-Za-z0-9]{40,}|whsec_[A-Za-z0-9+/=]{24,}|xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}|xsmtpsib-[a-f0-9]{64}-[A-Za-z0-9]{16}|key-[a-f0-9]{32}|[a-f0-9]{32}-us[0-9]{1,2}|SK[a-f0-9]{32}|EAA[A-Za-z0-9]{80,}|AGE-SECRET-KEY-1[A-Z0-9]{50,})"#),
    form(r#"%b%(?:hv[sbr]\.[A-Za-z0-9_-]{24,}|[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,}|rubygems_[a-f0-9]{48}|oy2[a-z0-9]{43}|cio[A-Za-z0-9]{32}|dckr_[po]at_[A-Za-z0-9_-]{20,}|pul-[a-f0-9]{40}|sq[pua]_[a-f0-9]{40}|dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]+\.)?[A-Za-z0-9]{40,}|lin_(?:api|oauth)_[A-Za-z0-9]{32,}|PMAK-[A-Za-z0-9]{24}-[A-Za-z0-9]{34}|CCIPAT_[A-Za-z0-9_]{40,}|bkua_[a-z0-9]{40}|tskey-[a-z]+-[A-Za-z0-9-]{20,})"#),
    form(r#"%b%(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43}|fig[dr]_[A-Za-z0-9_-]{40,}|pat[A-Za-z0-9]{14}\.[a-f0-9]{64}|AT(?:ATT|CTT)3[A-Za-z0-9_=-]{60,}|gl(?:c|sa)_[A-Za-z0-9+/=_]{32,}|NR(?:AK|JS|II|AA)-[A-Za-z0-9-]{19,}|sntry[su]_[A-Za-z0-9+/=_-]{60,}|pscale_(?:pw|tkn|oauth)_[A-Za-z0-9_.-]{32,}|dapi[a-f0-9]{32}|sbp_[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{20,}|mdb_sa_sk_[A-Za-z0-9_-]{30,}|AVNS_[A-Za-z0-9_-]{19}|PRIVATE-[A-Za-z0-9]{30,})"#),
    form(r#"%b%(?:sq0[a-z]{3}-[A-Za-z0-9_-]{22,}|EAA[A-Za-z0-9_-]{50,}|FLW(?:PUB|SEC)K(?:_TEST)?-[A-Za-z0-9]{12,}(?:-X)?|EZ[AT]K[A-Za-z0-9]{54}|access_token\$[a-z]+\$[a-z0-9A-Z]+\$[a-f0-9]{32}|access-(?:sandbox|development|production)-[a-f0-9-]{36})"#),
    form(r#"%b%(?:p8e-[A-Za-z0-9-]{32}|AKCp[A-Za-z0-9]{60,}|cmVmdGtu[A-Za-z0-9]{50,}|ABSK[A-Za-z0-9+/]{100,}={0,2}|v1\.0-[a-f0-9]{24}-[a-f0-9]{100,}|sl\.[A-Za-z0-9_-]{100,}|FlyV1 fm[0-9][ar]?_[A-Za-z0-9+/=,_]{60,}|fo1_[A-Za-z0-9_-]{43}|HRKU-[A-Za-z0-9_-]{36,}|pat-[a-z0-9]+-[a-f0-9-]{36}|(?:sdk|mob)-[a-f0-9-]{36}|[pst]k\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}|pat\.[A-Za-z0-9_-]{22}\.[a-f0-9]{24}\.[A-Za-z0-9]{20}|sha256~[A-Za-z0-9_-]{43}|AQVN[A-Za-z0-9_-]{35,}|t1\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{80,}|[0-9]{13,17}\|[A-Za-z0-9_-]{27}|b_[A-Za-z0-9=_-]{44}|LTAI[A-Za-z0-9]{20}|A3-[A-Z0-9]{6}(?:-[A-Z0-9]{5,11}){4}|[01]/[0-9]{16}:[a-f0-9]{32}|s(?:c|ext|cauth)_[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_-][A-Za-z0-9-]{10,32}\.[A-Za-z0-9+/_=-]{30,}|dt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}|s-s4t2(?:ud|af)-[a-f0-9]{64}|[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk|API-[A-Z0-9]{26}|sm_(?:aat|pat|sat)_[A-Za-z0-9]{16})"#),
    judged(r#"%b%[A-Za-z][A-Za-z0-9]{1,11}(?:[_-][A-Za-z0-9]{1,8}){0,2}[_-][A-Za-z0-9]{28,}%b%"#, &["digest", "plain", "digits_in_one_place"]).with_bits(405),
    judged(r#"%b%[A-Za-z][A-Za-z0-9]{1,11}[_-][A-Za-z0-9_-]{36,}"#, &["digest", "plain", "digits_in_one_place"]).with_bits(445),
    judged(r#"%b%[a-z]{2,8}[0-9]?_(?:(?:live|test|prod|pt|sk|pat|api|key|tok|token)_)?(?:[a-f0-9]{32,}(?:_[a-f0-9]{8,40})?|[a-f0-9]{16}_[a-f0-9]{32,})%b%"#, &["digest", "plain"]).with_bits(295),
    judged(r#"%b%(?:[A-Za-z0-9_-]{8,40}:)?[A-Za-z0-9_-]{100,}"#, &["letters_and_digits"]).with_bits(505),
    judged(r#"%b%s\.[A-Za-z0-9]{24}%b%"#, &["plain"]),
    form(r#"(?:^|[^A-Za-z0-9_.~-])([A-Za-z0-9_.-]{3}[0-9]Q~[A-Za-z0-9_.~-]{31,34})"#),
    form(r#"%b%(?:AC[a-f0-9]{32}|algoliasearch\(["'][A-Z0-9]{10})["':, ]+([a-f0-9]{32})%b%"#),
    form(r#"\$(?:1|2[abxy]|5|6|y|apr1|argon2(?:id?|d)|scrypt|pbkdf2[a-z0-9-]*)\$[A-Za-z0-9./,$=+-]{20,}"#),
    form(r#"%b%(?:hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/]{20,})|discord(?:app)?\.com/api/(?:v[0-9]+/)?webhooks/[0-9]+/([A-Za-z0-9_-]{20,})|(?:[a-z0-9-]+\.)?(?:webhook\.office|outlook\.office(?:365)?)\.com/webhook(?:b2)?/([A-Za-z0-9@/_-]{30,})|chat\.googleapis\.com/v1/spaces/[^\s"'?]*\?([^\s"'<>]{20,})|(?:hooks\.zapier\.com/hooks/catch|maker\.ifttt\.com/trigger/[^/\s]+/with/key)/([A-Za-z0-9/_-]{10,}))"#),
    form(r#"://[^\s"'/]+/hooks/([a-zA-Z0-9]{26})%b%"#),
    form(r#"%b%oauth:([A-Za-z0-9]{30})%b%"#),
    form(r#"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----(.+)"#),
    judged(r#"://[^/\s:"'<>`\[]*:([^\s"'<>`]+)@[A-Za-z0-9\[$%{_.-]"#, &["variable", "port"]),
    form(r#"://([A-Za-z0-9_-]{20,})(?::[a-z-]*)?@[A-Za-z0-9\[]"#).with_bits(295),
    judged(r#"jdbc:[a-z]+:[a-z]+:[^/\s"']+/([^@\s"']+)@"#, &["variable"]),
    named(r#"[?&;](%name%|(?i:key|sig|sign|signature|code|auth|sas|x-(?:amz|goog)-(?:signature|credential|security-token)))=([^&;\s"'#<>`]{6,})"#, &["placeholder", "code", "plain"]).with_bits(245),
    named(r#"%b%(%password%)%end%%to%%open%(?:\\+"([^"\\]{4,})|"((?:[^"\\]|\\.){4,})"|'((?:[^'\\]|\\.){4,})'|`([^`]{4,})`|["'`]([^\s"'`][^"'`]{3,})$)"#, &["placeholder"]),
    named(r#"%b%(%secret%)%end%%to%%open%(?:\\+"([^"\\\s]{6,})|"([^"\s]{6,})(?:"|$)|'([^'\s]{6,})(?:'|$)|`([^`\s]{6,})(?:`|$))"#, &["placeholder", "words"]),
    named(r#"["'](%name%)["']\)?\s*(?:,|\|\||\?\?|%b%or%b%)\s*%open%(?:"([^"\s]{4,})"|'([^'\s]{4,})')"#, &["placeholder", "plain"]),
    named(r#"\$\{(%name%):?[-=]([^}\s$"']{4,})"#, &["placeholder"]),
    named(r#""(%name%)"\s*\{.*?%b%default\s*=\s*"([^"]{4,})""#, &["placeholder"]),
    named(r#"<(?:[A-Za-z_-]+:)?(%name%)(?:\s[^<>]*)?>\s*(?:<!\[CDATA\[)?([^<>\s][^<>]{2,}?)\s*(?:\]\]>|</)"#, &["placeholder", "code"]),
    named(r#"^\s*<(?:[A-Za-z_-]+:)?(%name%)(?:\s[^<>]*)?>\s*([^<>\s][^<>]{2,})$"#, &["placeholder", "code"]),
    named(r#"(?i:name|key|id)=["'](%name%)["'][^<>]*>\s*([^<>\s]{4,})\s*</"#, &["placeholder", "code"]),
    named(r#"(?i:name|key)["']?\s*[:=]\s*["']?(%name%)["']?[\s,;]+["']?(?i:value)["']?\s*[:=]\s*["']?([^\s"',;}<>]{4,})"#, &["placeholder", "code"]),
    named(r#"%assigns%["']?(%password%)["']?\s*(?::=|=>|[:=])\s*([^\s"'`{}\[\](),;<>|&!*][^\s]{2,}[^\s,;({\[])%rest%"#, &["placeholder", "code"]),
    named(r#"%assigns%["']?(%secret%)["']?\s*(?::=|=>|[:=])\s*([^\s"'`{}\[\](),;<>|&!*][^\s"'`{}\[\](),;<>]{4,}[^\s"'`{}\[\](),;<>])%rest%"#, &["placeholder", "code", "plain"]),
    named(r#"^[\s#-]*(?i:export\s+|env\s+|set\s+)?([A-Z0-9_]*(?:SECRET|TOKEN|API_?KEY|ACCESS_KEY|PRIVATE_KEY)[A-Z0-9_]*)=([^\s"'#$]{6,})\s*$"#, &["placeholder", "code"]),
    named(r#"^\s*(?i:export\s+|env\s+|-\s+)?([A-Z0-9_]*KEYS?(?:_[A-Z0-9_]*)?)\s*=\s*([^\s"'#]{6,})\s*$"#, &["placeholder", "code", "plain"]),
    named(r#"%b%(%password%)["']?(?:=|:\s*)["'`]?([^\s"'`:=;&<>(){}\[\],$|][^\s"'`;&<>(){}\[\],$|]{3,})(?:[\s"'`;&)}\],|]|$)"#, &["placeholder", "code", "plain"]),
    named(r#"%b%(%secret%)["']?(?:=|:\s*)["'`]?([^\s"'`:=;&<>(){}\[\],$|][^\s"'`;&<>(){}\[\],$|]{7,})(?:[\s"'`;&)}\],|]|$)"#, &["placeholder", "code", "plain"]).with_bits(245),
    named(r#"(?:^|[;?&"'])\s*(?i:(password|pwd))\s*=\s*([^;"'&\s<>]{3,})"#, &["placeholder", "code"]),
    form(r#"(?i)%b%(?:AccountKey|SharedAccessKey|SharedSecret)=([A-Za-z0-9+/]{20,}={0,2})"#),
    named(r#"%b%((?:[A-Za-z0-9_.-]*[_.-])?(?i:auth)|[A-Za-z0-9_.-]*(?:\.key|key-data)|[A-Za-z0-9_.-]*dockerconfigjson|[A-Za-z0-9_.-]*(?i:key)|(?:[A-Za-z0-9_.-]*[_.-])?(?i:sas|dsn|otp|salt))%end%%to%["'`]?([A-Za-z0-9+/=_-]{24,})"#, &["placeholder", "code", "plain"]).with_bits(345),
    judged(r#"(?i)%b%(?:[a-z._-]*sess(?:ion)?(?:[_-]?id)?|[a-z.]*sid|auth|remember[a-z_]*)=([^\s;"'&<>]{16,})"#, &["placeholder", "code", "plain"]).with_bits(295),
    judged(r#"(?i)%b%(?:bearer|basic|token|digest|negotiate)\s+([A-Za-z0-9+/=_.~-]{16,})"#, &["plain"]),
    judged(r#"(?i)%b%(?:proxy-)?authorization["']?\s*[:=,]\s*["'`]?(?:[a-z0-9-]+\s+)?([A-Za-z0-9+/=_.~:-]{12,})"#, &["placeholder", "code", "plain"]),
    form(r#"(?i)%b%(?:SharedAccessSignature)\s+[^\s"']*?sig=([^&\s"']{20,})"#),
    named(r#"(?i)%b%(password|passwort|passphrase|passcode)%b%\s*(?:is|are|of|to|:|=|\|)?\s*[`|]\s*`?([^`|\s]{4,})`?"#, &["placeholder", "code", "plain"]),
    named(r#"(?i)%b%(password|passwort|passphrase|wpa-psk)\s+(?:is\s+)?([^\s"'`<>(){}\[\],;:=|]{6,})"#, &["placeholder", "code", "plain", "digits"]),
    judged(r#"(?i)%b%login\s+\S+\s+password\s+(\S+)"#, &["variable"]),
    named(r#"%b%(?i:env|arg|setx|set|config)\s+(?:\S+\s+)?(%name%)\s+([^\s"'=]{4,})"#, &["placeholder", "code", "plain"]),
    judged(r#"^\s*(?i:requirepass|masterauth|rootpw|bindpw)\s+["']?([^\s"']{4,})"#, &["placeholder"]),
    form(r#"^[^\s:]+:(?:[0-9]{4,5}|\*):[^\s:]+:[^\s:]+:(\S+)$"#),
    judged(r#"(?i)(?:%b%(?:password|secret|key)\s+[0-9]\s+|%b%snmp-server\s+community\s+)([^\s"']{6,})"#, &["placeholder", "code", "plain"]),
    form(r#"(?i)(?:%b%(?:auth|login)|\s-t)\s+([a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12})%b%"#),
    form(r#"(?:%b%BUNDLE_[A-Z0-9_]*=|://)([a-f0-9]{8}:[a-f0-9]{8})(?:@|%b%)"#),
    judged(r#"(?i)%b%(?:identified\s+(?:with\s+\S+\s+)?by|password)(?:\s*=\s*|\s+)[NE]?(?:'([^']{3,})'|"([^"]{3,})")"#, &["placeholder", "code"]),
    named(r#"(?:^|[\s"'])--?(%name%)=["']?([^\s"'<>\[\]|]{4,})"#, &["placeholder", "code"]),
    named(r#"(?:^|[\s"'])--?(%name%)\s+["']?([^\s"'<>\[\]|-][^\s"'<>\[\]|]{3,})"#, &["placeholder", "code", "plain"]),
    judged(r#"%b%(?:mysql[a-z]*|mariadb[a-z-]*)%b%[^|;]*?\s-p["']?([^\s"']{3,})"#, &["variable"]),
    judged(r#"%b%(?:redis|valkey|keydb)-[a-z]+%b%[^|;]*?\s(?:-a|--pass)\s+["']?([^\s"']{3,})"#, &["variable"]),
    judged(r#"(?:^|[\s"'>])AUTH\s+([^\s"'`]{6,})"#, &["placeholder", "code", "plain"]),
    judged(r#"%b%(?:curl|wget|https?|xh)\s(?:[^|;]*?\s)?(?:-[A-Za-z]*u\s*|--(?:proxy-)?user[=\s]\s*|-a\s+)["']?[^\s"':/]*:([^\s"'/][^\s"']{2,})"#, &["variable"]),
    judged(r#"%b%(?:sshpass|(?:docker|podman|nerdctl|buildah|skopeo|oras|helm|az|oc|cf)\s[^|;]*?login|mongo[a-z]*)%b%[^|;]*?\s-p\s*["']?([^\s"']{3,})"#, &["variable"]),
    judged(r#"%b%(?:ldap[a-z]+|kadmin)%b%[^|;]*?\s-w\s*["']?([^\s"']{3,})"#, &["variable"]),
    judged(r#"%b%(?:sqlcmd|bcp|zip|unzip)%b%[^|;]*?\s-P\s*["']?([^\s"']{3,})"#, &["variable"]),
    judged(r#"%b%(?:7z[ar]?|rar|unrar)%b%[^|;]*?\s-h?p["']?([^\s"']{3,})"#, &["variable"]),
    judged(r#"(?:%b%|-)pass(?:in|out)?\s+["']?pass:([^\s"']{3,})"#, &["variable"]),
    judged(r#"%b%(?:smb[a-z]+|rpcclient|net|mount\.cifs)%b%.*?(?:-U\s*["']?[^\s%"']+%|/user:\S+\s+)([^\s"']{3,})"#, &["variable"]),
    judged(r#"%b%(?:echo|printf)\s+(?:-[a-z]+\s+)?["']?(?:[^\s:"'|]+:)?([^\s"'|]{3,})["']?\s*\|.*?(?:-stdin|chpasswd|%b%kinit|%b%sudo -S)"#, &["variable"]),
    judged(r#"%b%(?:htpasswd\s+-[A-Za-z]*b[A-Za-z]*\s+\S+\s+\S+|rabbitmqctl\s+(?:add_user|change_password)\s+\S+)\s+["']?([^\s"']{3,})"#, &["variable"]),
    judged(r#"%b%%calls%\(\s*(?:[^"'(),]+,\s*)?["']([A-Za-z0-9_=+/.-]{20,})["']"#, &["placeholder", "code", "plain", "digest"]).with_bits(295),
    judged(r#"%b%%calls%\((?:[^"'()]*["'][^"']*["']\s*,\s*){1,4}["']([A-Za-z0-9_=+/.-]{20,})["']"#, &["placeholder", "code", "plain", "digest"]).with_bits(295),
    judged(r#"%b%(?:new\s+[A-Z][A-Za-z]*|[a-z_]+\.[A-Z][A-Za-z]*)\(\s*["']([A-Za-z0-9_=+/-]{20,})["']"#, &["placeholder", "code", "plain", "digest", "digits_in_one_place"]).with_bits(365),
    judged(r#"%b%%calls%[=(]\s*\(?\s*(?:[^"'(),]+,\s*)?["'][^"']+["']\s*,\s*["']([^\s"']{4,})["']"#, &["placeholder", "code", "plain", "digits", "version"]),
    named(r#"(?:^|["'\s])((?i:x-[a-z0-9-]+))["']?\s*[:,=]\s*["']?([A-Za-z0-9_+/=.-]{20,})"#, &["placeholder", "code", "plain", "digest"]).with_bits(345),
    named(r#"%assigns%["']?([A-Za-z][A-Za-z0-9_.-]*)["']?\s*[:=]\s*["']?([A-Za-z0-9_+-]{24,}(?:[/.][A-Za-z0-9_+-]{8,})*={0,2})["']?,?\s*$"#, &["placeholder", "code", "plain", "digest", "digits_in_one_place"]).with_bits(405),
    judged(r#"%b%(?i:auth|login|authenticate|configure|connect|register|activate|set-key|add-key)\s+(?:--?[a-z-]+\s+)*["']?([A-Za-z0-9_-]{24,})%b%"#, &["plain", "digest", "digits_in_one_place"]).with_bits(345),
    judged(r#"\s/(?i:p|pass|password):["']?([^\s"']{4,})"#, &["variable", "placeholder", "code", "plain", "digits"]),
    named(r#"%b%(%name%)\s+(?:[0-9a-z]{1,3}:){0,2}["']?([A-Za-z0-9+/=_-]{20,})"#, &["placeholder", "code", "plain", "digest", "digits_in_one_place"]).with_bits(345),
    named(r#"(?i)%b%((?:api|access|secret|private|auth|client|service)[ _-](?:access[ _-])?(?:key|token|secret))s?["'`*]*\s*[:=|]*\s*["'`]?([A-Za-z0-9_+/=-]{16,})"#, &["placeholder", "code", "plain", "digest"]).with_bits(295),
    named(r#"["']?%b%(%name%)["']?\s*[:=]\s*\{\s*["']?[A-Za-z]+["']?\s*[:=]\s*["']([^\s"']{6,})["']"#, &["placeholder", "code", "plain"]),
    named(r#"(?i:name|key|id)=["'](%name%)["'][^<>]*>\s*<[A-Za-z]+>([^<>\s]{4,})</"#, &["placeholder", "code"]),
    judged(r#"(?i)%b%[a-z_]*(?:password|passwd|passphrase|passwort|pwd)\(\s*["']([^\s"']{4,})["']\s*\)"#, &["placeholder", "code", "plain", "digits"]),
    judged(r#"(?i)%b%[a-z_]*(?:env|fetch|get|default)\(\s*["'][A-Za-z0-9_.]+["']\s*,\s*["']([A-Za-z0-9_+/=-]{20,})["']"#, &["placeholder", "code", "plain", "digest", "digits_in_one_place"]).with_bits(365),
    judged(r#"\s(?:-u|--user(?:name)?)[ =]["']?[^\s"']+["']?\s+(?:-p|--pass(?:word)?)[ =]["']?([^\s"']{4,})"#, &["variable", "placeholder", "port", "code", "plain"]),
    judged(r#"\s--(?:auth|user|credentials?|login)[ =]["']?[^\s:"'/]+:([^\s"']{4,})"#, &["variable", "placeholder", "port"]),
    judged(r#"://[^\s"']*/(?:hooks?|webhooks?|services)/[^\s"'?]*?([A-Za-z0-9_-]{20,})"#, &["plain", "digest", "digits_in_one_place"]).with_bits(345),
    judged(r#"%b%[A-Za-z0-9_.-]+:([^\s"'@:/<>]{4,})@[a-z]*\("#, &["variable", "placeholder"]),
    named(r#"^\s*(%password%)\s+["']?([^\s"'=:(){};,]{4,})["']?\s*;?$"#, &["placeholder", "code", "plain", "digits"]),
];
