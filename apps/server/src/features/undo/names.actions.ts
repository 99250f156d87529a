import {
  createConfigProfile,
  createExternalSquad,
  createInfraProvider,
  createInternalSquad,
  createNode,
  createNodePlugin,
  createSharedList,
  createPageConfig,
  createUser,
  createView,
  wireText,
} from '@causeway/contract'
import type { z } from 'zod'
import { refuseField } from '../../http/errors.ts'

/** The shape that names have when they are given in the ordinary way, by table and column. */
const SHAPES: Readonly<Record<string, z.ZodType>> = {
  'users.username': createUser.body.shape.username,
  'nodes.name': createNode.body.shape.name,
  'nodes.address': createNode.body.shape.address,
  'internalSquads.name': createInternalSquad.body.shape.name,
  'externalSquads.name': createExternalSquad.body.shape.name,
  'subscriptionPageConfigs.name': createPageConfig.body.shape.name,
  'configProfiles.name': createConfigProfile.body.shape.name,
  'configProfileInbounds.tag': wireText(255).min(1, 'must not be empty'),
  'infraProviders.name': createInfraProvider.body.shape.name,
  'nodePlugins.name': createNodePlugin.body.shape.name,
  'sharedLists.name': createSharedList.body.shape.name,
  'savedViews.name': createView.body.shape.name,
}

/** Refuses names for restored things that could not be given to new ones. Their ids are `table:key:column`. */
export function checkNames(names: readonly { id: string; value: string }[]): void {
  for (const [index, { id, value }] of names.entries()) {
    const [table = '', , column = ''] = id.split(':')
    const problem = SHAPES[`${table}.${column}`]?.safeParse(value).error?.issues[0]
    if (problem) refuseField(`names.${index}.value`, problem.message)
  }
}
