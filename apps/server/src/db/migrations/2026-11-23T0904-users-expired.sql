-- Users who expired by a clock that was ahead are looked for every few seconds among those who have a date to come: nearly none.
create index "usersExpired" on "users" ("expireAt") where "status" = 'EXPIRED';
