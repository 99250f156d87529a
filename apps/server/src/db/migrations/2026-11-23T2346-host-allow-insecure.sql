-- Panels since 2.1.12 keep with a host whether apps accept any certificate of its server.

alter table "hosts" add "allowInsecure" boolean not null default false;
