// Every place where our contract and the published one of its generation differ, and why. The conformance test fails for a
// difference that is not named here and for a name that no longer differs.

/** Two operations whose published address helper names only the start of the path; the whole is in docs/wire.md 15. */
export const paths: Record<string, string> = {
  GetSubscriptionByShortUuidByClientType: '/api/sub/:shortUuid/:clientType',
  GetOutlineSubscriptionByShortUuid: '/api/sub/outline/:shortUuid/:type/:encodedTag',
}

const LATER = 'added to the 2.1 line up to 2.1.19'

/** Routes of ours outside /api/x/ that the published contract does not have. */
export const routeDifferences: Record<string, string> = {
  'GET /api/sub/:shortUuid/ss/:encodedTag': 'where the ssconf links of this generation point to (docs/wire.md 15)',
  'GET /api/system/tools/x25519/generate': 'since 2.1.8',
  'POST /api/system/tools/happ/encrypt': 'since 2.1.14',
  'GET /api/subscriptions/by-short-uuid/:shortUuid': 'since 2.1.7',
  'GET /api/subscriptions/by-short-uuid/:shortUuid/raw': 'since 2.1.8',
  'GET /api/subscriptions/by-uuid/:uuid': 'since 2.1.7',
  'GET /api/hwid/devices': LATER,
  'GET /api/hwid/devices/stats': LATER,
  'POST /api/hwid/devices/delete-all': LATER,
  'GET /api/subscription-request-history': LATER,
  'GET /api/subscription-request-history/stats': LATER,
  'GET /api/users/:uuid/subscription-request-history': LATER,
}

/**
 * `wider`: we take what they refuse. `narrower`: we refuse what they take. In responses only `wider` counts.
 * Keys are `METHOD path part field wider|narrower|lost`.
 */
export const schemaDifferences: { at: RegExp; why: string }[] = [
  { at: /^POST \/api\/auth\/register body password wider$/, why: 'passwords from 12 characters on (docs/wire.md 9)' },
  {
    at: /^(POST|PATCH) \/api\/(users|infra-billing\/\w+) body (expireAt|createdAt|lastTrafficResetAt|billedAt|nextBillingAt) narrower$/,
    why: 'offsets of 24 hours and more are no time; nothing can read them, so the reference fails with 500',
  },
  {
    at: /^POST \/api\/(nodes\/actions\/restart-all|users\/:uuid\/actions\/revoke) body {2}narrower$/,
    why: "the bodies null, false, 0 and '' stand for none there; the server turns an empty body and null into {} for every route",
  },
  {
    at: /^GET \/api\/sub\/outline\/:shortUuid\/:type\/:encodedTag params .* narrower$/,
    why: 'the published schema has the last two optional; as path segments they are always there',
  },
  {
    at: /^PATCH \/api\/subscription-settings body profileUpdateInterval narrower$/,
    why: 'refused below 1, which would break every typed reader of the settings (docs/wire.md 15)',
  },
  {
    at: /^PATCH \/api\/subscription-settings body customResponseHeaders\.key narrower$/,
    why: 'no header can carry a line break',
  },
  {
    at: /^POST \/api\/users\/bulk\/delete-by-status body ?(status)? narrower$/,
    why: 'an absent status would delete all active users; it must be named (docs/wire.md 13)',
  },
  {
    at: /^POST \/api\/internal-squads\/:uuid\/bulk-actions\/add-users body ((userIds|userUuids|uuids)(\.0)?)? ?narrower$/,
    why: 'programs that name users mean those; the reference ignores the body and adds every user (docs/wire.md 34)',
  },
  {
    at: /^(POST|PATCH) \/api\/(internal-squads|config-profiles) body name wider$/,
    why: 'names of 30 characters and with spaces since 2.1.19; the published contract is of an earlier release',
  },
  {
    at: /^(PATCH \/api\/hosts body disabledUntil|PUT \/api\/subscription-templates body reason|POST \/api\/auth\/oauth2\/callback body iss) narrower$/,
    why: 'additions of ours, which the published contract drops whatever they are',
  },
  { at: /^POST \/api\/users body hwidDeviceLimit wider$/, why: 'null is taken as absent (docs/wire.md 15)' },
  {
    at: /^POST \/api\/users\/bulk\/(all\/)?update body (fields\.)?hwidDeviceLimit narrower$/,
    why: 'a field of later releases (2.1.8), unknown to the published contract, which drops it',
  },
  {
    at: /^PATCH \/api\/config-profiles body (reason|followingHosts(\.0)?|renamed(\.0(\.(from|to))?)?) narrower$/,
    why: 'additions of ours (docs/wire.md 32), which the published contract drops whatever they are',
  },
  {
    at: /^PATCH \/api\/(users body \w*|infra-billing\/nodes body (uuid|nextBillingAt)) wider$/,
    why: 'the uuid is asked for by the handler, where neither a username (2.1.14) nor uuids (2.1.19) are there in its place',
  },
  {
    at: /^PATCH \/api\/(users body username|infra-billing\/nodes body uuids(\.0)?) narrower$/,
    why: 'since 2.1.14 and 2.1.19, unknown to the published contract, which drops them whatever they are',
  },
  {
    at: /^(POST|PATCH) \/api\/hosts body (shuffleHost|mihomoX25519|allowInsecure|nodes(\.0)?|tags(\.0)?|keepSniBlank|xrayJsonTemplateUuid|excludedInternalSquads(\.0)?|excludeFromSubscriptionTypes(\.0)?|finalMask|pinnedPeerCertSha256|verifyPeerCertByName|mihomoIpVersion|mapper.*) narrower$/,
    why: 'fields of later releases, unknown to the published contract, which drops them',
  },
  {
    at: /^PATCH \/api\/subscription-settings body (responseRules.*|reason|customRemarks.*|hwidSettings.*|(empty|hwid)\w+Remarks.*) narrower$/,
    why: 'since 2.2, or ours, unknown to the published contract, which drops them',
  },
  {
    at: /^(POST|PATCH) \/api\/nodes body (tags(\.0)?|note|ips.*|activePluginUuid) narrower$/,
    why: 'since 2.3 and later, unknown to the published contract, which drops them',
  },
  {
    at: /^(POST|PATCH) \/api\/hosts body (address|sni|host|path|port) narrower$/,
    why: 'a line break in one of them added an entry to everybody’s links; ports are those that exist',
  },
  {
    at: /^POST \/api\/users(\/:uuid\/actions\/revoke)? body shortUuid narrower$/,
    why: 'a key that needs encoding in an address leads elsewhere in half of the apps',
  },
  {
    at: /^POST \/api\/tokens body ?(tokenName)? wider$/,
    why: 'the handler asks for the name, which later generations send as name (docs/wire.md 38)',
  },
  {
    at: /^POST \/api\/tokens body (name|expiresInDays|scopes(\.0)?|generation|expiresAt|permissions(\.0)?|isShownOnce) (narrower|wider)$/,
    why: 'since 2.8, or ours, unknown to the published contract, which drops them whatever they are',
  },
  {
    at: /^GET \/api\/subscription-templates\/:templateType params ?(templateType)? wider$/,
    why: 'since 2.2 templates are also asked for by uuid',
  },
  {
    at: /^POST \/api\/users\/:uuid\/actions\/revoke body (shortUuid wider|revokeOnlyPasswords narrower)$/,
    why: 'up to 64 characters since 3.0; the other is since 2.5 and unknown to the published contract',
  },
  {
    at: /^(POST|PATCH) \/api\/users(\/bulk\/(all\/)?update)? body (fields\.)?externalSquadUuid narrower$/,
    why: 'since 2.2, unknown to the published contract, which drops it',
  },
  { at: /^POST \/api\/users body uuid narrower$/, why: 'a field of later releases (2.1.14), unknown to the published contract' },
]

/** Places where no value suits both sides are fixed in every sample, so that the rest of the part can be compared. */
export const fixedValues: Record<string, Record<string, unknown>> = {
  // Of later generations, which the published contract drops.
  'POST /api/hosts body': { mapper: {} },
  'PATCH /api/hosts body': { mapper: {} },
  'POST /api/nodes body': { ips: [] },
  'PATCH /api/nodes body': { ips: [] },
  'PATCH /api/subscription-settings body': { responseRules: null },
  // Published as text; sent by the reference, and published later, as an object of three passwords (docs/wire.md 15).
  'GET /api/sub/:shortUuid/raw response': { 'response.rawHosts.0.password': null },
  // Ours, which the published contract drops.
  'POST /api/tokens body': { permissions: null },
  // A name that both take, as ours may be longer.
  'POST /api/config-profiles body': { name: 'Name_1' },
  'PATCH /api/config-profiles body': { name: 'Name_1' },
  'POST /api/internal-squads body': { name: 'Name_1' },
  'PATCH /api/internal-squads body': { name: 'Name_1' },
}

/**
 * The only difference between contracts 2.1.23 and 2.1.25: fields that the later one requires of replies. They are written
 * down here because 2.1.25 could not be had from the registry that the tests install from; its routes are those of 2.1.23.
 */
export const laterRequired: Record<string, string[]> = {
  'GET /api/config-profiles/inbounds': ['response.inbounds.0.activeSquads'],
  'GET /api/config-profiles/:uuid/inbounds': ['response.inbounds.0.activeSquads'],
}

export const catalogueDifferences: Record<string, string> = {
  'N001 NODE_ERROR_WITH_MSG': 'the published message is empty, to be filled in',
  'N002 NODE_ERROR_500_WITH_MSG': 'the published message is empty, to be filled in',
  'A144 RESERVED_INTERNAL_SQUAD_NAME': 'names the product',
  'A145 RESERVED_CONFIG_PROFILE_NAME': 'names the product',
}
