-- A changed snippet goes to one node first, like a new revision of a profile.
alter table "configProfileRollouts"
  add column "snippetId" bigint references "snippets" on delete cascade,
  add column "snippet" json,
  drop constraint "configProfileRollouts_what_check",
  add constraint "configProfileRollouts_what_check" check (
    num_nonnulls("profileId", "snippetId", "part") = 1 and ("profileId" is null) = ("config" is null)
    and ("snippetId" is null) = ("snippet" is null) and ("part" is null) = ("version" is null)
  );
create unique index "configProfileRollouts_openSnippet_key" on "configProfileRollouts" ("snippetId") where "endedAt" is null;

-- Nodes that have the next content of a snippet before the others.
create view "snippetsAhead" as
  select ahead."nodeId", rollout."id" as "rolloutId", snippet."name", rollout."snippet"
  from "configProfileRollouts" rollout
  join "snippets" snippet on snippet."id" = rollout."snippetId"
  join "configProfileRolloutNodes" ahead on ahead."rolloutId" = rollout."id"
  where rollout."endedAt" is null and ahead."state" in ('starting', 'watched', 'unproven', 'good');
