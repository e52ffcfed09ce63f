//! Secrets that no rule was changed for when they were measured first; later rules know shapes of
//! lines that they have.
//!
//! Notation as in [`super::kinds_named`].

use super::Kind;

pub(super) const BLIND: &[Kind] = &[
    ("postmark", &["X-Postmark-Server-Token: <<~uuid~>>", "POSTMARK_API_TOKEN=<<~uuid~>>"]),
    (
        "mailjet",
        &["mailjet.connect('<<~hex32~>>', '<<~hex32~>>')", "MJ_APIKEY_PRIVATE=<<~hex32~>>"],
    ),
    ("segment", &["analytics.load(\"<<~alnum32~>>\");", "SEGMENT_WRITE_KEY=<<~alnum32~>>"]),
    ("mixpanel", &["mixpanel.init(\"<<~hex32~>>\");", "mixpanel_token: <<~hex32~>>"]),
    (
        "amplitude",
        &["amplitude.getInstance().init('<<~hex32~>>');", "AMPLITUDE_KEY: \"<<~hex32~>>\""],
    ),
    (
        "pagerduty",
        &["PAGERDUTY_ROUTING_KEY=<<~alnum32~>>", "Authorization: Token token=<<y_~url18~>>"],
    ),
    ("opsgenie", &["Authorization: GenieKey <<~uuid~>>", "opsgenie_api_key: <<~uuid~>>"]),
    ("rollbar", &["accessToken: '<<~hex32~>>',", "post_server_item=<<~hex32~>>"]),
    ("bugsnag", &["Bugsnag.start({ apiKey: '<<~hex32~>>' })"]),
    ("honeycomb", &["x-honeycomb-team: <<~alnum22~>>", "HONEYCOMB_API_KEY=<<~alnum22~>>"]),
    ("elastic", &["Authorization: ApiKey <<~base60~>>==", "ELASTIC_PASSWORD=<<~alnum24~>>"]),
    (
        "supabase",
        &[
            "SUPABASE_SERVICE_ROLE_KEY=<<eyJ~url33~.eyJ~url80~.~url43~>>",
            "supabase.key <<sb_secret_~url31~>>",
        ],
    ),
    ("firebase", &["FIREBASE_TOKEN=<<1//0~url60~>>", "fcm: <<AAAA~url7~:APA91b~url134~>>"]),
    ("vercel", &["VERCEL_TOKEN=<<~alnum24~>>", "vercel --token <<~alnum24~>>"]),
    (
        "neon",
        &[
            "DATABASE_URL=postgresql://me:<<npg_~alnum12~>>@ep-x.neon.tech/db",
            "NEON_API_KEY=<<napi_~alnum64~>>",
        ],
    ),
    ("upstash", &["UPSTASH_REDIS_REST_TOKEN=\"<<AX~url50~>>\""]),
    ("resend", &["new Resend('<<re_~alnum8~_~alnum24~>>')"]),
    ("replicate", &["REPLICATE_API_TOKEN=<<r8_~alnum37~>>"]),
    ("cohere", &["co = cohere.Client('<<~alnum40~>>')", "CO_API_KEY=<<~alnum40~>>"]),
    ("pinecone", &["pinecone.init(api_key='<<~uuid~>>')", "<<pcsk_~alnum6~_~alnum60~>>"]),
    ("weights and biases", &["wandb login <<~hex40~>>", "WANDB_API_KEY=<<~hex40~>>"]),
    ("linode", &["LINODE_TOKEN=<<~hex64~>>", "token = \"<<~hex64~>>\""]),
    ("hetzner", &["HCLOUD_TOKEN=<<~alnum64~>>", "hcloud_token = \"<<~alnum64~>>\""]),
    ("auth0", &["AUTH0_CLIENT_SECRET=<<~url64~>>", "clientSecret: '<<~url64~>>',"]),
    (
        "keycloak",
        &["\"credentials\": { \"secret\": \"<<~uuid~>>\" },", "KEYCLOAK_ADMIN_PASSWORD: <<~pw~>>"],
    ),
    ("jira", &["basic_auth=('me@example.com', '<<~alnum24~>>')", "JIRA_API_TOKEN=<<~alnum24~>>"]),
    (
        "steam",
        &[
            "https://api.example.com/ISteamUser?key=<<~HEX32~>>&steamids=1",
            "STEAM_WEB_API_KEY=<<~HEX32~>>",
        ],
    ),
    (
        "spring",
        &[
            "spring.mail.password=<<~pw~>>",
            "    secret-key: <<~base44~>>",
            "jasypt.encryptor.password=<<~pw~>>",
        ],
    ),
    ("log4j url", &["ftp://me:<<~pw~>>@ftp.example.com/x", "smb://dom;me:<<~pw~>>@srv/share"]),
    (
        "java code",
        &[
            "DriverManager.getConnection(url, \"me\", \"<<~pw~>>\");",
            "new UsernamePasswordCredentials(\"me\", \"<<~pw~>>\")",
        ],
    ),
    (
        "python code",
        &[
            "client.login('me', '<<~pw~>>')",
            "pymysql.connect(host='db', user='me', passwd='<<~pw~>>')",
            "auth=('me', '<<~pw~>>')",
        ],
    ),
    ("vnc and rdp", &["xfreerdp /u:me /p:<<~pw~>> /v:host", "password 51:b:<<~hex32~>>"]),
];
