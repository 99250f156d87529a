import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { wireInstant, wireInt } from './wire.ts'

// Lists of addresses and domains for rules of nodes. They are kept here, and reach nodes as an update of them. Own addition.

/** Real ones have at most some 30 MB. */
export const MOST_GEO_FILE_BYTES = 64_000_000
/** Two of the usual names, and as many of a service's own. */
export const MOST_GEO_FILES = 8
/** Bytes of a file that a caller sends in one request. */
export const GEO_PIECE_BYTES = 2_000_000
const MAX_PIECE_CHARACTERS = 2_800_000

const geoFileName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,58}\.dat$/, 'must be a file name of letters, digits, dots and dashes with the ending dat')

const geoFiles = z.object({
  version: z.string().nullable().describe('of all of them together, which nodes are updated to; null without files'),
  files: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(['geoip', 'geosite']).describe('geoip: lists of addresses; geosite: lists of domains'),
      bytes: z.number(),
      lists: z.number().describe('how many lists it holds'),
      digest: z.string().describe('SHA-256'),
      revision: z.number().describe('grows with each upload of a file of this name'),
      uploadedAt: wireInstant,
      uploadedBy: z.string().nullable(),
    }),
  ),
  missing: z
    .array(
      z.object({
        file: z.string(),
        list: z.string(),
        profiles: z.array(z.string()).describe('names of profiles with a rule that names it'),
      }),
    )
    .describe('lists that profiles name and these files lack: nodes of those profiles refuse them'),
})
export type GeoFiles = z.output<typeof geoFiles>

const tag = 'Nodes'
const named = z.object({ name: geoFileName })

export const getGeoFiles = endpoint({
  name: 'getGeoFiles',
  title: 'Get Geo Files',
  tag,
  access: 'nodes.read',
  method: 'GET',
  path: '/api/x/geo-files',
  response: geoFiles,
})

/** Sends a file in pieces, each where the last one ended. With the last one it is checked and replaces the one before. */
export const uploadGeoFile = endpoint({
  name: 'uploadGeoFile',
  title: 'Upload Geo File',
  tag,
  access: 'nodes.write',
  method: 'PUT',
  path: '/api/x/geo-files/:name',
  params: named,
  body: z.object({
    bytes: wireInt.min(1, 'must not be empty').max(MOST_GEO_FILE_BYTES, 'must be at most 64 MB').describe('of the whole file'),
    offset: wireInt.min(0),
    content: z.base64().max(MAX_PIECE_CHARACTERS),
  }),
  bodyMegabytes: 4,
  response: z.object({ receivedBytes: z.number() }),
})

export const deleteGeoFile = endpoint({
  name: 'deleteGeoFile',
  title: 'Delete Geo File',
  tag,
  access: 'nodes.write',
  method: 'DELETE',
  path: '/api/x/geo-files/:name',
  params: named,
  response: z.object({ isDeleted: z.boolean() }),
})
