//! Secrets that are known by the name that stands before them. Slots stand between `~`, secrets
//! between `<<` and `>>`.

use super::Kind;

pub(super) const NAMED: &[Kind] = &[
    (
        "xml element",
        &[
            "<password><<~pw~>></password>",
            "    <db:password encrypted=\"false\"><<~pw~>></db:password>",
            "<apiKey><<~alnum24~>></apiKey>",
            "  <server><id>x</id><username>me</username><password><<~pw~>></password></server>",
        ],
    ),
    (
        "xml attribute",
        &[
            "<user name=\"me\" password=\"<<~pw~>>\" />",
            "<bean p:username='me' p:password='<<~pw~>>'/>",
            "<http token=\"<<~alnum32~>>\">",
        ],
    ),
    (
        "xml pair",
        &[
            "<add key=\"DbPassword\" value=\"<<~pw~>>\" />",
            "<property name=\"connection.password\" value=\"<<~pw~>>\"/>",
            "<property name=\"hibernate.connection.password\"><<~pw~>></property>",
            "<entry key=\"apiKey\"><<~alnum32~>></entry>",
        ],
    ),
    (
        "connection string",
        &[
            "Server=db;Database=shop;User Id=sa;Password=<<~pw~>>;Encrypt=true",
            "\"Default\": \"Data Source=db;Initial Catalog=x;User ID=sa;Pwd=<<~pw~>>\"",
            "connectionString=\"Server=db;Uid=root;Pwd=<<~pw~>>;\"",
            "Host=localhost;Username=me;Password=<<~pw~>>",
        ],
    ),
    (
        "jdbc address",
        &[
            "url=jdbc:postgresql://db/shop?user=me&password=<<~pw~>>",
            "jdbc:mysql://db:3306/shop?user=me&password=<<~pw~>>&useSSL=false",
            "jdbc:sqlserver://db:1433;databaseName=x;user=sa;password=<<~pw~>>;encrypt=true",
            "jdbc:oracle:thin:me/<<~pw~>>@//db:1521/orcl",
        ],
    ),
    (
        "libpq string",
        &[
            "host=db port=5432 user=me password=<<~pw~>> dbname=x",
            "psql \"host=db user=me password=<<~pw~>>\"",
            "dsn := \"host=db user=me password=<<~pw~>> sslmode=disable\"",
        ],
    ),
    (
        "short password name",
        &[
            "DB_PASS=<<~pw~>>",
            "db_pass: <<~pw~>>",
            "smtpPass: \"<<~pw~>>\",",
            "pass = \"<<~pw~>>\"",
            "MAIL_PW=<<~pw~>>",
            "redis.pass=<<~pw~>>",
        ],
    ),
    (
        "password in the environment",
        &[
            "PGPASSWORD=<<~pw~>> psql -h db",
            "export MYSQL_ROOT_PASSWORD=<<~pw~>>",
            "ENV ADMIN_PASSWORD=<<~pw~>>",
            "ENV ADMIN_PASSWORD <<~pw~>>",
            "docker run -e POSTGRES_PASSWORD=<<~pw~>> -d postgres",
            "      - POSTGRES_PASSWORD=<<~pw~>>",
            "set DB_PASSWORD=<<~pw~>>",
            "$env:DB_PASSWORD = \"<<~pw~>>\"",
        ],
    ),
    (
        "password in yaml",
        &[
            "  password: <<~pw~>>",
            "  password: \"<<~pw~>>\"",
            "  - password: '<<~pw~>>'",
            "adminPassword: <<~pw~>>  # rotate",
            "{user: me, password: <<~pw~>>}",
            "# password: <<~pw~>>",
        ],
    ),
    (
        "password in json",
        &[
            "  \"password\": \"<<~pw~>>\",",
            "{\"user\":\"me\",\"passwd\":\"<<~pw~>>\",\"port\":1}",
            "\"{\\\"user\\\":\\\"me\\\",\\\"password\\\":\\\"<<~pw~>>\\\"}\"",
            "{'dbPassword':'<<~pw~>>'}",
        ],
    ),
    (
        "password in settings",
        &[
            "spring.datasource.password=<<~pw~>>",
            "password = <<~pw~>>",
            "db.default.pwd = <<~pw~>>",
            "password=<<~pw~>> ; of the old host",
            "requirepass <<~pw~>>",
            "passwd=<<~pw~>>",
        ],
    ),
    (
        "password in code",
        &[
            "let password = \"<<~pw~>>\";",
            "const DB_PASSWORD: &str = \"<<~pw~>>\";",
            "    private static final String PASSWORD = \"<<~pw~>>\";",
            "    connect(host=\"db\", user=\"me\", password=\"<<~pw~>>\")",
            "if (password == \"<<~pw~>>\") {",
            "self.password = '<<~pw~>>'",
            "password := `<<~pw~>>`",
            "password: String = \"<<~pw~>>\".into()",
        ],
    ),
    (
        "fallback of a variable",
        &[
            "password = os.getenv(\"DB_PASSWORD\", \"<<~pw~>>\")",
            "const token = process.env.API_TOKEN || \"<<~alnum24~>>\";",
            "password: process.env.DB_PASSWORD ?? '<<~pw~>>',",
            "PASSWORD=${PASSWORD:-<<~pw~>>}",
            "secret = ENV.fetch('APP_SECRET', '<<~hex32~>>')",
        ],
    ),
    (
        "put into a map",
        &[
            "props.put(\"password\", \"<<~pw~>>\");",
            "settings['secret_key'] = '<<~alnum32~>>'",
            "setProperty(\"javax.net.ssl.keyStorePassword\", \"<<~pw~>>\");",
            "os.environ[\"API_TOKEN\"] = \"<<~alnum32~>>\"",
        ],
    ),
    (
        "token in quotes",
        &[
            "token = \"<<~alnum32~>>\"",
            "\"access_token\": \"<<~url43~>>\"",
            "'refreshToken' => '<<~hex40~>>',",
            "authToken: \"<<~uuid~>>\"",
            "let bot_token = \"<<~alnum24~>>\";",
        ],
    ),
    (
        "token without quotes",
        &[
            "token: <<~alnum32~>>",
            "access_token=<<~url43~>>",
            "//registry.npmjs.org/:_authToken=<<~uuid~>>",
            "  github.token: <<~alnum12~>>",
            "CI_JOB_TOKEN=<<~alnum20~>>",
            "token=<<~hex40~>>",
        ],
    ),
    (
        "secret in quotes",
        &[
            "client_secret = \"<<~alnum32~>>\"",
            "\"clientSecret\": \"<<~url40~>>\"",
            "APP_SECRET: '<<~hex64~>>'",
            "secret: \"<<~uuid~>>\"",
        ],
    ),
    (
        "secret without quotes",
        &[
            "client_secret: <<~alnum32~>>",
            "SECRET_KEY_BASE=<<~hex64~>>",
            "JWT_SECRET=<<~base44~>>",
            "app.secret=<<~uuid~>>",
            "  secret: <<~base40~>>",
        ],
    ),
    (
        "key of an interface",
        &[
            "api_key = \"<<~hex32~>>\"",
            "apiKey: '<<~alnum32~>>'",
            "API_KEY=<<~alnum20~>>",
            "api-key: <<~uuid~>>",
            "apikey=<<~hex32~>>",
            "\"x-api-key\": \"<<~alnum40~>>\"",
        ],
    ),
    (
        "header with a key",
        &[
            "X-Api-Key: <<~alnum32~>>",
            "curl -H \"X-API-Key: <<~hex32~>>\" https://api.example.com",
            "PRIVATE-TOKEN: <<~alnum20~>>",
            "X-Vault-Token: <<~alnum26~>>",
            "-H 'X-Auth-Token: <<~uuid~>>'",
        ],
    ),
    (
        "header of authorization",
        &[
            "Authorization: Bearer <<~url40~>>",
            "Authorization: Basic <<~base24~>>",
            "Authorization: token <<~hex40~>>",
            "headers = {\"Authorization\": \"Bearer <<~alnum32~>>\"}",
            "authorization: <<~hex40~>>",
            "Proxy-Authorization: Basic <<~base20~>>==",
        ],
    ),
    (
        "cookie",
        &[
            "Cookie: sessionid=<<~alnum32~>>; theme=dark",
            "Set-Cookie: JSESSIONID=<<~HEX32~>>; Path=/; HttpOnly",
            "curl -b 'session=<<~url43~>>' https://example.com",
        ],
    ),
    (
        "login of a registry",
        &[
            "      \"auth\": \"<<~base32~>>\"",
            "_auth=<<~base28~>>",
            "\"auth\":\"<<~base30~>>==\",\"email\":\"\"",
            "  .dockerconfigjson: <<~base64~>>",
        ],
    ),
    (
        "key of a cluster",
        &[
            "  tls.key: LS0tLS1CRUdJTi<<~base80~>>",
            "    client-key-data: LS0tLS1C<<~base80~>>",
            "  ca.key: <<~base80~>>=",
            "  token: <<~base60~>>",
        ],
    ),
    (
        "private key value",
        &[
            "PRIVATE_KEY=0x<<~hex64~>>",
            "privateKey: \"<<~hex64~>>\"",
            "PrivateKey = <<~base43~>>=",
            "PresharedKey = <<~base43~>>=",
            "ssh_key: <<~base64~>>",
        ],
    ),
    (
        "encryption key",
        &[
            "ENCRYPTION_KEY=<<~hex64~>>",
            "signing_key: \"<<~base44~>>\"",
            "masterKey = '<<~alnum32~>>'",
            "APP_KEY=base64:<<~base43~>>=",
        ],
    ),
    (
        "credential",
        &[
            "credential: \"<<~alnum24~>>\"",
            "AZURE_CREDENTIALS=<<~base40~>>",
            "credentials = \"me:<<~pw~>>\"",
            "db_creds: <<~alnum20~>>",
        ],
    ),
    (
        "passphrase",
        &[
            "ssh_passphrase: \"<<~pw~>> and ~pw~\"",
            "passphrase=<<~pw~>>",
            "\"keyPassphrase\": \"<<~pw~>>\"",
            "wpa_passphrase=<<~pw~>>",
            "psk=\"<<~pw~>>\"",
        ],
    ),
];
