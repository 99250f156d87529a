-- Names of counters are kept apart from what they stood at: a poll writes 16 bytes for each counter instead of its name and
-- digits, and names only where there are others.
alter table "counterBaselines" add column "names" text, add column "counted" bytea;
-- Escapes in names are put aside meanwhile: the database refuses some that it has kept as text.
update "counterBaselines" set ("names", "counted") = (
  select replace(replace(coalesce(json_agg("counter" -> 0 order by "at"), '[]')::text, chr(57344), '\u'), chr(57345), '\\'),
    coalesce(string_agg(int8send(("counter" ->> 1)::bigint) || int8send(("counter" ->> 2)::bigint), ''::bytea order by "at"), '')
  from json_array_elements(replace(replace("counters", '\\', chr(57345)), '\u', chr(57344))::json) with ordinality as "kept"("counter", "at")
);
alter table "counterBaselines" alter column "names" set not null, alter column "counted" set not null, drop column "counters";
-- Rewritten all the time: compressing would cost more than it saves.
alter table "counterBaselines" alter column "names" set storage external, alter column "counted" set storage external;
