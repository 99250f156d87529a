-- Names of counters are kept apart from what they stood at: a poll writes 16 bytes for each counter instead of its name and
-- digits, and names only where there are others.
alter table "counterBaselines" add column "names" text, add column "counted" bytea;
update "counterBaselines" set ("names", "counted") = (
  select coalesce(json_agg("counter" -> 0 order by "at"), '[]')::text,
    coalesce(string_agg(int8send(("counter" ->> 1)::bigint) || int8send(("counter" ->> 2)::bigint), ''::bytea order by "at"), '')
  from json_array_elements("counters"::json) with ordinality as "kept"("counter", "at")
);
alter table "counterBaselines" alter column "names" set not null, alter column "counted" set not null, drop column "counters";
-- Rewritten all the time: compressing would cost more than it saves.
alter table "counterBaselines" alter column "names" set storage external, alter column "counted" set storage external;
