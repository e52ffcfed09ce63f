//! Secrets that no rule was written or changed for: their writer saw no rule.
//!
//! A second set besides [`super::kinds_held_out`], with other services and other formats. Half are
//! services, with the names of keys and the forms of tokens that their documentation gives; half
//! are formats of files, programs and languages. Only the share is printed, so that nothing is
//! fitted to what is missed. Notation as in [`super::kinds_named`].

use super::Kind;

pub(super) const HELD_OUT: &[Kind] = &[
    // Services.
    (
        "assemblyai",
        &[
            "aai.settings.api_key = \"<<~hex32~>>\"",
            "const client = new AssemblyAI({ apiKey: '<<~hex32~>>' });",
        ],
    ),
    (
        "models of others",
        &[
            "DEEPSEEK_API_KEY=<<sk-~hex32~>>",
            "fireworks.client.api_key = \"<<fw_~alnum24~>>\"",
            "client = Cerebras(api_key=\"<<csk-~small48~>>\")",
            "RUNPOD_API_KEY=<<rpa_~upper44~>>",
            "modal token set --token-id ak-~alnum22~ --token-secret <<as-~alnum22~>>",
        ],
    ),
    (
        "nvidia",
        &[
            "NVIDIA_API_KEY=<<nvapi-~url64~>>",
            "ChatNVIDIA(model=\"x\", nvidia_api_key=\"<<nvapi-~url64~>>\")",
        ],
    ),
    (
        "tools of agents",
        &[
            "TavilySearch(tavily_api_key=\"<<tvly-~alnum32~>>\")",
            "app = FirecrawlApp(api_key=\"<<fc-~hex32~>>\")",
            "SERPAPI_API_KEY: <<~hex64~>>",
            "search = GoogleSearch({\"q\": \"coffee\", \"api_key\": \"<<~hex64~>>\"})",
            "LANGFUSE_SECRET_KEY=<<sk-lf-~uuid~>>",
        ],
    ),
    (
        "jina and voyage",
        &[
            "JINA_API_KEY=<<jina_~hex32~~alnum28~>>",
            "vo = voyageai.Client(api_key=\"<<pa-~url43~>>\")",
        ],
    ),
    (
        "posthog",
        &["POSTHOG_PERSONAL_API_KEY=<<phx_~alnum43~>>", "personal_api_key='<<phx_~alnum43~>>',"],
    ),
    (
        "circleci",
        &[
            "Circle-Token: <<CCIPAT_~alnum22~_~hex40~>>",
            "CIRCLECI_CLI_TOKEN=<<~hex40~>>",
            "https://circleci.com/api/v1.1/me?circle-token=<<~hex40~>>",
        ],
    ),
    (
        "tailscale",
        &[
            "tailscale up --authkey <<tskey-auth-k~alnum11~CNTRL-~alnum32~>>",
            "TS_AUTHKEY=<<tskey-auth-k~alnum11~CNTRL-~alnum32~>>",
            "tailscale_api_key = \"<<tskey-api-k~alnum11~CNTRL-~alnum32~>>\"",
        ],
    ),
    (
        "ngrok",
        &[
            "ngrok config add-authtoken <<2~alnum26~_~alnum21~>>",
            "authtoken: <<2~alnum26~_~alnum21~>>",
            "NGROK_AUTHTOKEN=<<2~alnum26~_~alnum21~>>",
        ],
    ),
    (
        "weather of others",
        &[
            "https://api.weatherapi.com/v1/current.json?key=<<~hex31~>>&q=Paris",
            "VISUAL_CROSSING_KEY=<<~upper25~>>",
            "https://api.tomorrow.io/v4/timelines?location=42,-71&apikey=<<~alnum32~>>",
        ],
    ),
    (
        "ipinfo",
        &[
            "https://ipinfo.io/8.8.8.8?token=<<~hex14~>>",
            "handler = ipinfo.getHandler(access_token='<<~hex14~>>')",
        ],
    ),
    (
        "maps of others",
        &[
            "new H.service.Platform({ apikey: '<<~url43~>>' })",
            "https://us1.locationiq.com/v1/search?key=<<pk.~hex32~>>&q=Berlin&format=json",
            "geocoder = OpenCageGeocode('<<~hex32~>>')",
            "https://api.maptiler.com/maps/streets/style.json?key=<<~alnum20~>>",
            "https://tile.thunderforest.com/cycle/{z}/{x}/{y}.png?apikey=<<~hex32~>>",
        ],
    ),
    (
        "chat as a service",
        &[
            "StreamChat.getInstance('~small12~', '<<~small64~>>')",
            "STREAM_API_SECRET=<<~small64~>>",
            "Api-Token: <<~hex40~>>",
        ],
    ),
    (
        "salesforce",
        &[
            "Salesforce(username='me', password='<<~pw~>>', security_token='<<~alnum24~>>')",
            "SF_ACCESS_TOKEN=<<00D~alnum12~!~alnum96~>>",
            "force://PlatformCLI::<<5Aep861~alnum80~>>@acme.my.salesforce.com",
        ],
    ),
    (
        "pipedrive",
        &[
            "https://acme.pipedrive.com/api/v1/deals?api_token=<<~hex40~>>",
            "PIPEDRIVE_API_TOKEN=<<~hex40~>>",
        ],
    ),
    (
        "exchanges of coins",
        &[
            "OK-ACCESS-PASSPHRASE: <<~pw~>>",
            "HTTP(testnet=False, api_key=\"~alnum18~\", api_secret=\"<<~alnum36~>>\")",
            "ccxt.kraken({'apiKey': '<<~base56~>>', 'secret': '<<~base86~==>>'})",
            "KUCOIN_API_PASSPHRASE=<<~pw~>>",
            "COINBASE_API_SECRET=<<~base86~==>>",
        ],
    ),
    (
        "alpaca",
        &[
            "APCA-API-SECRET-KEY: <<~alnum40~>>",
            "REST('PK~upper18~', secret_key='<<~alnum40~>>', base_url=URL)",
            "APCA_API_SECRET_KEY=<<~alnum40~>>",
        ],
    ),
    (
        "quotes of stocks",
        &[
            "finnhub_client = finnhub.Client(api_key=\"<<~small20~>>\")",
            "https://finnhub.io/api/v1/quote?symbol=AAPL&token=<<~small20~>>",
            "quandl.ApiConfig.api_key = '<<~url20~>>'",
            "db.Historical(\"<<db-~alnum29~>>\")",
            "https://api.twelvedata.com/price?symbol=AAPL&apikey=<<~hex32~>>",
        ],
    ),
    (
        "other nodes of chains",
        &[
            "RPC_URL=https://small-red-bird.quiknode.pro/<<~hex40~>>/",
            "https://mainnet.helius-rpc.com/?api-key=<<~uuid~>>",
            "ETHERSCAN_API_KEY=<<~upper34~>>",
            "TENDERLY_ACCESS_KEY=<<~url32~>>",
        ],
    ),
    (
        "phrases and keys of a wallet",
        &[
            "mnemonic: '<<~word~ fog ~word~ ice ~word~ oak ~lower5~ sun ~word~ toy ~lower4~ egg>>'",
            "forge script Deploy --rpc-url $RPC --private-key <<0x~hex64~>> --broadcast",
            "DEPLOYER_PRIVATE_KEY=<<0x~hex64~>>",
            "bitcoin-cli importprivkey <<K~alnum51~>>",
            "rpcpassword=<<~pw~>>",
        ],
    ),
    ("pinata", &["pinata_secret_api_key: '<<~hex64~>>',", "PINATA_API_SECRET=<<~hex64~>>"]),
    (
        "films of one's own",
        &[
            "MUX_TOKEN_SECRET=<<~base75~>>",
            "VIMEO_ACCESS_TOKEN=<<~hex32~>>",
            "Authorization: Uploadcare.Simple ~hex20~:<<~hex20~>>",
            "AccessKey: <<~hex8~-~hex4~-~hex4~-~hex12~-~hex4~-~hex4~>>",
        ],
    ),
    (
        "box",
        &[
            "OAuth2(client_id='~small32~', client_secret='<<~alnum32~>>')",
            "BOX_DEVELOPER_TOKEN=<<~alnum32~>>",
        ],
    ),
    (
        "clouds of europe",
        &[
            "SCW_SECRET_KEY=<<~uuid~>>",
            "scw init secret-key=<<~uuid~>>",
            "application_secret=<<~alnum32~>>",
            "OVH_CONSUMER_KEY=<<~hex32~>>",
            "EXOSCALE_API_SECRET=<<~url43~>>",
        ],
    ),
    (
        "render and railway",
        &[
            "Authorization: Bearer <<rnd_~alnum28~>>",
            "https://api.render.com/deploy/srv-~small20~?key=<<~url11~>>",
            "RAILWAY_TOKEN=<<~uuid~>>",
        ],
    ),
    (
        "registrars of names",
        &[
            "Authorization: sso-key ~alnum12~_~alnum22~:<<~alnum22~>>",
            "\"secretapikey\": \"<<sk1_~hex64~>>\",",
            "https://www.duckdns.org/update?domains=home&token=<<~uuid~>>&ip=",
            "export GD_Secret=\"<<~alnum22~>>\"",
            "https://api.namecheap.com/xml.response?ApiUser=me&ApiKey=<<~hex32~>>&UserName=me",
        ],
    ),
    (
        "spotify",
        &[
            "SPOTIFY_CLIENT_SECRET=<<~hex32~>>",
            "SpotifyClientCredentials(client_id=\"~hex32~\", client_secret=\"<<~hex32~>>\")",
        ],
    ),
    (
        "reddit",
        &[
            "praw.Reddit(client_id='~url22~', client_secret='<<~url30~>>', user_agent='x')",
            "REDDIT_CLIENT_SECRET=<<~url30~>>",
        ],
    ),
    (
        "films and pictures",
        &[
            "https://api.themoviedb.org/3/movie/550?api_key=<<~hex32~>>",
            "TMDB_API_KEY=<<~hex32~>>",
            "http://www.omdbapi.com/?i=tt3896198&apikey=<<~hex8~>>",
            "https://api.giphy.com/v1/gifs/search?api_key=<<~alnum32~>>&q=cat",
            "Authorization: Client-ID <<~url43~>>",
            "https://pixabay.com/api/?key=<<~digits8~-~hex25~>>&q=flowers",
        ],
    ),
    (
        "paypal",
        &[
            "PAYPAL_CLIENT_SECRET=<<E~url79~>>",
            "paypalrestsdk.configure({\"mode\": \"live\", \"client_secret\": \"<<E~url79~>>\"})",
        ],
    ),
    (
        "razorpay",
        &[
            "new Razorpay({ key_id: 'rzp_live_~alnum14~', key_secret: '<<~alnum24~>>' })",
            "RAZORPAY_KEY_SECRET=<<~alnum24~>>",
        ],
    ),
    (
        "payments of others",
        &[
            "$mollie->setApiKey(\"<<live_~alnum30~>>\");",
            "PAYSTACK_SECRET_KEY=<<sk_test_~hex40~>>",
            "MIDTRANS_SERVER_KEY=<<SB-Mid-server-~url24~>>",
            "chargebee.configure(\"<<test_~alnum32~>>\", \"acme-test\")",
            "new Paddle(\"<<pdl_live_apikey_~small26~_~alnum22~_~alnum3~>>\")",
            "Recurly.api_key = '<<~hex32~>>'",
        ],
    ),
    (
        "line",
        &[
            "LINE_CHANNEL_SECRET=<<~hex32~>>",
            "line_bot_api = LineBotApi('<<~base171~=>>')",
            "handler = WebhookHandler('<<~hex32~>>')",
        ],
    ),
    (
        "text messages",
        &[
            "telnyx.api_key = \"<<KEY~HEX32~_~alnum22~>>\"",
            "Authorization: App <<~hex32~-~uuid~>>",
            "africastalking.initialize('sandbox', '<<atsk_~hex64~>>')",
            "TEXTBELT_KEY=<<~hex40~>>",
        ],
    ),
    (
        "rooms for video",
        &[
            "LIVEKIT_API_SECRET=<<~alnum43~>>",
            "lk = AccessToken('API~alnum12~', '<<~alnum43~>>')",
            "const appCertificate = '<<~hex32~>>';",
        ],
    ),
    (
        "translation",
        &[
            "Authorization: DeepL-Auth-Key <<~uuid~:fx>>",
            "translator = deepl.Translator(\"<<~uuid~:fx>>\")",
            "Ocp-Apim-Subscription-Key: <<~hex32~>>",
            "lokalise2 --token <<~hex40~>> --project-id x file download",
            "CROWDIN_PERSONAL_TOKEN=<<~hex80~>>",
        ],
    ),
    (
        "clerk and workos",
        &[
            "CLERK_SECRET_KEY=<<sk_test_~alnum42~>>",
            "WORKOS_API_KEY='<<sk_test_~base60~>>'",
            "STYTCH_SECRET=<<secret-test-~url36~>>=",
        ],
    ),
    (
        "shipping of logs",
        &[
            "X-Papertrail-Token: <<~alnum20~>>",
            "LOGTAIL_SOURCE_TOKEN=<<~alnum24~>>",
            "LOGZIO_TOKEN: <<~alnum32~>>",
            "const axiom = new Axiom({ token: '<<xaat-~uuid~>>' });",
            "https://listener.logz.io:8071/?token=<<~alnum32~>>&type=nginx",
        ],
    ),
    (
        "errors and uptime",
        &[
            "APPSIGNAL_PUSH_API_KEY=<<~uuid~>>",
            "Authorization: OAuth <<~uuid~>>",
            "INSTANA_AGENT_KEY=<<~url22~>>",
            "authentication: \"<<~url43~>>\"",
            "STATUSCAKE_API_TOKEN=<<~alnum20~>>",
        ],
    ),
    (
        "reports of tests",
        &[
            "repo_token: <<~alnum32~>>",
            "CODACY_PROJECT_TOKEN=<<~hex32~>>",
            "PERCY_TOKEN=<<~hex64~>> npx percy snapshot ./public",
            "npx chromatic --project-token=<<chpt_~hex15~>>",
            "cypress run --record --key <<~uuid~>>",
            "SAUCE_ACCESS_KEY=<<~uuid~>>",
            "'browserstack.key': '<<~alnum20~>>',",
        ],
    ),
    (
        "builds of apps",
        &[
            "EXPO_TOKEN=<<~url40~>>",
            "appcenter login --token <<~hex40~>>",
            "FASTLANE_APPLE_APPLICATION_SPECIFIC_PASSWORD=<<~lower4~-~lower4~-~lower4~-~lower4~>>",
            "MATCH_PASSWORD=<<~pw~>> fastlane match appstore",
        ],
    ),
    (
        "azure devops",
        &[
            "AZURE_DEVOPS_EXT_PAT=<<~small52~>>",
            "git clone https://me:<<~small52~>>@dev.azure.com/org/p/_git/x",
            "vsce publish -p <<~small52~>>",
        ],
    ),
    (
        "forges of one's own",
        &[
            "GITEA_TOKEN=<<~hex40~>>",
            "DRONE_RPC_SECRET=<<~hex32~>>",
            "WOODPECKER_AGENT_SECRET=<<~hex64~>>",
            "gitlab-runner register --registration-token <<GR1348941~url20~>>",
            "X-Redmine-API-Key: <<~hex40~>>",
        ],
    ),
    (
        "influx",
        &[
            "INFLUX_TOKEN=<<~url86~==>>",
            "InfluxDBClient(url=\"http://db:8086\", token=\"<<~url86~==>>\", org=\"x\")",
            "influx -username me -password '<<~pw~>>' -execute 'SHOW DATABASES'",
        ],
    ),
    (
        "search engines",
        &[
            "meilisearch --master-key=<<~url43~>>",
            "MEILI_MASTER_KEY=<<~url43~>>",
            "typesense-server --data-dir /data --api-key=<<~alnum32~>>",
            "new AppSearchClient(undefined, '<<private-~small24~>>', baseUrlFn)",
        ],
    ),
    (
        "clickhouse",
        &[
            "CLICKHOUSE_CLOUD_API_SECRET=<<4b1d~alnum38~>>",
            "clickhouse-client --host db --user me --password '<<~pw~>>'",
            "CREATE USER me IDENTIFIED WITH plaintext_password BY '<<~pw~>>';",
            "<password_sha256_hex><<~hex64~>></password_sha256_hex>",
        ],
    ),
    (
        "letters in bulk",
        &[
            "Api-Token: <<~hex72~>>",
            "X-MailerLite-ApiKey: <<~hex32~>>",
            "{\"api_key\": \"<<api-~HEX32~>>\", \"sender\": \"me@example.com\"}",
            "https://api.elasticemail.com/v2/email/send?apikey=<<~HEX96~>>&to=x",
            "ITERABLE_API_KEY=<<~hex32~>>",
        ],
    ),
    (
        "ghost and datocms",
        &[
            "new GhostAdminAPI({ url: 'https://x.example.com', key: '<<~hex24~:~hex64~>>' })",
            "DATOCMS_API_TOKEN=<<~hex30~>>",
            "accessToken: '<<~alnum22~tt>>', // storyblok",
        ],
    ),
    (
        "boards of tasks",
        &[
            "YOUTRACK_TOKEN=<<perm:~alnum12~.~alnum8~.~alnum30~>>",
            "X-TrackerToken: <<~hex32~>>",
            "api = TodoistAPI(\"<<~hex40~>>\")",
            "curl -u <<~hex32~>>:api_token https://api.track.toggl.com/api/v9/me",
            "Shortcut-Token: <<~uuid~>>",
        ],
    ),
    (
        "boards of makers",
        &[
            "#define BLYNK_AUTH_TOKEN \"<<~url32~>>\"",
            "const char * myWriteAPIKey = \"<<~upper16~>>\";",
            "https://api.thingspeak.com/update?api_key=<<~upper16~>>&field1=21",
            "curl https://api.particle.io/v1/devices?access_token=<<~hex40~>>",
        ],
    ),
    (
        "proofs of humans",
        &[
            "RECAPTCHA_SECRET_KEY=<<6L~url38~>>",
            "HCAPTCHA_SECRET=<<0x~hex40~>>",
            "TURNSTILE_SECRET_KEY=<<0x4AAAAAAA~url26~>>",
            "https://2captcha.com/in.php?key=<<~hex32~>>&method=base64",
        ],
    ),
    (
        "media server",
        &[
            "http://plex:32400/library/sections?X-Plex-Token=<<~url20~>>",
            "PlexServer('http://plex:32400', token='<<~url20~>>')",
            "X-Emby-Token: <<~hex32~>>",
        ],
    ),
    (
        "networks as a service",
        &[
            "X-Cisco-Meraki-API-Key: <<~hex40~>>",
            "meraki.DashboardAPI(api_key='<<~hex40~>>')",
            "DEFINED_NET_API_KEY=<<dnkey-~upper26~-~upper52~>>",
        ],
    ),
    (
        "hooks of automation",
        &[
            "https://hooks.zapier.com/hooks/catch/~digits7~/<<~small7~>>/",
            "https://maker.ifttt.com/trigger/door/with/key/<<~url43~>>",
            "https://chat.googleapis.com/v1/spaces/AAAA/messages?token=<<~url43~>>%3D",
            "https://chat.example.com/hooks/<<~alnum24~/~alnum48~>>",
            "https://hook.eu1.make.com/<<~small32~>>",
        ],
    ),
    // Formats of files and programs.
    (
        "directory of users",
        &[
            "rootpw <<~pw~>>",
            "userPassword: {SSHA}<<~base32~>>",
            "bindpw <<~pw~>>",
            "ldap_default_authtok = <<~pw~>>",
            "AuthLDAPBindPassword \"<<~pw~>>\"",
            "ldappasswd -D cn=admin,dc=x -W -s <<~pw~>> uid=me,dc=x",
        ],
    ),
    (
        "tunnels",
        &[
            "me : XAUTH \"<<~pw~>>\"",
            "me : EAP \"<<~pw~>>\"",
            "ike-me { id = me@example.com, secret = \"<<~pw~>>\" }",
            "vpncmd vpn.example.com /SERVER /PASSWORD:<<~pw~>>",
            "X-ZT1-Auth: <<~small24~>>",
            "echo '<<~pw~>>' | openconnect --user=me --passwd-on-stdin vpn.example.com",
        ],
    ),
    (
        "redis server",
        &[
            "masterauth <<~pw~>>",
            "sentinel auth-pass mymaster <<~pw~>>",
            "user me on ><<~pw~>> ~~* +@all",
            "    command: redis-server --requirepass <<~pw~>>",
            "test: [\"CMD\", \"redis-cli\", \"-a\", \"<<~pw~>>\", \"ping\"]",
        ],
    ),
    (
        "kafka",
        &[
            "ssl.keystore.password=<<~pw~>>",
            "'sasl.password': '<<~pw~>>',",
            "    user_alice=\"<<~pw~>>\"",
            "--add-config 'SCRAM-SHA-256=[iterations=8192,password=<<~pw~>>]' --entity-type users",
        ],
    ),
    (
        "rabbitmq",
        &[
            "default_pass = <<~pw~>>",
            "RABBITMQ_DEFAULT_PASS: <<~pw~>>",
            "rabbitmqctl change_password me <<~pw~>>",
            "RABBITMQ_ERLANG_COOKIE=<<~upper20~>>",
            "\"password_hash\": \"<<~base48~>>\",",
        ],
    ),
    (
        "mqtt and nats",
        &[
            "mqtt.connect('mqtt://mq', { username: 'me', password: '<<~pw~>>' })",
            "authorization { user: me, password: <<~pw~>>, timeout: 2 }",
            "remote_password <<~pw~>>",
            "seed: <<SU~upper56~>>",
            "client.connect(\"esp32\", \"me\", \"<<~pw~>>\"); // client id, user, password",
        ],
    ),
    (
        "poolers of postgres",
        &[
            "\"me\" \"md5<<~hex32~>>\"",
            "\"me\" \"SCRAM-SHA-256$4096:<<~base22~==$~base43~=:~base43~=>>\"",
            "sr_check_password = '<<~pw~>>'",
            "health_check_password = '<<~pw~>>'",
        ],
    ),
    (
        "replication of mysql",
        &[
            "CHANGE MASTER TO MASTER_HOST='db', MASTER_USER='rep', MASTER_PASSWORD='<<~pw~>>';",
            "CHANGE REPLICATION SOURCE TO SOURCE_USER='rep', SOURCE_PASSWORD='<<~pw~>>';",
            "admin_credentials=\"admin:<<~pw~>>\"",
            "ALTER USER 'me'@'%' IDENTIFIED WITH mysql_native_password BY '<<~pw~>>';",
            "INSERT INTO mysql_users(username, password) VALUES ('me', '<<~pw~>>');",
        ],
    ),
    (
        "oracle",
        &[
            "sqlplus me/<<~pw~>>@//db:1521/orcl",
            "CREATE USER me IDENTIFIED BY <<~pw~>> DEFAULT TABLESPACE users;",
            "CREATE DATABASE LINK x CONNECT TO me IDENTIFIED BY \"<<~pw~>>\" USING 'orcl';",
            "cx_Oracle.connect('me', '<<~pw~>>', 'db:1521/orcl')",
            "expdp system/<<~pw~>>@orcl schemas=shop dumpfile=x.dmp",
        ],
    ),
    (
        "keys within sql",
        &[
            "CREATE MASTER KEY ENCRYPTION BY PASSWORD = '<<~pw~>>';",
            "PRAGMA key = '<<~pw~>>';",
            "SELECT pgp_sym_decrypt(ssn, '<<~pw~>>') FROM people;",
            "CREATE SECRET (TYPE S3, KEY_ID 'AKIA~upper16~', SECRET '<<~base40~>>');",
            "UPDATE users SET password = crypt('<<~pw~>>', gen_salt('bf')) WHERE id = 1;",
            "CREATE ROLE me WITH PASSWORD = '<<~pw~>>' AND LOGIN = true;",
        ],
    ),
    (
        "neo4j",
        &[
            "NEO4J_AUTH=neo4j/<<~pw~>>",
            "GraphDatabase.driver(\"bolt://db:7687\", auth=(\"neo4j\", \"<<~pw~>>\"))",
            "cypher-shell -u neo4j -p <<~pw~>>",
            "AuthTokens.basic(\"neo4j\", \"<<~pw~>>\")",
        ],
    ),
    (
        "other databases",
        &[
            "cqlsh -u me -p <<~pw~>> db",
            "PlainTextAuthProvider(username='me', password='<<~pw~>>')",
            "couchbase-cli server-list -c db -u Administrator -p <<~pw~>>",
            "etcdctl --user root:<<~pw~>> get /x",
            "MONGO_INITDB_ROOT_PASSWORD: <<~pw~>>",
            "admin = -pbkdf2-<<~hex40~>>,~hex32~,10",
        ],
    ),
    (
        "consul and nomad",
        &[
            "CONSUL_HTTP_TOKEN=<<~uuid~>>",
            "X-Consul-Token: <<~uuid~>>",
            "encrypt = \"<<~base43~=>>\"",
            "export NOMAD_TOKEN=<<~uuid~>>",
        ],
    ),
    (
        "answers of expect",
        &[
            "expect \"Password:\" { send \"<<~pw~>>\\r\" }",
            "echo <<~pw~>> | sudo -S apt-get update",
            "child.sendline('<<~pw~>>')  # password",
        ],
    ),
    (
        "copying of files",
        &[
            "lftp -u me,<<~pw~>> sftp://files.example.com",
            "pscp -pw <<~pw~>> x.zip me@host:/tmp",
            "ncftpput -u me -p <<~pw~>> ftp.example.com / x.zip",
            "<Pass encoding=\"base64\"><<~base16~>></Pass>",
            "wget --ftp-user=me --ftp-password=<<~pw~>> ftp://ftp.example.com/x",
        ],
    ),
    (
        "windows commands",
        &[
            "cmdkey /add:srv /user:me /pass:<<~pw~>>",
            "psexec \\\\srv -u me -p <<~pw~>> cmd",
            "schtasks /create /tn x /tr x.exe /ru me /rp <<~pw~>>",
            "net user me <<~pw~>> /add",
            "signtool sign /f cert.pfx /p <<~pw~>> app.exe",
            "certutil -f -p <<~pw~>> -importpfx cert.pfx",
        ],
    ),
    (
        "windows settings",
        &[
            "\"DefaultPassword\"=\"<<~pw~>>\"",
            "reg add \"HKLM\\x\\Winlogon\" /v DefaultPassword /t REG_SZ /d <<~pw~>> /f",
            "<AdministratorPassword><Value><<~pw~>></Value></AdministratorPassword>",
            "<Properties action=\"U\" cpassword=\"<<~base43~>>\" userName=\"me\"/>",
        ],
    ),
    (
        "signing of programs",
        &[
            "apksigner sign --ks x.jks --ks-pass pass:<<~pw~>> app.apk",
            "keyPassword = \"<<~pw~>>\"",
            "security unlock-keychain -p <<~pw~>> build.keychain",
            "security import cert.p12 -k build.keychain -P <<~pw~>>",
            "CSC_KEY_PASSWORD=<<~pw~>> npx electron-builder",
            "mvn deploy -Dgpg.passphrase=<<~pw~>>",
        ],
    ),
    (
        "backups",
        &[
            "PASSPHRASE='<<~pw~>>' duplicity full /home file:///backup",
            "pdftk in.pdf input_pw <<~pw~>> output out.pdf",
            "zip -r -P <<~pw~>> x.zip docs/",
            "encryption_passphrase: \"<<~pw~>>\"",
            "echo -n '<<~pw~>>' | cryptsetup luksOpen /dev/sdb1 data -",
            "rar a -hp<<~pw~>> x.rar docs/",
            "openssl enc -aes-256-cbc -pbkdf2 -in x -out x.enc -k <<~pw~>>",
        ],
    ),
    (
        "watching of servers",
        &[
            "smtp_auth_password: '<<~pw~>>'",
            "GF_SECURITY_ADMIN_PASSWORD=<<~pw~>>",
            "DBPassword=<<~pw~>>",
            "allow admin:<<~pw~>>",
            "xpack.security.encryptionKey: \"<<~alnum32~>>\"",
            "output.elasticsearch.password: \"<<~pw~>>\"",
            "    password => \"<<~pw~>>\"",
        ],
    ),
    (
        "proxies",
        &[
            "cache_peer proxy.example.com parent 3128 0 no-query login=me:<<~pw~>>",
            "socks5 10.0.0.1 1080 me <<~pw~>>",
            "BasicAuth me <<~pw~>>",
            "static-auth-secret=<<~hex64~>>",
            "- \"traefik.http.middlewares.a.basicauth.users=me:<<$$apr1$$~alnum8~$$~alnum22~>>\"",
            "auth.token = \"<<~alnum32~>>\"",
        ],
    ),
    (
        "tomcat and jetty",
        &[
            "keystorePass=\"<<~pw~>>\" keystoreFile=\"conf/x.jks\"",
            "<Set name=\"KeyStorePassword\"><<~pw~>></Set>",
            "JAVA_OPTS=\"-Djavax.net.ssl.trustStorePassword=<<~pw~>>\"",
            "server.ssl.key-store-password=<<~pw~>>",
        ],
    ),
    (
        "servers of chat",
        &[
            "registration_shared_secret: \"<<~alnum50~>>\"",
            "macaroon_secret_key: \"<<~alnum50~>>\"",
            "component_secret = \"<<~alnum16~>>\"",
            "/msg NickServ IDENTIFY <<~pw~>>",
            "/set irc.server.libera.sasl_password <<~pw~>>",
            "JICOFO_AUTH_PASSWORD=<<~hex32~>>",
        ],
    ),
    (
        "php programs",
        &[
            "$settings['hash_salt'] = '<<~url74~>>';",
            "public $password = '<<~pw~>>';",
            "'dbpassword' => '<<~pw~>>',",
            "$wgSecretKey = \"<<~hex64~>>\";",
            "$cfg['blowfish_secret'] = '<<~alnum32~>>';",
            "$CFG->dbpass    = '<<~pw~>>';",
            "'cookieValidationKey' => '<<~url32~>>',",
            "'crypt' => ['key' => '<<~hex32~>>'],",
        ],
    ),
    (
        "php mail",
        &[
            "$mail->Password = '<<~pw~>>';",
            "$config['smtp_pass'] = '<<~pw~>>';",
            "$config['encryption_key'] = '<<~hex32~>>';",
            "->setUsername('me@example.com')->setPassword('<<~pw~>>');",
        ],
    ),
    (
        "flask and its kin",
        &[
            "app.secret_key = b'<<~alnum24~>>'",
            "EMAIL_HOST_PASSWORD = '<<~pw~>>'",
            "app.config['SECRET_KEY'] = '<<~hex32~>>'",
            "app.config.update(MAIL_USERNAME='me', MAIL_PASSWORD='<<~pw~>>')",
            "app.add_middleware(SessionMiddleware, secret_key=\"<<~hex64~>>\")",
        ],
    ),
    (
        "airflow and jupyter",
        &[
            "fernet_key = <<~url43~=>>",
            "AIRFLOW__CORE__FERNET_KEY: <<~url43~=>>",
            "c.NotebookApp.password = u'sha1:<<~hex12~:~hex40~>>'",
            "jupyter lab --ip=0.0.0.0 --NotebookApp.token='<<~hex48~>>'",
            "airflow users create --username admin --role Admin --password <<~pw~>>",
        ],
    ),
    (
        "python ciphers",
        &[
            "jwt.encode(payload, '<<~alnum32~>>', algorithm='HS256')",
            "f = Fernet(b'<<~url43~=>>')",
            "hmac.new(b'<<~alnum32~>>', body, hashlib.sha256).hexdigest()",
            "cipher = AES.new(b'<<~alnum16~>>', AES.MODE_CBC, iv)",
            "key = kdf.derive(b'<<~pw~>>')",
            "keyring.set_password('shop', 'me', '<<~pw~>>')",
        ],
    ),
    (
        "node source",
        &[
            "const token = jwt.sign({ id: user.id }, '<<~alnum32~>>', { expiresIn: '1h' });",
            "app.use(session({ secret: '<<~alnum24~>>', resave: false }));",
            "auth: { user: 'me@example.com', pass: '<<~pw~>>' },",
            "const db = new Sequelize('shop', 'me', '<<~pw~>>', { dialect: 'mysql' });",
            "crypto.createHmac('sha256', '<<~alnum32~>>').update(body).digest('hex')",
            "app.use(cookieParser('<<~alnum32~>>'));",
            "const hash = await bcrypt.hash('<<~pw~>>', 10);",
        ],
    ),
    (
        "tests of a browser",
        &[
            "driver.find_element(By.ID, \"password\").send_keys(\"<<~pw~>>\")",
            "await page.getByLabel('Password').fill('<<~pw~>>');",
            "cy.get('input[name=password]').type('<<~pw~>>')",
            "fill_in 'Password', with: '<<~pw~>>'",
            "And I fill in \"Password\" with \"<<~pw~>>\"",
            "Input Password    id=password    <<~pw~>>",
        ],
    ),
    (
        "java and kotlin source",
        &[
            "@Value(\"${db.password:<<~pw~>>}\")",
            "dataSource.setPassword(\"<<~pw~>>\");",
            ".withUser(\"me\").password(\"{noop}<<~pw~>>\").roles(\"ADMIN\")",
            "new SecretKeySpec(\"<<~alnum16~>>\".getBytes(UTF_8), \"AES\")",
            "Algorithm algorithm = Algorithm.HMAC256(\"<<~alnum32~>>\");",
            "new PasswordAuthentication(\"me\", \"<<~pw~>>\".toCharArray());",
            "new PostgreSQLContainer<>(\"postgres:16\").withPassword(\"<<~pw~>>\")",
            "val credential = Credentials.basic(\"me\", \"<<~pw~>>\")",
        ],
    ),
    (
        "c and c++ source",
        &[
            "#define MQTT_PASSWORD \"<<~pw~>>\"",
            "mysql_real_connect(conn, \"db\", \"me\", \"<<~pw~>>\", \"shop\", 0, NULL, 0);",
            "curl_easy_setopt(curl, CURLOPT_USERPWD, \"me:<<~pw~>>\");",
            "const char* password = \"<<~pw~>>\";",
            "redisReply *reply = redisCommand(c, \"AUTH <<~pw~>>\");",
            "db.setPassword(\"<<~pw~>>\");",
        ],
    ),
    (
        "go calls",
        &[
            "req.SetBasicAuth(\"me\", \"<<~pw~>>\")",
            "auth := smtp.PlainAuth(\"\", \"me@example.com\", \"<<~pw~>>\", \"smtp.example.com\")",
            "redis.Dial(\"tcp\", addr, redis.DialPassword(\"<<~pw~>>\"))",
            "var jwtKey = []byte(\"<<~alnum32~>>\")",
            "Auth: []ssh.AuthMethod{ssh.Password(\"<<~pw~>>\")},",
            "credentials.NewStaticCredentials(\"AKIA~upper16~\", \"<<~base40~>>\", \"\")",
        ],
    ),
    (
        "scala and clojure",
        &[
            "play.http.secret.key = \"<<~base64~>>\"",
            "db.default.password = \"<<~pw~>>\"",
            "(def db {:dbtype \"mysql\" :user \"me\" :password \"<<~pw~>>\"})",
            "connectPassword = \"<<~pw~>>\"",
        ],
    ),
    (
        "objective c, delphi and basic",
        &[
            "static NSString *const kApiSecret = @\"<<~alnum32~>>\";",
            "FDConnection1.Params.Password := '<<~pw~>>';",
            "Dim dbPassword As String = \"<<~pw~>>\"",
            "conn.Open \"Provider=SQLOLEDB;Data Source=db;User ID=sa;Password=<<~pw~>>;\"",
            "libname shop oracle user=me password=\"<<~pw~>>\" path=orcl;",
        ],
    ),
    (
        "files of a cluster",
        &[
            "        args: [\"--admin-password\", \"<<~pw~>>\", \"--port\", \"80\"]",
            "{\"auths\": {\"registry.example.com\": {\"auth\": \"<<~base32~>>\"}}}",
            "  tls.key: <<LS0tLS1CRUdJTi~base120~>>",
            "    client-key-data: <<LS0tLS1CRUdJTi~base120~>>",
            "kubectl create secret docker-registry x --docker-password=<<~pw~>>",
        ],
    ),
    (
        "joining a cluster",
        &[
            "kubeadm join 10.0.0.1:6443 --token <<~small6~.~small16~>>",
            "docker swarm join --token <<SWMTKN-1-~small50~-~small25~>> 10.0.0.1:2377",
            "K3S_TOKEN=<<K10~hex64~::server:~hex32~>>",
            "curl -sfL https://get.k3s.io | K3S_TOKEN=<<~hex32~>> sh -",
        ],
    ),
    (
        "compose file",
        &[
            "      MINIO_ROOT_PASSWORD: <<~pw~>>",
            "      - PGADMIN_DEFAULT_PASSWORD=<<~pw~>>",
            "      MSSQL_SA_PASSWORD: \"<<~pw~>>\"",
            "      LDAP_ADMIN_PASSWORD: ${LDAP_PASSWORD:-<<~pw~>>}",
            "      - WEBPASSWORD=<<~pw~>>",
        ],
    ),
    (
        "installation of machines",
        &[
            "rootpw --plaintext <<~pw~>>",
            "d-i passwd/user-password password <<~pw~>>",
            "rootpw --iscrypted <<$6$~alnum16~$~alnum86~>>",
            "\"ssh_password\": \"<<~pw~>>\",",
            "echo 'x x/root_password password <<~pw~>>' | debconf-set-selections",
            "config.ssh.password = \"<<~pw~>>\"",
            "    passwd: <<$6$~alnum16~$~alnum86~>>",
        ],
    ),
    (
        "puppet, chef and salt",
        &[
            "mysql::server::root_password: '<<~pw~>>'",
            "default['mysql']['server_root_password'] = '<<~pw~>>'",
            "    - password: <<$6$~alnum8~$~alnum86~>>",
            "mysql.pass: '<<~pw~>>'",
        ],
    ),
    (
        "routers",
        &[
            "/user add name=me password=<<~pw~>> group=full",
            "/ppp secret add name=me password=<<~pw~>> service=l2tp",
            "set system root-authentication encrypted-password \"<<$6$~alnum8~$~alnum86~>>\"",
            "set psksecret <<~pw~>>",
            "neighbor 10.0.0.1 password <<~pw~>>",
            "tacacs-server host 10.0.0.1 key <<~pw~>>",
            "uci set wireless.default_radio0.key='<<~pw~>>'",
        ],
    ),
    (
        "network daemons",
        &[
            "ipmitool -I lanplus -H bmc -U ADMIN -P <<~pw~>> power status",
            "createUser me SHA \"<<~pw~>>\" AES \"<<~pw~>>\"",
            "key \"rndc-key\" { algorithm hmac-sha256; secret \"<<~base43~=>>\"; };",
            "nsupdate -y hmac-sha256:ddns-key:<<~base43~=>>",
            "        auth_pass <<~alnum8~>>",
        ],
    ),
    (
        "settings of packages",
        &[
            "//registry.example.com/:_password=<<~base24~>>",
            "npmAuthToken: \"<<~uuid~>>\"",
            "poetry config http-basic.acme me <<~pw~>>",
            "{\"github-oauth\": {\"github.com\": \"<<~hex40~>>\"}}",
            "bundle config gems.example.com me:<<~pw~>>",
            "twine upload -u me -p <<~pw~>> dist/*",
            "nuget sources add -Name acme -Source x -UserName me -Password <<~pw~>>",
            "gradle.publish.secret=<<~alnum32~>>",
        ],
    ),
    (
        "sending of mail",
        &[
            "swaks --to x@example.com --auth-user me --auth-password <<~pw~>>",
            "AuthPass=<<~pw~>>",
            "remotepass = <<~pw~>>",
            "AuthInfo:smtp.example.com \"U:root\" \"I:me@example.com\" \"P:<<~pw~>>\"",
            "    smtpPass = <<~pw~>>",
            "me@example.com:{PLAIN}<<~pw~>>:1000:1000::/home/me",
        ],
    ),
    (
        "cookies",
        &[
            "Cookie: JSESSIONID=<<~HEX32~>>",
            ".example.com\tTRUE\t/\tTRUE\t1999999999\tsessionid\t<<~small32~>>",
            "requests.get(url, cookies={'sessionid': '<<~small32~>>'})",
            "Set-Cookie: .AspNetCore.Cookies=<<CfDJ8~url120~>>; path=/; secure; httponly",
            "curl -b '_shop_session=<<~hex32~>>' https://example.com/account",
            "Cookie: remember_user_token=<<~url60~>>--~hex40~",
        ],
    ),
    (
        "headers of others",
        &[
            "X-Rundeck-Auth-Token: <<~alnum32~>>",
            "x-amz-security-token: <<~base200~>>",
            "http.extraheader=AUTHORIZATION: basic <<~base60~>>",
            "X-Hasura-Admin-Secret: <<~alnum32~>>",
            "add_header X-Origin-Secret \"<<~alnum32~>>\";",
            "X-Gitlab-Token: <<~alnum20~>>",
        ],
    ),
    (
        "forms posted by a command",
        &[
            "curl --data-urlencode 'password=<<~pw~>>' https://example.com/login",
            "curl -d grant_type=client_credentials -d client_id=x -d client_secret=<<~url40~>> x",
            "http POST https://example.com/login username=me password=<<~pw~>>",
            "wget --post-data 'user=me&password=<<~pw~>>' https://example.com/login",
            "Invoke-RestMethod -Uri x -Body @{ username = 'me'; password = '<<~pw~>>' }",
        ],
    ),
    (
        "programs of one's own server",
        &[
            "admin_passwd = <<~pw~>>",
            "INTERNAL_TOKEN = <<eyJ~url33~.eyJ~url30~.~url43~>>",
            "gitlab_rails['smtp_password'] = \"<<~pw~>>\"",
            "OTP_SECRET=<<~hex128~>>",
            "VAPID_PRIVATE_KEY=<<~url43~=>>",
            "NEXTAUTH_SECRET=<<~base43~=>>",
            "N8N_ENCRYPTION_KEY=<<~base32~>>",
            "  DISCOURSE_SMTP_PASSWORD: \"<<~pw~>>\"",
            "MB_DB_PASS=<<~pw~>>",
        ],
    ),
    (
        "strapi and directus",
        &[
            "APP_KEYS=<<~base22~==>>,<<~base22~==>>",
            "API_TOKEN_SALT=<<~base22~==>>",
            "ADMIN_JWT_SECRET=<<~base22~==>>",
            "TRANSFER_TOKEN_SALT=<<~base22~==>>",
        ],
    ),
    (
        "hadoop and spark",
        &[
            "<property><name>fs.s3a.secret.key</name><value><<~base40~>></value></property>",
            "spark-submit --conf spark.hadoop.fs.s3a.secret.key=<<~base40~>> x.py",
            "<name>javax.jdo.option.ConnectionPassword</name><value><<~pw~>></value>",
            "spark.conf.set(\"fs.azure.account.key.x.dfs.core.windows.net\", \"<<~base86~==>>\")",
        ],
    ),
    (
        "hashes of passwords",
        &[
            "me:<<$2y$05$~alnum53~>>",
            "\"password\": \"<<$argon2id$v=19$m=65536,t=3,p=4$~base22~$~base43~>>\",",
            "password: '<<pbkdf2_sha256$260000$~alnum22~$~base43~=>>'",
            "INSERT INTO users (name, password) VALUES ('me', '<<$2b$10$~alnum53~>>');",
        ],
    ),
    (
        "versions of sources",
        &[
            "export P4PASSWD=<<~pw~>>",
            "acme.password = <<~pw~>>",
            "cvs -d :pserver:me:<<~pw~>>@cvs.example.com:/cvs checkout x",
        ],
    ),
    (
        "virtual machines and disks",
        &[
            "mount -t ceph mon:/ /mnt -o name=admin,secret=<<AQ~base36~==>>",
            "\tkey = <<AQ~base36~==>>",
            "Authorization: PVEAPIToken=root@pam!ci=<<~uuid~>>",
            "export GOVC_PASSWORD='<<~pw~>>'",
            "export OS_PASSWORD=<<~pw~>>",
            "node.session.auth.password = <<~pw~>>",
        ],
    ),
    (
        "remote desktops",
        &[
            "rdesktop -u me -p <<~pw~>> host",
            "x11vnc -forever -passwd <<~pw~>>",
            "VNC_PASSWORD=<<~pw~>>",
            "winexe -U me%<<~pw~>> //host cmd",
        ],
    ),
    (
        "servers of games and radio",
        &[
            "rcon.password=<<~pw~>>",
            "rcon_password \"<<~pw~>>\"",
            "mcrcon -H host -p <<~pw~>> list",
            "<source-password><<~pw~>></source-password>",
            "ffmpeg -i x icecast://source:<<~pw~>>@radio:8000/live",
        ],
    ),
    (
        "house of things",
        &[
            "mqtt_password: \"<<~pw~>>\"",
            "Backlog MqttHost mq; MqttUser me; MqttPassword <<~pw~>>",
            "input: rtsp://me:<<~pw~>>@10.0.0.5:554/stream1",
            "ota: { platform: esphome, password: \"<<~hex32~>>\" }",
        ],
    ),
    (
        "terraform resources",
        &[
            "administrator_login_password = \"<<~pw~>>\"",
            "  secret_string = jsonencode({ username = \"me\", password = \"<<~pw~>>\" })",
            "  tunnel1_preshared_key = \"<<~alnum32~>>\"",
            "  user_data = \"#!/bin/sh\\nexport DB_PASSWORD=<<~pw~>>\\n\"",
            "provider \"grafana\" { url = var.url, auth = \"me:<<~pw~>>\" }",
        ],
    ),
    (
        "helm values",
        &[
            "postgresPassword: <<~pw~>>",
            "rootPassword: \"<<~pw~>>\"",
            "helm upgrade x . --set-string jwt.secret=<<~alnum32~>>",
            "replicationPassword: <<~pw~>>",
        ],
    ),
];
