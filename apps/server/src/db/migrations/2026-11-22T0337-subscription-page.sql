-- The page that subscribers see in a browser, as administrators have published it; one row, or none for the product's own.

create table "subscriptionPages" (
  "uuid" uuid primary key,
  -- As text in the order in which it was written.
  "config" json not null,
  "publishedAt" timestamptz(3) not null,
  check ("uuid" = '5b1d7a52-6a0e-4c8e-9f57-3d2a64c0e911')
);
