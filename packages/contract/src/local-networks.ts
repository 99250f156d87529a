import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { rollout } from './rollouts.ts'
import { wireUuid } from './wire.ts'

// Profiles whose subscribers reach the own networks of the nodes: loopback, private and link-local addresses. Own addition.

const tag = 'Config profiles'

const openProfile = z.object({ uuid: wireUuid, name: z.string() })
export type OpenProfile = z.output<typeof openProfile>

export const listOpenProfiles = endpoint({
  name: 'listOpenProfiles',
  title: 'Get Profiles With Open Local Networks',
  tag,
  access: 'profiles.read',
  method: 'GET',
  path: '/api/x/config-profiles/open-local-networks',
  response: z.object({ profiles: z.array(openProfile).describe('without those that a roll-out is changing') }),
})
/** Adds a first routing rule, by way of one node first. */
export const closeLocalNetworks = endpoint({
  name: 'closeLocalNetworks',
  title: 'Close Local Networks',
  tag,
  access: 'profiles.write',
  method: 'POST',
  path: '/api/x/config-profiles/:uuid/actions/close-local-networks',
  params: z.object({ uuid: wireUuid }),
  response: z.object({
    rollout: rollout.nullable().describe('null: no node of the profile is connected, so the profile was saved at once'),
  }),
})
