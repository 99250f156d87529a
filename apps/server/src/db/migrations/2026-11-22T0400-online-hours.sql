-- Users online in each hour, for the whole service: the most that were counted at once. Bytes per node and hour are kept already.
create table "onlineHours" (
  "hour" timestamptz(3) primary key,
  "usersOnline" bigint not null
);
