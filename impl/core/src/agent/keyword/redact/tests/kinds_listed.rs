//! Secrets of services that published lists of kinds name, and for which no rule was written with
//! them in view.
//!
//! The lists (gitleaks, detect-secrets) gave the names of the kinds; no rule of theirs was taken
//! over. Notation as in [`super::kinds_named`].

use super::Kind;

pub(super) const LISTED: &[Kind] = &[
    (
        "1password",
        &["A3 key <<A3-~upper6~-~upper11~-~upper5~-~upper5~-~upper5~>>", "op <<ops_eyJ~url250~>>"],
    ),
    ("adafruit", &["ADAFRUIT_IO_KEY = \"<<~alnum32~>>\"", "aio_key: <<aio_~alnum28~>>"]),
    ("adobe", &["adobe_client_secret=<<p8e-~alnum32~>>", "run <<p8e-~alnum32~>>"]),
    (
        "airtable",
        &["airtable = '<<~alnum17~>>' # AIRTABLE_API_KEY", "AIRTABLE_API_KEY=<<key~alnum14~>>"],
    ),
    (
        "algolia",
        &[
            "const searchClient = algoliasearch('~upper10~', '<<~hex32~>>');",
            "algolia_api_key: <<~hex32~>>",
        ],
    ),
    ("alibaba", &["accessKeyId: <<LTAI~alnum20~>>", "ALIBABA_SECRET_KEY=<<~alnum30~>>"]),
    ("artifactory", &["curl -H 'X-JFrog-Art-Api: <<AKCp~alnum69~>>'", "ref <<cmVmdGtu~alnum56~>>"]),
    ("asana", &["ASANA_PAT=<<0/~hex32~>>", "asana token <<1/~digits16~:~hex32~>>"]),
    ("authress", &["key <<sc_~alnum10~.~alnum4~.acc_~alnum10~.~base40~>>"]),
    ("aws bedrock", &["<<ABSK~base109~>>="]),
    ("beamer", &["beamer = <<b_~alnum44~>>", "BEAMER_API_KEY: 'b_<<~alnum44~>>'"]),
    ("bitbucket", &["bitbucket_client_secret = \"<<~alnum64~>>\"", "<<ATBB~alnum32~>>"]),
    ("braintree", &["<<access_token$production$~alnum16~$~hex32~>>"]),
    ("clojars", &["<<CLOJARS_~alnum60~>>"]),
    (
        "cloudflare",
        &[
            "CLOUDFLARE_API_TOKEN=<<~url40~>>",
            "origin <<v1.0-~hex24~-~hex146~>>",
            "X-Auth-Key: <<~hex37~>>",
        ],
    ),
    ("codecov", &["CODECOV_TOKEN: <<~uuid~>>", "codecov -t <<~uuid~>>"]),
    (
        "confluent",
        &[
            "sasl.jaas.config=PlainLoginModule required username=\"K\" password=\"<<~base64~>>\";",
            "confluent_secret = '<<~base64~>>'",
        ],
    ),
    ("contentful", &["CONTENTFUL_ACCESS_TOKEN=<<~url43~>>", "<<CFPAT-~url43~>>"]),
    ("dropbox", &["dropbox(<<sl.~url130~>>)", "DROPBOX_APP_SECRET=<<~alnum15~>>"]),
    ("duffel", &["<<duffel_live_~url43~>>"]),
    ("dynatrace", &["<<dt0c01.~upper24~.~upper64~>>"]),
    ("easypost", &["<<EZAK~alnum54~>>", "x <<EZTK~alnum54~>>"]),
    ("etsy", &["etsy_keystring = \"<<~lower24~>>\"", "ETSY_SHARED_SECRET=<<~alnum10~>>"]),
    (
        "facebook",
        &[
            "graph?access_token=<<EAAB~alnum180~>>",
            "FB_APP_SECRET = '<<~hex32~>>'",
            "<<~digits15~|~url27~>>",
        ],
    ),
    ("fastly", &["Fastly-Key: <<~url32~>>", "FASTLY_API_TOKEN=<<~url32~>>"]),
    ("flutterwave", &["<<FLWSECK_TEST-~hex32~-X>>", "FLW <<FLWSECK-~hex32~-X>>"]),
    ("fly", &["<<FlyV1 fm1r_~base120~>>", "x <<fo1_~url43~>>"]),
    ("frame.io", &["<<fio-u-~url64~>>"]),
    ("gitter", &["GITTER_TOKEN=<<~hex40~>>"]),
    ("gocardless", &["<<live_~url40~>>"]),
    ("harness", &["<<pat.~alnum22~.~hex24~.~alnum20~>>"]),
    ("heroku", &["HEROKU_API_KEY=<<~uuid~>>", "<<HRKU-AA~url58~>>"]),
    ("hubspot", &["hapikey=<<~uuid~>>", "<<pat-na1-~uuid~>>"]),
    ("infracost", &["<<ico-~alnum32~>>"]),
    ("intra42", &["<<s-s4t2ud-~hex64~>>"]),
    (
        "jenkins",
        &["curl -u me:<<~hex34~>> https://ci.example.com/job/x/build", "crumb=<<~hex64~>>"],
    ),
    ("langsmith", &["<<lsv2_pt_~hex32~_~hex10~>>"]),
    ("launchdarkly", &["<<sdk-~uuid~>>", "LD_SDK_KEY=<<sdk-~uuid~>>"]),
    (
        "mapbox",
        &[
            "L.mapbox.accessToken = '<<pk.eyJ~alnum60~.~alnum22~>>';",
            "<<sk.eyJ~alnum60~.~alnum22~>>",
        ],
    ),
    (
        "mattermost",
        &["mattermost_token: <<~alnum26~>>", "https://mm.example.com/hooks/<<~alnum26~>>"],
    ),
    ("maxmind", &["license <<~alnum6~_~alnum29~_mmk>>"]),
    ("netlify", &["<<nfp_~alnum36~>>", "NETLIFY_AUTH_TOKEN=<<~url43~>>"]),
    ("octopus", &["<<API-~upper26~>>"]),
    ("okta", &["Authorization: SSWS <<00~url40~>>", "okta_token = \"<<00~url40~>>\""]),
    ("openshift", &["oc login --token=<<sha256~~~url43~>>", "x <<sha256~~~url43~>>"]),
    ("plaid", &["<<access-sandbox-~uuid~>>", "PLAID_SECRET=<<~hex30~>>"]),
    ("prefect", &["<<pnu_~alnum36~>>"]),
    ("rapidapi", &["X-RapidAPI-Key: <<~alnum50~>>", "'x-rapidapi-key': '<<~alnum50~>>'"]),
    ("readme", &["<<rdme_~alnum70~>>"]),
    ("scalingo", &["<<tk-us-~url48~>>"]),
    ("settlemint", &["<<sm_aat_~alnum16~>>"]),
    ("shippo", &["<<shippo_live_~hex40~>>"]),
    (
        "sidekiq",
        &[
            "BUNDLE_ENTERPRISE__CONTRIBSYS__COM=<<~hex8~:~hex8~>>",
            "https://<<~hex8~:~hex8~>>@gems.contribsys.com/",
        ],
    ),
    ("snyk", &["SNYK_TOKEN=<<~uuid~>>", "snyk auth <<~uuid~>>"]),
    ("sourcegraph", &["<<sgp_~hex16~_~hex40~>>"]),
    ("square", &["<<EAAA~url60~>>", "<<sq0atp-~url22~>>", "<<sq0csp-~url43~>>"]),
    ("sumologic", &["SUMO_ACCESS_KEY=<<~alnum64~>>", "sumo_access_id = <<su~alnum12~>>"]),
    ("travis", &["travis_token: <<~alnum22~>>"]),
    ("trello", &["https://api.trello.com/1/boards?key=<<~hex32~>>&token=<<~hex64~>>"]),
    ("twitch", &["TWITCH_OAUTH=oauth:<<~alnum30~>>", "/NICK x PASS oauth:<<~alnum30~>>"]),
    ("twitter", &["<<AAAAAAAAAAAAAAAAAAAAA~alnum90~>>", "consumer_secret = '<<~alnum50~>>'"]),
    ("typeform", &["<<tfp_~url59~>>"]),
    ("yandex", &["<<AQVN~url36~>>", "<<t1.~url20~.~url86~>>"]),
    (
        "zendesk",
        &[
            "curl -u me@example.com/token:<<~alnum40~>> https://x.zendesk.com",
            "zendesk_secret_key: <<~alnum40~>>",
        ],
    ),
    (
        "django",
        &[
            "SECRET_KEY = 'django-insecure-<<~alnum30~>>'",
            "SECRET_KEY = '<<~alnum20~#$%~alnum27~>>'",
        ],
    ),
    (
        "rails",
        &[
            "secret_key_base: <<~hex128~>>",
            "config.secret_key_base = '<<~hex128~>>'",
            "RAILS_MASTER_KEY=<<~hex32~>>",
        ],
    ),
    ("laravel", &["APP_KEY=base64:<<~base43~>>=", "DB_PASSWORD=\"<<~pw~>>\""]),
    (
        "wordpress",
        &[
            "define( 'DB_PASSWORD', '<<~pw~>>' );",
            "define('AUTH_KEY',         '<<~alnum30~|{#~alnum30~>>');",
        ],
    ),
    (
        "cisco",
        &[
            "enable secret 5 <<$1$~alnum4~$~alnum22~>>",
            "username me password 7 <<~HEX18~>>",
            "snmp-server community <<~alnum12~>> RO",
        ],
    ),
    (
        "ansible",
        &[
            "ansible_ssh_pass: <<~pw~>>",
            "ansible_become_password=<<~pw~>>",
            "db ansible_host=10.0.0.1 ansible_password=<<~pw~>>",
        ],
    ),
    ("maven", &["<password>{<<~base44~>>=}</password>", "<privateKey><<~base64~>></privateKey>"]),
    ("nuget", &["<add key=\"ClearTextPassword\" value=\"<<~pw~>>\" />"]),
    (
        "wifi",
        &["wpa-psk <<~pw~>>", "    psk=<<~hex64~>>", "nmcli dev wifi connect x password <<~pw~>>"],
    ),
    ("kerberos", &["echo <<~pw~>> | kinit me", "kadmin -p me -w <<~pw~>>"]),
    (
        "go source",
        &[
            "\tPassword: \"<<~pw~>>\",",
            "os.Setenv(\"API_KEY\", \"<<~alnum32~>>\")",
            "client := New(Config{Token: \"<<~hex40~>>\"})",
        ],
    ),
    (
        "swift source",
        &["let apiKey: String = \"<<~alnum32~>>\"", "static let clientSecret = \"<<~hex32~>>\""],
    ),
    (
        "shell script",
        &["PASS='<<~pw~>>'", "local pass=<<~pw~>>", "TOKEN=\"${TOKEN:-<<~hex40~>>}\""],
    ),
];
