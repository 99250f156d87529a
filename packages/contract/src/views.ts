import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { wireInstant, wireRecord, wireText, wireUuid } from './wire.ts'

// Lists with names. What a view shows is what stands in the address of its page: filters, order and page size as plain words.
// Own addition.

/** Pages whose lists can be kept under a name. */
export const viewPage = z.enum(['users'])
export type ViewPage = z.output<typeof viewPage>

export const VIEW_NAME_LENGTH = 60
/** Views of one page, so that all administrators find theirs among them. */
export const MOST_VIEWS = 100
const MOST_KEYS = 40
const KEY_LENGTH = 40
const VALUE_LENGTH = 500

const viewName = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(VIEW_NAME_LENGTH, `must have at most ${VIEW_NAME_LENGTH} characters`)

const viewSearch = wireRecord(
  z
    .string()
    .regex(/^[A-Za-z]+$/, 'may contain only letters')
    .max(KEY_LENGTH),
  wireText(VALUE_LENGTH).min(1),
  MOST_KEYS,
).describe('search keys of the page and their values, for example {"status":"ACTIVE","sort":"-expireAt"}')

export const savedView = z.object({
  uuid: wireUuid,
  page: viewPage,
  name: z.string(),
  search: z.record(z.string(), z.string()),
  createdAt: wireInstant,
  updatedAt: wireInstant,
})
export type SavedView = z.output<typeof savedView>

const tag = 'Views'
const byUuid = z.object({ uuid: wireUuid })

export const listViews = endpoint({
  name: 'listViews',
  title: 'Get Views',
  tag,
  access: 'views.read',
  method: 'GET',
  path: '/api/x/views',
  query: z.object({ page: viewPage }),
  response: z.object({ views: z.array(savedView) }),
})
export const createView = endpoint({
  name: 'createView',
  creates: true,
  title: 'Save View',
  tag,
  access: 'views.write',
  method: 'POST',
  path: '/api/x/views',
  body: z.object({ page: viewPage, name: viewName, search: viewSearch }),
  response: savedView,
  status: 201,
})
export const updateView = endpoint({
  name: 'updateView',
  title: 'Change View',
  tag,
  access: 'views.write',
  method: 'PATCH',
  path: '/api/x/views',
  body: z.object({ uuid: wireUuid, name: viewName.optional(), search: viewSearch.optional() }),
  response: savedView,
})
export const deleteView = endpoint({
  name: 'deleteView',
  title: 'Delete View',
  tag,
  access: 'views.write',
  method: 'DELETE',
  path: '/api/x/views/:uuid',
  params: byUuid,
  response: z.object({ isDeleted: z.boolean() }),
})
