//! More of the kinds of [`super::kinds_held_out_1`].

use super::Kind;

pub(super) const HELD_OUT_3: &[Kind] = &[
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
