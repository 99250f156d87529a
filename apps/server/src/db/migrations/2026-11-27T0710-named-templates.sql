-- Several templates of a type by name, one of which is the default of the type: what 2.1 reads and sets.

alter table "subscriptionTemplates"
  add column "name" text not null default 'Default',
  add column "isDefault" boolean not null default true,
  add column "label" text not null default '';

alter table "subscriptionTemplates" drop constraint "subscriptionTemplates_templateType_key";
alter table "subscriptionTemplates" add constraint "subscriptionTemplates_name_key" unique ("templateType", "name");
-- Deferred: the default changes by two rows of one statement.
alter table "subscriptionTemplates" add constraint "subscriptionTemplates_default"
  exclude using btree ("templateType" with =) where ("isDefault") deferrable initially deferred;
alter table "subscriptionTemplates" alter column "name" drop default, alter column "isDefault" drop default;

-- The label names a template to people, in the history and in plans of an undo.
create function "keepTemplateLabel"() returns trigger language plpgsql as $$
begin
  new."label" = case when new."name" = 'Default' then new."templateType" else new."templateType" || ' ' || new."name" end;
  return new;
end $$;

create trigger "templateLabel" before insert or update of "name", "templateType", "label" on "subscriptionTemplates"
  for each row execute function "keepTemplateLabel"();
update "subscriptionTemplates" set "label" = '';
