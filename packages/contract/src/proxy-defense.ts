import { z } from 'zod'
import { endpoint } from './endpoint.ts'

export const getMusic = endpoint({
  name: 'getMusic',
  title: 'Get Music Settings',
  tag: 'System',
  access: 'system.read',
  method: 'GET',
  path: '/api/x/music',
  response: z.object({
    playlistUrl: z.string().nullable().describe('null: no playlist is configured, and the browser makes its own music'),
    serviceUrl: z.string().describe('a music streaming service, where there is more'),
  }),
})
