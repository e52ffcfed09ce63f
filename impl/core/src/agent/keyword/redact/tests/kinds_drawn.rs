//! Secrets that no rule was written for until they were measured: 0.88 of their lines
//! were redacted.
//!
//! Two thirds of the services were drawn by a seed from those that published lists name (kingfisher,
//! gitleaks, noseyparker) and that no other file here has; the lists gave names and lengths of
//! tokens, their rules were not taken over. The others are formats of files and of programs.
//! Notation as in [`super::kinds_named`].

use super::Kind;

pub(super) const DRAWN: &[Kind] = &[
    // Services.
    (
        "shodan",
        &[
            "api = shodan.Shodan('<<~alnum32~>>')",
            "shodan init <<~alnum32~>>",
            "https://api.shodan.io/shodan/host/8.8.8.8?key=<<~alnum32~>>",
        ],
    ),
    ("urlscan", &["API-Key: <<~uuid~>>", "URLSCAN_API_KEY=<<~uuid~>>"]),
    (
        "virustotal",
        &[
            "x-apikey: <<~hex64~>>",
            "client = vt.Client(\"<<~hex64~>>\")",
            "vt_key = \"<<~hex64~>>\"",
        ],
    ),
    ("mockaroo", &["curl https://api.mockaroo.com/api/generate.json?key=<<~hex8~>>"]),
    ("cloudimage", &["cloudimage_token = <<~small30~>>"]),
    ("language layer", &["http://api.languagelayer.com/detect?access_key=<<~hex32~>>&query=hello"]),
    (
        "airbrake",
        &[
            "config.project_key = '<<~hex32~>>'",
            "new AirbrakeNotifier({ projectId: 1, projectKey: '<<~hex32~>>' })",
        ],
    ),
    ("checkly", &["CHECKLY_API_KEY=<<cu_~hex32~>>", "Authorization: Bearer <<cu_~hex32~>>"]),
    ("security trails", &["-H 'APIKEY: <<~alnum32~>>'", "securitytrails: <<~alnum32~>>"]),
    ("jumpcloud", &["'x-api-key': '<<~hex40~>>',", "$JCAPIKEY = '<<~hex40~>>'"]),
    ("vultr", &["VULTR_API_KEY=<<~upper36~>>", "provider vultr { api_key = \"<<~upper36~>>\" }"]),
    ("borgbase", &["borgbase: <<~url150~>>"]),
    ("fixer", &["const FIXER = 'http://data.fixer.io/api/latest?access_key=<<~hex32~>>';"]),
    ("apilayer", &["apikey: <<~alnum32~>>", "curl --header 'apikey: <<~alnum32~>>'"]),
    ("lemon squeezy", &["lemonSqueezySetup({ apiKey: \"<<eyJ~url37~.~url300~.~url400~>>\" })"]),
    ("lendflow", &["lendflow = <<~small40~.~small200~-~alnum42~_~alnum40~>>"]),
    ("cryptocompare", &["Authorization: Apikey <<~hex64~>>", "&api_key=<<~hex64~>>"]),
    (
        "snowflake",
        &[
            "snowflake.connector.connect(user='me', password='<<~pw~>>', account='x')",
            "SNOWSQL_PWD=<<~pw~>> snowsql -a x",
        ],
    ),
    ("spoonacular", &["?query=pasta&apiKey=<<~hex32~>>", "spoonacularKey: \"<<~hex32~>>\""]),
    ("imagga", &["imagga = ('acc_~hex15~', '<<~hex32~>>')", "-u \"acc_~hex15~:<<~hex32~>>\""]),
    ("appoptics", &["APPOPTICS_SERVICE_KEY=<<~url71~>>:my-service"]),
    ("webflow", &["new Webflow({ token: \"<<~hex64~>>\" })", "webflow_api = '<<~hex64~>>'"]),
    ("daily", &["DAILY=<<~hex64~>>", "daily.setToken(\"<<~hex64~>>\")"]),
    ("moralis", &["Moralis.start({ apiKey: '<<~alnum64~>>' })", "X-API-Key: <<~alnum64~>>"]),
    ("geocode", &["geocode.xyz/Berlin?json=1&auth=<<~digits18~x~digits6~>>"]),
    (
        "news",
        &[
            "newsapi = NewsApiClient(api_key='<<~hex32~>>')",
            "const newsapi = new NewsAPI('<<~hex32~>>');",
            "https://newsapi.org/v2/top-headlines?country=us&apiKey=<<~hex32~>>",
        ],
    ),
    (
        "chatfuel",
        &["https://api.chatfuel.com/bots/~hex24~/users/1/send?chatfuel_token=<<~alnum64~>>"],
    ),
    ("rocketreach", &["rr = rocketreach.Gateway(api_key='<<~hex6~k~hex32~>>')"]),
    ("everhour", &["everhour=<<~hex4~-~hex4~-~hex6~-~hex6~-~hex8~>>"]),
    ("autopilot", &["autopilotapikey: <<~hex32~>>"]),
    ("zipcodebase", &["zipcodebase.com/api/v1/search?apikey=<<~uuid~>>&codes=10005"]),
    ("clockify", &["clockify = Clockify('<<~base48~>>')", "CLOCKIFY: <<~base48~>>"]),
    (
        "tomtom",
        &[
            "https://api.tomtom.com/map/1/tile/basic/main/0/0/0.png?key=<<~alnum32~>>",
            "tt.map({ key: '<<~alnum32~>>' })",
        ],
    ),
    ("shotstack", &["DeveloperKey: '<<~alnum40~>>'", "SHOTSTACK_KEY=\"<<~alnum40~>>\""]),
    (
        "diffbot",
        &[
            "https://api.diffbot.com/v3/article?token=<<~hex32~>>&url=x",
            "diffbot = Diffbot.new('<<~hex32~>>')",
        ],
    ),
    ("data.gov", &["https://api.nasa.gov/planetary/apod?api_key=<<~alnum40~>>"]),
    (
        "buildkite",
        &[
            "buildkite-agent start --token \"<<~hex50~>>\"",
            "token=\"<<~hex50~>>\"",
            "Authorization: Bearer <<bkua_~hex40~>>",
        ],
    ),
    (
        "eventbrite",
        &[
            "https://www.eventbriteapi.com/v3/users/me/?token=<<~upper20~>>",
            "eventbrite = Eventbrite('<<~upper20~>>')",
        ],
    ),
    ("convertkit", &["{\"api_secret\": \"<<~url43~>>\", \"email\": \"x@example.com\"}"]),
    ("ticketmaster", &["discovery/v2/events.json?countryCode=US&apikey=<<~alnum32~>>"]),
    (
        "cloudconvert",
        &["cloudconvert.configure(api_key='<<eyJ~url33~.eyJ~url220~.~url650~>>', sandbox=False)"],
    ),
    ("deepai", &["headers={'api-key': '<<~uuid~>>'}", "deepai.setApiKey('<<~uuid~>>');"]),
    ("pushbullet", &["pb = Pushbullet(\"<<o.~alnum32~>>\")", "Access-Token: <<o.~alnum32~>>"]),
    ("wistia", &["Wistia.password = '<<~hex64~>>'", "api_password=<<~hex64~>>"]),
    ("clarifai", &["Authorization: Key <<~hex32~>>", "CLARIFAI_PAT=<<~hex32~>>"]),
    ("sigopt", &["conn = Connection(client_token=\"<<~upper48~>>\")"]),
    ("bitly", &["bitly = Bitlyshortener(tokens=['<<~hex40~>>'])"]),
    ("aiven", &["avn user login --token <<~base372~>>", "AIVEN_TOKEN=<<~base372~>>"]),
    (
        "lob",
        &["lob.api_key = 'test_<<~hex35~>>'", "curl -u test_<<~hex35~>>: https://api.lob.com/v1/x"],
    ),
    // Formats of files and programs.
    (
        "second factor",
        &[
            "otpauth://totp/Example:me@example.com?secret=<<~upper32~>>&issuer=Example",
            "totp = pyotp.TOTP('<<~upper32~>>')",
            "oathtool --totp -b <<~upper32~>>",
        ],
    ),
    (
        "manifest of a secret",
        &[
            "  password: <<~base24~>>==",
            "  DATABASE_URL: <<cG9zdGdyZXM6Ly9~base60~>>=",
            "stringData: { api-token: <<~alnum32~>> }",
        ],
    ),
    (
        "web key",
        &[
            "{\"kty\":\"EC\",\"crv\":\"P-256\",\"d\":\"<<~url43~>>\"}",
            "{\"kty\": \"oct\", \"k\": \"<<~url43~>>\"}",
        ],
    ),
    (
        "mail programs",
        &[
            "[smtp.example.com]:587 me@example.com:<<~pw~>>",
            "set imap_pass=\"<<~pw~>>\"",
            "passwordeval echo <<~pw~>>",
            "user 'me' there with password '<<~pw~>>' is me here",
        ],
    ),
    (
        "telephony server",
        &[
            "secret=<<~alnum16~>>",
            "username=me\\nsecret=<<~pw~>>",
            "register => me:<<~pw~>>@sip.example.com",
        ],
    ),
    (
        "network access",
        &[
            "me Cleartext-Password := \"<<~pw~>>\"",
            "me * <<~pw~>> *",
            "snmpget -v3 -u me -l authPriv -A <<~pw~>> -X <<~pw~>> host",
            "nmcli dev wifi connect home password <<~pw~>>",
            "wpa_passphrase home <<~pw~>>",
        ],
    ),
    (
        "units and proxies",
        &[
            "Environment=\"API_TOKEN=<<~alnum32~>>\"",
            "SetEnv DB_PASSWORD <<~pw~>>",
            "proxy_set_header Authorization \"Basic <<~base32~>>\";",
            "fastcgi_param APP_SECRET <<~hex32~>>;",
            "    user me insecure-password <<~pw~>>",
            "    stats auth me:<<~pw~>>",
        ],
    ),
    (
        "powershell",
        &[
            "ConvertTo-SecureString \"<<~pw~>>\" -AsPlainText -Force",
            "$password = '<<~pw~>>'",
            "$cred = New-Object PSCredential('me', (ConvertTo-SecureString '<<~pw~>>' -AsPlainText -Force))",
        ],
    ),
    (
        "php source",
        &[
            "$db = new PDO('mysql:host=db;dbname=x', 'me', '<<~pw~>>');",
            "$link = mysqli_connect('db', 'me', '<<~pw~>>', 'x');",
            "'password' => env('DB_PASSWORD', '<<~pw~>>'),",
            "$this->secretKey = \"<<~alnum32~>>\";",
        ],
    ),
    (
        "ruby source",
        &[
            "Octokit::Client.new(access_token: \"<<~hex40~>>\")",
            "http.basic_auth 'me', '<<~pw~>>'",
            "password: <%= ENV['DB_PASSWORD'] || '<<~pw~>>' %>",
        ],
    ),
    (
        "perl source",
        &[
            "my $dbh = DBI->connect(\"dbi:Pg:dbname=x\", \"me\", \"<<~pw~>>\");",
            "my $password = '<<~pw~>>';",
        ],
    ),
    (
        "rust source",
        &[
            ".basic_auth(\"me\", Some(\"<<~pw~>>\"))",
            ".bearer_auth(\"<<~alnum40~>>\")",
            "const SIGNING_KEY: &[u8] = b\"<<~alnum32~>>\";",
            "SecretString::from(\"<<~pw~>>\".to_owned())",
        ],
    ),
    (
        "elixir and erlang source",
        &[
            "config :app, App.Repo, username: \"me\", password: \"<<~pw~>>\"",
            "secret_key_base: \"<<~base64~>>\",",
            "{password, \"<<~pw~>>\"},",
        ],
    ),
    (
        "c sharp source",
        &[
            "new SqlConnection(\"Server=db;Database=x;User Id=me;Password=<<~pw~>>;\")",
            "new NetworkCredential(\"me\", \"<<~pw~>>\")",
            "options.ClientSecret = \"<<~url40~>>\";",
        ],
    ),
    (
        "java settings",
        &[
            "jdbc.password=<<~pw~>>",
            "<connection-url>jdbc:mysql://db/x?user=me&amp;password=<<~pw~>></connection-url>",
            "credentials += Credentials(\"Realm\", \"repo.example.com\", \"me\", \"<<~pw~>>\")",
            "signingConfigs { release { storePassword '<<~pw~>>' } }",
            "systemProp.sonar.login=<<~hex40~>>",
        ],
    ),
    (
        "state of infrastructure",
        &[
            "\"master_password\": \"<<~pw~>>\",",
            "\"secret\": \"<<~base40~>>\",",
            "\"private_key_pem\": \"-----BEGIN RSA PRIVATE KEY-----\\n<<~base64~>>",
        ],
    ),
    (
        "settings of a database",
        &[
            "db.createUser({user: 'me', pwd: '<<~pw~>>', roles: []})",
            "SET PASSWORD FOR 'me'@'%' = PASSWORD('<<~pw~>>');",
            "primary_conninfo = 'host=db user=rep password=<<~pw~>>'",
            "userPassword:: <<~base24~>>",
            "CREATE USER MAPPING FOR me SERVER s OPTIONS (user 'x', password '<<~pw~>>');",
        ],
    ),
    (
        "r, julia and lua source",
        &[
            "Sys.setenv(API_TOKEN = \"<<~alnum32~>>\")",
            "ENV[\"GITHUB_AUTH\"] = \"<<~hex40~>>\"",
            "local api_secret = \"<<~alnum32~>>\"",
            "red:auth(\"<<~pw~>>\")",
        ],
    ),
    (
        "notebook and shell history",
        &[
            "!pip install --index-url https://me:<<~pw~>>@pypi.example.com/simple x",
            "export GH=<<~hex40~>>",
            "aws s3 ls --secret-key <<~base40~>>",
            "heroku config:set SECRET_KEY=<<~alnum50~>>",
            "gh secret set API_TOKEN --body <<~alnum40~>>",
            "kubectl create secret generic x --from-literal=password=<<~pw~>>",
        ],
    ),
    (
        "stores of files",
        &[
            "pass = <<~url40~>>",
            "secret_access_key = <<~base40~>>",
            "gs_oauth2_refresh_token = 1//<<~url60~>>",
            "https://dav.example.com me <<~pw~>>",
            "//srv/share /mnt cifs username=me,password=<<~pw~>> 0 0",
        ],
    ),
    (
        "log of a request",
        &[
            "> Authorization: Basic <<~base32~>>",
            "DEBUG request headers={'X-Api-Key': '<<~hex32~>>', 'Accept': '*/*'}",
            "GET /v1/items?session_token=<<~alnum40~>> HTTP/1.1",
            "\"set-cookie\": \"auth_token=<<~hex40~>>; Secure\"",
        ],
    ),
    (
        "robots and hooks",
        &[
            "https://oapi.dingtalk.com/robot/send?access_token=<<~hex64~>>",
            "https://open.feishu.cn/open-apis/bot/v2/hook/<<~uuid~>>",
            "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=<<~uuid~>>",
            "https://prod-1.westeurope.logic.azure.com/workflows/~hex32~/triggers/manual/paths/invoke?sp=x&sig=<<~url43~>>",
        ],
    ),
    (
        "clouds of china",
        &[
            "TENCENTCLOUD_SECRET_ID=<<AKID~alnum32~>>",
            "secretKey: '<<~alnum32~>>'",
            "access_key: \"<<~upper20~>>\"",
            "qiniu = Auth('<<~url40~>>', '<<~url40~>>')",
        ],
    ),
];
