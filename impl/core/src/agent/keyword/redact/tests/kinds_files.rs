//! Secrets in logs, prose, statements and files of their own form. Notation as in
//! [`super::kinds_named`].

use super::Kind;

pub(super) const FILES: &[Kind] = &[
    (
        "password in a log",
        &[
            "2024-01-02 INFO login user=me password=<<~pw~>> ip=10.0.0.1",
            "DEBUG config: {host=db, password=<<~pw~>>}",
            "connecting with user me and password <<~pw~>>",
            "POST /login username=me&password=<<~pw~>>&next=%2F",
        ],
    ),
    (
        "password in prose",
        &[
            "The default password is `<<~pw~>>`.",
            "Log in as admin with password: <<~pw~>>",
            "- Password: `<<~pw~>>`",
            "| password | `<<~pw~>>` |",
        ],
    ),
    (
        "name and value",
        &[
            "{name: DB_PASSWORD, value: <<~pw~>>}",
            "{ \"name\": \"API_TOKEN\", \"value\": \"<<~alnum32~>>\" }",
            "- {key: secret_key, value: '<<~alnum24~>>'}",
            "Key=DbPassword,Value=<<~pw~>>",
        ],
    ),
    (
        "statement of sql",
        &[
            "CREATE USER me WITH PASSWORD '<<~pw~>>';",
            "ALTER USER me IDENTIFIED BY '<<~pw~>>';",
            "ALTER ROLE me PASSWORD '<<~pw~>>'",
            "GRANT ALL ON x.* TO 'me'@'%' IDENTIFIED BY \"<<~pw~>>\";",
            "CREATE LOGIN me WITH PASSWORD = N'<<~pw~>>';",
        ],
    ),
    (
        "netrc",
        &[
            "machine db.example.com login me password <<~pw~>>",
            "default login me password <<~pw~>>",
            "login me password <<~alnum20~>>",
        ],
    ),
    (
        "file of passwords",
        &[
            "db.example.com:5432:shop:me:<<~pw~>>",
            "root:$6$~alnum8~$<<~alnum86~>>:19000:0:99999:7:::",
            "me:$apr1$~alnum8~$<<~alnum22~>>",
        ],
    ),
    (
        "terraform",
        &[
            "  password = \"<<~pw~>>\"",
            "  master_password             = \"<<~pw~>>\"",
            "variable \"db_password\" { default = \"<<~pw~>>\" }",
            "admin_ssh_key_passphrase = \"<<~pw~>>\"",
        ],
    ),
];
