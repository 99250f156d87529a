-- Names that begin with a text are found without looking at every user, whatever the database's collation.

create index "usersUsernameBeginning" on "users" (lower("username") text_pattern_ops);
