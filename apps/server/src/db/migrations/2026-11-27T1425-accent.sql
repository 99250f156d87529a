-- The colour of actions that an operator chose, as #rrggbb; null: the product's own.
alter table "installation" add column "accent" text;
