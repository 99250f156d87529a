-- Tags of hosts and nodes. A host had one tag, which 2.1 goes on to read and set; it is the first of its tags.

alter table "hosts" add column "tags" jsonb not null default '[]';
alter table "nodes" add column "tags" jsonb not null default '[]';
update "hosts" set "tags" = jsonb_build_array("tag") where "tag" is not null;

-- A tag that is set by itself takes the place of the first and leaves the others; none leaves none. That also holds for an undo
-- of changes from before there were several.
create function "keepHostTags"() returns trigger language plpgsql as $$
declare
  former jsonb = case when tg_op = 'INSERT' then '[]'::jsonb else old."tags" end;
begin
  if new."tags" = former and (tg_op = 'INSERT' or new."tag" is distinct from old."tag") then
    new."tags" = case when new."tag" is null then '[]'::jsonb else jsonb_build_array(new."tag") || ((former - 0) - new."tag") end;
  end if;
  new."tag" = new."tags" ->> 0;
  return new;
end $$;

create trigger "hostsTags" before insert or update of "tag", "tags" on "hosts" for each row execute function "keepHostTags"();
