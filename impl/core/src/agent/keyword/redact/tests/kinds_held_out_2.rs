//! More of the kinds of [`super::kinds_held_out_1`].

use super::Kind;

pub(super) const HELD_OUT_2: &[Kind] = &[
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
];
