//! Secrets that no rule was changed for until the rules of today were made.
//!
//! Notation as in [`super::kinds_named`].

use super::Kind;

pub(super) const UNSEEN: &[Kind] = &[
    ("adyen", &["X-API-Key: AQE<<~alnum60~>>", "adyen.api.key=<<AQE~alnum60~>>"]),
    ("klaviyo", &["KLAVIYO_PRIVATE_KEY=<<pk_~hex34~>>", "Klaviyo-API-Key <<pk_~hex34~>>"]),
    (
        "intercom",
        &[
            "intercom_access_token: <<dG9r~base56~>>",
            "Intercom.configure(token: '<<dG9r~base56~>>')",
        ],
    ),
    (
        "zendesk",
        &[
            "curl -u me@example.com/token:<<~alnum40~>> https://x.zendesk.com/api",
            "ZENDESK_TOKEN=<<~alnum40~>>",
        ],
    ),
    (
        "freshdesk",
        &[
            "curl -u <<~alnum20~>>:X https://x.freshdesk.com/api/v2/tickets",
            "freshdesk_api_key = '<<~alnum20~>>'",
        ],
    ),
    (
        "monday",
        &["fetch(url, { headers: { Authorization: '<<eyJ~url33~.eyJ~url90~.~url43~>>' } })"],
    ),
    ("miro", &["MIRO_OAUTH=<<eyJ~url40~_~alnum27~>>", "Authorization: Bearer <<~alnum27~>>"]),
    ("contentful", &["accessToken: '<<~url43~>>',", "CONTENTFUL_MANAGEMENT=<<CFPAT-~url43~>>"]),
    (
        "sanity",
        &["token: process.env.SANITY || '<<sk~alnum80~>>',", "SANITY_WRITE=<<sk~alnum80~>>"],
    ),
    (
        "cloudinary",
        &[
            "CLOUDINARY_URL=cloudinary://~digits15~:<<~url27~>>@demo",
            "cloudinary.config(api_secret='<<~url27~>>')",
        ],
    ),
    (
        "imagekit",
        &[
            "privateKey: \"<<private_~base27~>>=\",",
            "imagekit = ImageKit(private_key='<<private_~base27~>>=')",
        ],
    ),
    (
        "weather",
        &[
            "https://api.openweathermap.org/data/2.5/weather?q=x&appid=<<~hex32~>>",
            "owm = OWM('<<~hex32~>>')",
        ],
    ),
    (
        "rapid interface",
        &[
            "x-rapidapi-key: <<~hex10~msh~hex15~p1~hex6~jsn~hex12~>>",
            "'X-RapidAPI-Key': '<<~hex10~msh~hex15~p1~hex6~jsn~hex12~>>',",
        ],
    ),
    (
        "market data",
        &["ts = TimeSeries(key='<<~upper16~>>')", "https://api.polygon.io/v2/x?apiKey=<<~url32~>>"],
    ),
    ("exchange", &["Client('<<~alnum64~>>', '<<~alnum64~>>')", "BINANCE_SECRET=<<~alnum64~>>"]),
    (
        "node of a chain",
        &[
            "https://mainnet.infura.io/v3/<<~hex32~>>",
            "ALCHEMY=<<~url32~>>",
            "web3 = Web3(HTTPProvider('https://eth.x.io/v2/<<~url32~>>'))",
        ],
    ),
    (
        "wallet",
        &[
            "const wallet = new ethers.Wallet('<<0x~hex64~>>', provider)",
            "accounts: [\"<<0x~hex64~>>\"]",
            "privkey <<~hex64~>>",
        ],
    ),
    (
        "speech",
        &[
            "set_api_key(\"<<~hex32~>>\")",
            "xi-api-key: <<~hex32~>>",
            "dg = Deepgram('<<~hex40~>>')",
        ],
    ),
    (
        "models",
        &[
            "OPENROUTER=<<sk-or-v1-~hex64~>>",
            "mistral = Mistral(api_key=\"<<~alnum32~>>\")",
            "together.api_key = \"<<~hex64~>>\"",
        ],
    ),
    (
        "vector store",
        &["QdrantClient(url=u, api_key='<<~url54~>>')", "AuthApiKey(\"<<~alnum36~>>\")"],
    ),
    (
        "message broker",
        &[
            "sasl.jaas.config=org.x.PlainLoginModule required username=\"me\" password=\"<<~alnum64~>>\";",
            "mqtt.username_pw_set('me', '<<~pw~>>')",
            "mosquitto_sub -u me -P <<~pw~>> -t x",
        ],
    ),
    (
        "directory",
        &[
            "ldapsearch -D cn=me -w <<~pw~>> -b dc=x",
            "olcRootPW: {SSHA}<<~base32~>>",
            "bind_dn_password = '<<~pw~>>'",
        ],
    ),
    (
        "radius and tunnels",
        &[
            "    secret = <<~alnum16~>>",
            "@peer : PSK \"<<~alnum24~>>\"",
            "authentication pre-share key <<~alnum20~>>",
        ],
    ),
    (
        "backup",
        &[
            "export BORG_PASSPHRASE='<<~pw~>>'",
            "RESTIC_PASSWORD=<<~pw~>>",
            "RCLONE_CONFIG_PASS=<<~pw~>>",
            "b2 authorize-account ~hex12~ <<K00~alnum28~>>",
        ],
    ),
    (
        "variables of infrastructure",
        &[
            "db_password = \"<<~pw~>>\"",
            "terraform apply -var=\"db_password=<<~pw~>>\"",
            "TF_VAR_token=<<~alnum14~.atlasv1.~url67~>>",
        ],
    ),
    ("encrypted settings", &["eyaml_key: ENC[PKCS7,<<~base80~>>]", "  hash: !vault |<<~hex80~>>"]),
    (
        "builds",
        &[
            "SONAR_TOKEN=<<sqp_~hex40~>>",
            "sonar.login=<<~hex40~>>",
            "CODECOV_TOKEN: <<~uuid~>>",
            "curl -F token=<<~uuid~>> https://codecov.io",
        ],
    ),
    (
        "jenkins",
        &[
            "curl -X POST http://me:<<11~hex32~>>@ci/job/x/build",
            "<apiToken>{<<~base44~>>}</apiToken>",
        ],
    ),
    (
        "version control",
        &[
            "git clone https://x-token-auth:<<ATCTT3~url60~>>@bitbucket.org/x/y",
            "svn co --username me --password <<~pw~>> http://x",
            "p4 -u me -P <<~HEX32~>> sync",
        ],
    ),
    (
        "logs",
        &[
            "Splunk <<~uuid~>>",
            "curl -H 'Authorization: Splunk <<~uuid~>>' https://x:8088",
            "https://logs-01.loggly.com/inputs/<<~uuid~>>/tag/http/",
            "LOGDNA_INGESTION=<<~hex32~>>",
        ],
    ),
    (
        "monitoring",
        &[
            "uptimerobot: u~digits6~-<<~hex24~>>",
            "zapi.login('Admin', '<<~pw~>>')",
            "PINGDOM=<<~url48~>>",
        ],
    ),
    (
        "telephony",
        &[
            "nexmo = Client(key='~hex8~', secret='<<~alnum16~>>')",
            "PLIVO_AUTH=<<~base38~>>",
            "messagebird.Client('<<~alnum25~>>')",
        ],
    ),
    (
        "mail senders",
        &[
            "mandrill = Mandrill('<<~alnum22~>>')",
            "SPARKPOST=<<~hex40~>>",
            "token: \"<<mlsn.~hex64~>>\"",
        ],
    ),
    (
        "push",
        &[
            "OneSignal: Basic <<~base48~>>",
            "new Pusher({ appId: '1', key: '~hex20~', secret: '<<~hex20~>>' })",
            "new Ably.Realtime('~alnum6~.~alnum6~:<<~url20~>>')",
            "subscribe_key: '<<sub-c-~uuid~>>'",
        ],
    ),
    (
        "meetings",
        &[
            "zoom_jwt_secret=<<~alnum36~>>",
            "https://zoom.us/j/1234567890?pwd=<<~alnum32~>>",
            "webex: Bearer <<~url64~_~alnum4~_~uuid~>>",
        ],
    ),
    (
        "chat servers",
        &[
            "m.login.password me <<~pw~>>",
            "access_token: <<syt_~alnum8~_~alnum20~_~alnum6~>>",
            "[api]\\nkey=<<~alnum32~>>",
        ],
    ),
    (
        "boards",
        &[
            "https://api.trello.com/1/x?key=~hex32~&token=<<ATTA~hex72~>>",
            "CLICKUP=<<pk_~digits8~_~upper32~>>",
            "asana.Client.access_token('<<1/~digits16~:~hex32~>>')",
        ],
    ),
    (
        "object stores",
        &[
            "mc alias set x http://x:9000 me <<~alnum40~>>",
            "aws configure set aws_secret_access_key <<~base40~>>",
            "s3cmd --secret_key=<<~base40~>> ls",
            "secret_key: <<~alnum40~>>",
        ],
    ),
    (
        "sessions of sites",
        &[
            "document.cookie = 'auth=<<~url43~>>'",
            "laravel_session=<<eyJ~base120~>>",
            "connect.sid=s%3A<<~url32~>>.x",
            "PHPSESSID=<<~alnum26~>>",
        ],
    ),
    (
        "tokens of devices",
        &[
            "tuya: {id: 'x', key: '<<~hex16~>>'}",
            "local_key: <<~hex16~>>",
            "ha_token = '<<eyJ~url33~.eyJ~url60~.~url43~>>'",
            "ESPHOME api: encryption: key: \"<<~base43~>>=\"",
        ],
    ),
];
