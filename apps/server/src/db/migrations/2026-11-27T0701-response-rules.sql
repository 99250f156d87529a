-- Rules that choose the answer to a request for a subscription; null: formats follow the user agent, as before.
alter table "subscriptionSettings" add column "responseRules" json;
-- Which rule answered a request, and with what.
alter table "subscriptionRequests" add column "ruleName" text, add column "responseType" text not null default 'UNKNOWN';
alter table "revisions" drop constraint "revisions_kind_check",
  add constraint "revisions_kind_check" check ("kind" in ('profile', 'template', 'responseRules'));
