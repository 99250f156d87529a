import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { getNode, getNodePublicKey, listNodesRealtimeUsage } from '@causeway/contract'
import { expect, it } from 'vitest'
import { nodesQuery, nodeQuery, publicKeyQuery, realtimeUsageQuery } from '../features/nodes/nodes.queries.ts'
import { createQueryClient } from './query-client.ts'

const { queries, mutations } = createQueryClient().getDefaultOptions()

it('CALL-014 CALL-015 CALL-016 CALL-017 CALL-018 what holds for every query that says nothing else', () => {
  expect(queries).toMatchObject({
    staleTime: 60_000,
    gcTime: 120_000,
    retry: false,
    refetchOnWindowFocus: true,
    refetchInterval: false,
  })
  expect(mutations?.retry).toBe(false)
})

it('no read or write waits for a network: one setting says so for all, and none has its own', () => {
  expect(queries).toMatchObject({ networkMode: 'always', refetchOnReconnect: true })
  expect(mutations).toMatchObject({ networkMode: 'always' })
  const root = path.resolve(import.meta.dirname, '..')
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => /(?<!\.test)\.tsx?$/.test(name))
  const setting = sources.filter((name) => readFileSync(path.join(root, name), 'utf8').includes('networkMode'))
  expect(setting).toEqual(['api/query-client.ts'])
})

it('NODE-079 NODE-090 NODE-091 the node reads have their times', () => {
  expect(nodeQuery('x')).toMatchObject({ queryKey: [getNode.name, { uuid: 'x' }], staleTime: 5000, refetchInterval: 5000 })
  expect(publicKeyQuery()).toMatchObject({ queryKey: [getNodePublicKey.name, {}], staleTime: 5000 })
  expect(realtimeUsageQuery()).toMatchObject({
    queryKey: [listNodesRealtimeUsage.name, {}],
    staleTime: 5000,
    refetchInterval: 5000,
  })
})

it('the node list is not polled while it is held', () => {
  expect(nodesQuery(false).refetchInterval).toBe(false)
})
