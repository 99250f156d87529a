-- An API token that another installation has signed is known by the hash of its text, as its secret is not kept here.
alter table "apiTokens" add column "textHash" text;
