import { z } from 'zod'
import { logLines, nodeLog } from './agent-log.ts'
import { endpoint } from './endpoint.ts'
import { wireUuid } from './wire.ts'

export { LOG_LINES, NODE_LOGS, type LogLine, type NodeLog } from './agent-log.ts'

export const getNodeLog = endpoint({
  name: 'getNodeLog',
  title: 'Get Node Log',
  tag: 'Nodes Controller',
  access: 'nodes.read',
  method: 'GET',
  path: '/api/x/nodes/:uuid/log/:log',
  params: z.object({ uuid: wireUuid, log: nodeLog }),
  response: z.object({
    lines: logLines.describe('oldest first; without secrets, and without names and addresses of users and of where they go'),
    error: z.string().nullable().describe('why there are no lines'),
  }),
})
