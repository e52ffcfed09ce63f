//! Secrets that are known by their own form, by an address or by a command. Notation as in
//! [`super::kinds_named`].

use super::Kind;

pub(super) const FORMED: &[Kind] = &[
    (
        "address with a password",
        &[
            "postgres://me:<<~pw~>>@db.example.com/x",
            "redis://:<<~pw~>>@cache:6379/0",
            "amqp://me:<<~pw~>>@mq:5672",
            "git clone https://me:<<~alnum20~>>@git.example.com/x.git",
            "mongodb+srv://me:<<~pw~>>@cluster0.example.mongodb.net/x",
        ],
    ),
    (
        "address with a mark in its password",
        &[
            "postgres://u:<<p@~pw~>>@db/x",
            "postgres://u:<<pa/~pw~>>@db/x",
            "mysql://u:<<~alnum6~/~alnum4~@~alnum4~>>@db:3306/x",
            "https://u:<<a?b#~pw~>>@host.example.com/",
        ],
    ),
    (
        "address with a token",
        &[
            "https://<<~alnum40~>>@git.example.com/me/x.git",
            "https://<<~hex32~>>@o12345.ingest.sentry.io/42",
            "https://oauth2:<<~url26~>>@gitlab.example.com/x.git",
        ],
    ),
    (
        "query with a token",
        &[
            "https://api.example.com/v1?access_token=<<~alnum32~>>",
            "https://api.example.com/v1?x=1&api_key=<<~hex32~>>&y=2",
            "https://example.com/reset?token=<<~url43~>>",
            "https://maps.example.com/js?key=<<~alnum39~>>&callback=x",
            "https://example.com/x?client_secret=<<~alnum24~>>",
        ],
    ),
    (
        "signed address",
        &[
            "https://x.blob.core.windows.net/c?sv=2022-11-02&se=2030-01-01&sr=c&sp=r&sig=<<~base43~>>%3D",
            "https://b.s3.amazonaws.com/k?X-Amz-Expires=60&X-Amz-Signature=<<~hex64~>>",
            "https://storage.googleapis.com/b/o?X-Goog-Signature=<<~hex256~>>",
        ],
    ),
    (
        "aws access key id",
        &[
            "aws_access_key_id = <<AKIA~upper16~>>",
            "key <<ASIA~upper16~>>;",
            "\"AccessKeyId\": \"<<AKIA~upper16~>>\",",
        ],
    ),
    (
        "aws secret key",
        &[
            "aws_secret_access_key = <<~base40~>>",
            "AWS_SECRET_ACCESS_KEY=<<~base40~>>",
            "\"SecretAccessKey\": \"<<~base40~>>\"",
            "aws configure set aws_secret_access_key <<~base40~>>",
            "aws_session_token=<<~base200~>>==",
        ],
    ),
    (
        "github token",
        &[
            "push with <<ghp_~alnum36~>> now",
            "GH=<<gho_~alnum36~>>",
            "<<github_pat_~alnum22~_~alnum59~>>",
            "url: https://x-access-token:<<ghs_~alnum36~>>@github.com/a/b",
        ],
    ),
    (
        "gitlab token",
        &[
            "<<glpat-~url20~>>",
            "runner <<glrt-~url20~>>",
            "trigger <<glptt-~hex40~>>",
            "deploy <<gldt-~url20~>>",
        ],
    ),
    (
        "slack token",
        &[
            "slack(<<xoxb-~digits12~-~digits12~-~alnum24~>>)",
            "<<xoxp-~digits12~-~digits12~-~hex32~>>",
            "<<xapp-1-A~upper10~-~digits13~-~hex64~>>",
        ],
    ),
    (
        "slack webhook",
        &[
            "https://hooks.slack.com/services/<<T~upper8~/B~upper8~/~alnum24~>>",
            "curl -X POST https://hooks.slack.com/workflows/<<T~upper8~/A~upper9~/~digits18~/~alnum24~>>",
        ],
    ),
    (
        "discord webhook",
        &[
            "https://discord.com/api/webhooks/~digits18~/<<~url68~>>",
            "hook = https://discordapp.com/api/webhooks/~digits19~/<<~url68~>>",
        ],
    ),
    (
        "teams webhook",
        &[
            "https://x.webhook.office.com/webhookb2/<<~uuid~@~uuid~/IncomingWebhook/~hex32~/~uuid~>>",
            "https://outlook.office.com/webhook/<<~uuid~@~uuid~/IncomingWebhook/~hex32~/~uuid~>>",
        ],
    ),
    (
        "discord bot",
        &["client.login('<<M~alnum23~.~url6~.~url27~>>')", "run(<<N~alnum25~.~url6~.~url38~>>)"],
    ),
    (
        "telegram bot",
        &[
            "https://api.telegram.org/bot<<~digits10~:AA~url33~>>/sendMessage",
            "bot = Bot('<<~digits9~:AA~url33~>>')",
        ],
    ),
    (
        "stripe key",
        &[
            "stripe.key('<<sk_live_~alnum24~>>')",
            "<<rk_live_~alnum24~>>",
            "<<sk_test_~alnum99~>>",
            "hook <<whsec_~alnum32~>>",
        ],
    ),
    (
        "google key",
        &[
            "maps <<AIza~url35~>>",
            "id <<GOCSPX-~url28~>>",
            "<<ya29.~url80~>>",
            "refresh 1//<<0~url60~>>",
        ],
    ),
    (
        "google service account",
        &[
            "\"private_key\": \"-----BEGIN PRIVATE KEY-----\\n<<~base64~>>\\n-----END PRIVATE KEY-----\\n\",",
        ],
    ),
    ("npm token", &["<<npm_~alnum36~>>", "x=<<npm_~alnum36~>>"]),
    ("pypi token", &["username = __token__ <<pypi-AgEIcHlwaS5vcmc~url80~>>"]),
    (
        "key of a language model",
        &[
            "<<sk-~alnum20~T3BlbkFJ~alnum20~>>",
            "<<sk-proj-~url80~>>",
            "<<sk-ant-api03-~url93~>>",
            "hf = <<hf_~alnum34~>>",
            "groq <<gsk_~alnum52~>>",
            "<<xai-~alnum80~>>",
            "<<r8_~alnum37~>>",
            "<<pplx-~alnum48~>>",
        ],
    ),
    (
        "mail service",
        &[
            "<<SG.~url22~.~url43~>>",
            "<<key-~hex32~>>",
            "<<xkeysib-~hex64~-~alnum16~>>",
            "mailchimp <<~hex32~-us12>>",
        ],
    ),
    (
        "twilio",
        &[
            "TWILIO=<<SK~hex32~>>",
            "auth_token = '<<~hex32~>>'",
            "client(\"AC~hex32~\", \"<<~hex32~>>\")",
        ],
    ),
    ("shopify", &["<<shpat_~hex32~>>", "<<shpss_~hex32~>>", "<<shpca_~hex32~>>"]),
    ("digitalocean", &["<<dop_v1_~hex64~>>", "<<doo_v1_~hex64~>>", "<<dor_v1_~hex64~>>"]),
    (
        "hashicorp",
        &[
            "<<hvs.~url90~>>",
            "vault login <<s.~alnum24~>>",
            "<<~alnum14~.atlasv1.~url64~>>",
            "<<hvb.~url140~>>",
        ],
    ),
    ("package hosts", &["gem <<rubygems_~hex48~>>", "<<oy2~lower43~>>", "cargo <<cio~alnum32~>>"]),
    (
        "services of builds",
        &[
            "<<dckr_pat_~url27~>>",
            "<<pul-~hex40~>>",
            "<<sqp_~hex40~>>",
            "<<dp.pt.~alnum43~>>",
            "<<lin_api_~alnum40~>>",
            "<<PMAK-~hex24~-~hex34~>>",
        ],
    ),
    (
        "services of pages",
        &[
            "<<ntn_~alnum46~>>",
            "<<secret_~alnum43~>>",
            "<<figd_~url40~>>",
            "<<pat~alnum14~.~hex64~>>",
            "<<ATATT3xFfGF0~url180~>>",
        ],
    ),
    (
        "services of watching",
        &[
            "<<glc_~base80~>>",
            "<<glsa_~alnum32~_~hex8~>>",
            "<<NRAK-~upper27~>>",
            "DD_API_KEY: \"<<~hex32~>>\"",
            "<<sntrys_~base90~>>",
        ],
    ),
    (
        "databases as a service",
        &[
            "<<pscale_pw_~url43~>>",
            "<<dapi~hex32~>>",
            "<<sbp_~hex40~>>",
            "<<mdb_sa_sk_~url40~>>",
            "<<AVNS_~url19~>>",
        ],
    ),
    (
        "azure storage",
        &[
            "AccountName=a;AccountKey=<<~base86~>>==;EndpointSuffix=core.windows.net",
            "Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=<<~base43~>>=",
            "SharedAccessSignature sr=x&sig=<<~base43~>>%3D&se=1",
            "AccountEndpoint=https://x.documents.azure.com:443/;AccountKey=<<~base86~>>==;",
        ],
    ),
    (
        "azure application",
        &["AZURE_CLIENT_SECRET=<<~alnum3~8Q~~~alnum31~>>", "secret <<~alnum3~8Q~~~url34~>>"],
    ),
    (
        "web token",
        &[
            "jwt <<eyJ~url17~.eyJ~url60~.~url43~>>",
            "Cookie: t=<<eyJ~url17~.eyJ~url60~.~url43~>>",
            "\"<<eyJ~url33~.eyJ~url80~.~url86~>>\"",
        ],
    ),
    ("age key", &["<<AGE-SECRET-KEY-1~upper58~>>"]),
    (
        "frame of a key",
        &[
            "key: \"-----BEGIN RSA PRIVATE KEY-----<<~base64~>>-----END RSA PRIVATE KEY-----\"",
            "-----BEGIN OPENSSH PRIVATE KEY----- <<~base64~>>",
            "-----BEGIN PGP PRIVATE KEY BLOCK-----\\n<<~base64~>>",
            "-----BEGIN ENCRYPTED PRIVATE KEY-----<<~base64~>>",
        ],
    ),
];
