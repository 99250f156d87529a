-- The page that subscribers see in a browser, as administrators have published it; one row, or none for the product's own.

create table "subscriptionPages" (
  "id" boolean primary key default true check ("id"),
  "config" jsonb not null,
  "publishedAt" timestamptz(3) not null
);
