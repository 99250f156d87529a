-- A pasted VLESS link names its user by this key alone.

create index "usersVlessUuid" on "users" ("vlessUuid");
