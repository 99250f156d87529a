import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { tagName, wireList, wireUuid } from './wire.ts'

// Tags of squads, profiles and templates, since 3.4: for programs to group them by. Nothing here goes by them.

const MOST_TAGS = 100
const entry = tagName(36)
/** Tags of a host or a node. */
export const MOST_OWN_TAGS = 10
export const ownTags = wireList(entry, MOST_OWN_TAGS)
const body = z.object({ uuid: wireUuid, tags: wireList(entry, MOST_TAGS).optional() })
const all = z.object({ tags: z.array(z.string()) })
const own = z.object({ uuid: wireUuid, tags: z.array(z.string()) })
const later = { since: '3.4', tag: 'Tags' } as const

export const listInternalSquadTags = endpoint({
  ...later,
  name: 'listInternalSquadTags',
  title: 'Get Tags of Internal Squads',
  access: 'squads.read',
  method: 'GET',
  path: '/api/internal-squads/tags',
  response: all,
})
export const setInternalSquadTags = endpoint({
  ...later,
  name: 'setInternalSquadTags',
  title: 'Set Tags of Internal Squad',
  access: 'squads.write',
  method: 'PATCH',
  path: '/api/internal-squads/tags',
  body,
  response: own,
})
export const listNodeTags = endpoint({
  name: 'listNodeTags',
  title: 'Get Tags of Nodes',
  since: '2.3',
  tag: 'Tags',
  access: 'nodes.read',
  method: 'GET',
  path: '/api/nodes/tags',
  response: all,
})
export const listConfigProfileTags = endpoint({
  ...later,
  name: 'listConfigProfileTags',
  title: 'Get Tags of Config Profiles',
  access: 'profiles.read',
  method: 'GET',
  path: '/api/config-profiles/tags',
  response: all,
})
export const setConfigProfileTags = endpoint({
  ...later,
  name: 'setConfigProfileTags',
  title: 'Set Tags of Config Profile',
  access: 'profiles.write',
  method: 'PATCH',
  path: '/api/config-profiles/tags',
  body,
  response: own,
})
export const listTemplateTags = endpoint({
  ...later,
  name: 'listTemplateTags',
  title: 'Get Tags of Subscription Templates',
  access: 'settings.read',
  method: 'GET',
  path: '/api/subscription-templates/tags',
  response: all,
})
export const setTemplateTags = endpoint({
  ...later,
  name: 'setTemplateTags',
  title: 'Set Tags of Subscription Template',
  access: 'settings.write',
  method: 'PATCH',
  path: '/api/subscription-templates/tags',
  body,
  response: own,
})

export const listExternalSquadTags = endpoint({
  ...later,
  name: 'listExternalSquadTags',
  title: 'Get Tags of External Squads',
  access: 'squads.read',
  method: 'GET',
  path: '/api/external-squads/tags',
  response: all,
})
export const setExternalSquadTags = endpoint({
  ...later,
  name: 'setExternalSquadTags',
  title: 'Set Tags of External Squad',
  access: 'squads.write',
  method: 'PATCH',
  path: '/api/external-squads/tags',
  body,
  response: own,
})
export const listPageConfigTags = endpoint({
  ...later,
  name: 'listPageConfigTags',
  title: 'Get Tags of Subscription Page Configs',
  access: 'settings.read',
  method: 'GET',
  path: '/api/subscription-page-configs/tags',
  response: all,
})
export const setPageConfigTags = endpoint({
  ...later,
  name: 'setPageConfigTags',
  title: 'Set Tags of Subscription Page Config',
  access: 'settings.write',
  method: 'PATCH',
  path: '/api/subscription-page-configs/tags',
  body,
  response: own,
})
