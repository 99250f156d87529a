-- What an API token may do is remembered by the servers until this is told.
create trigger "tellAccessUpdate" after update on "apiTokens" for each statement execute function "tellEvent"('access');
