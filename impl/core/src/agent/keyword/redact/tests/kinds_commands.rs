//! Secrets that stand in command lines. Notation as in [`super::kinds_named`].

use super::Kind;

pub(super) const COMMANDS: &[Kind] = &[
    (
        "long option",
        &[
            "tool --password=<<~pw~>> --user me",
            "tool --password <<~pw~>> --user me",
            "tool --api-key <<~alnum32~>>",
            "tool --token=<<~alnum32~>>",
            "helm install x --set auth.password=<<~pw~>>",
            "gpg --batch --passphrase <<~pw~>> -d x.gpg",
            "keytool -storepass <<~pw~>> -list",
        ],
    ),
    (
        "mysql",
        &[
            "mysql -u root -p<<~pw~>> shop",
            "mysqldump -h db -uroot -p<<~pw~>> x > x.sql",
            "mysqladmin -p'<<~pw~>>' status",
        ],
    ),
    (
        "redis-cli",
        &[
            "redis-cli -h cache -a <<~pw~>> ping",
            "redis-cli -a '<<~pw~>>'",
            "redis-cli --pass <<~pw~>>",
            "AUTH <<~pw~>>",
        ],
    ),
    (
        "curl",
        &[
            "curl -u me:<<~pw~>> https://example.com",
            "curl --user 'me:<<~pw~>>' -X POST x",
            "curl -sSume:<<~pw~>> https://x",
            "http -a me:<<~pw~>> GET x",
        ],
    ),
    (
        "sshpass",
        &[
            "sshpass -p <<~pw~>> ssh me@host",
            "sshpass -p'<<~pw~>>' scp x me@host:",
            "sshpass -p \"<<~pw~>>\" rsync",
        ],
    ),
    (
        "docker login",
        &[
            "docker login -u me -p <<~pw~>> registry.example.com",
            "echo <<~pw~>> | docker login -u me --password-stdin",
            "podman login --password <<~pw~>> x",
        ],
    ),
    (
        "other commands",
        &[
            "ldapsearch -x -D cn=me -w <<~pw~>> -b dc=x",
            "sqlcmd -S db -U sa -P <<~pw~>> -Q x",
            "mongosh --username me -p <<~pw~>> x",
            "openssl rsa -in x -passin pass:<<~pw~>>",
            "htpasswd -bc file me <<~pw~>>",
            "echo 'me:<<~pw~>>' | chpasswd",
            "smbclient //srv/x -U me%<<~pw~>>",
            "unzip -P <<~pw~>> x.zip",
            "7z x -p<<~pw~>> x.7z",
            "net use z: \\\\srv\\x /user:me <<~pw~>>",
            "rabbitmqctl add_user me <<~pw~>>",
        ],
    ),
];
