-- Only users who can still expire: the check every few seconds does not wade through those who have.
create index "usersExpiring" on "users" ("expireAt") where "status" in ('ACTIVE', 'LIMITED');

-- Resets by strategy find the job of a period, and the newest of a strategy.
create index "jobsByKind" on "jobs" ("kind", "createdAt");
