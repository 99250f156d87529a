-- The history: what lists show of an entry stands in columns, so that a page opens no rows (features/history).

alter table "auditLog"
  add "kind" text,
  add "name" text,
  add "count" integer not null default 1,
  add "jobId" uuid,
  add "undoes" bigint,
  add "undoneBy" bigint,
  add "touched" uuid[];

update "auditLog" set "kind" = case
  when "action" in ('createUser', 'updateUser', 'deleteUser', 'disableUser', 'enableUser', 'resetUserTraffic', 'addUserTraffic', 'revokeUserSubscription', 'createHwidDevice', 'deleteHwidDevice', 'deleteAllHwidDevices', 'bulkDeleteUsers', 'bulkUpdateUsersSquads', 'bulkUpdateUsers', 'bulkUpdateAllUsers', 'bulkResetUsersTraffic', 'bulkResetAllUsersTraffic', 'bulkRevokeUsersSubscription', 'bulkDeleteUsersByStatus', 'extendUsers', 'extendUser', 'setUserMetadata', 'updateUsers', 'updateAllUsers', 'resetUsers', 'resetAllUsers', 'revokeUsers', 'deleteUsersByStatus', 'bulkAddTraffic', 'addTrafficToUsers', 'changeSquadsOfUsers', 'deleteChosenUsers', 'expireUsers', 'returnUsers', 'limitUsers') then 'user'
  when "action" in ('createInternalSquad', 'updateInternalSquad', 'deleteInternalSquad', 'addUsersToInternalSquad', 'removeUsersFromInternalSquad', 'addAllToSquad', 'removeAllFromSquad', 'reorderInternalSquads') then 'squad'
  when "action" in ('createHost', 'updateHost', 'bulkUpdateHosts', 'deleteHost', 'reorderHosts', 'bulkEnableHosts', 'bulkDisableHosts', 'bulkDeleteHosts', 'bulkSetHostsPort', 'bulkSetHostsInbound') then 'host'
  when "action" in ('createNode', 'updateNode', 'deleteNode', 'disableNode', 'enableNode', 'reorderNodes', 'resetNodeTraffic', 'setNodeMetadata', 'restartNode', 'restartAllNodes', 'deliverClosingRule', 'resetNodesTraffic', 'renewAuthority') then 'node'
  when "action" in ('createConfigProfile', 'updateConfigProfile', 'deleteConfigProfile', 'reorderConfigProfiles', 'finishRollout', 'startRollout', 'pauseRollout', 'continueRollout', 'waiveRolloutProof', 'takeBackRollout') then 'profile'
  when "action" in ('updateSubscriptionTemplate', 'reorderSubscriptionTemplates') then 'template'
  when "action" in ('updateSubscriptionSettings', 'updateInstallation', 'publishSubscriptionPage') then 'settings'
  when "action" in ('createInfraProvider', 'updateInfraProvider', 'deleteInfraProvider', 'createInfraBillingNode', 'updateInfraBillingNode', 'deleteInfraBillingNode', 'createInfraBillingRecord', 'deleteInfraBillingRecord') then 'billing'
  when "action" in ('createView', 'updateView', 'deleteView') then 'view'
  when "action" in ('createWebhook', 'updateWebhook', 'deleteWebhook', 'rotateWebhookSecret', 'resendFailedDeliveries', 'resendWebhookDelivery') then 'webhook'
  when "action" in ('createApiToken', 'updateApiToken', 'deleteApiToken') then 'token'
  when "action" in ('login', 'logout', 'endSession', 'endOtherSessions', 'registerAdmin', 'changePassword') then 'account'
  when "action" in ('cancelJob') then 'job'
end,
"jobId" = case when "details"->>'jobId' ~ '^[0-9a-f]{8}-[0-9a-f-]{27}$' then ("details"->>'jobId')::uuid end;

drop index "auditLogByTime";
create index "auditLogByTime" on "auditLog" ("at", "id");
create index "auditLogByAction" on "auditLog" ("action", "kind", "at");
create index "auditLogByActor" on "auditLog" ("actorUuid", "action", "kind", "at");
create index "auditLogByJob" on "auditLog" ("jobId") where "jobId" is not null;
create index "auditLogByTouched" on "auditLog" using gin ("touched") where "touched" is not null;
