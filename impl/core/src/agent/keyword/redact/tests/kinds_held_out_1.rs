//! Secrets that no rule was written or changed for: their writer saw no rule.
//!
//! A second set besides [`super::kinds_held_out`], with other services and other formats. Half are
//! services, with the names of keys and the forms of tokens that their documentation gives; half
//! are formats of files, programs and languages. Only the share is printed, so that nothing is
//! fitted to what is missed. Notation as in [`super::kinds_named`].

use super::Kind;

pub(super) const HELD_OUT_1: &[Kind] = &[
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
];
