import * as api from '@causeway/contract'
import type { TestServer } from './server.ts'
import { UNKNOWN } from './users.ts'

// Snippets in the walk over what answers may name.

const content = { name: 'mark', snippet: [{ tag: 'MARK', protocol: 'freedom' }] }
let made = 0

export async function makeSnippets(server: TestServer): Promise<void> {
  for (const name of ['mark', 'spare']) await server.call(api.createSnippet, { ...content, name })
}

export const snippetInputs = {
  listSnippetRevisions: () => ({ uuid: UNKNOWN }),
  checkSnippet: () => content,
  createSnippet: () => ({ ...content, name: `new-${made++}` }),
  updateSnippet: () => content,
  deleteSnippet: () => ({ name: 'spare' }),
}
/** Not walked there, each for its reason. */
export const snippetsElsewhere = [
  api.getSnippetRevision, // the snippet itself
  api.getSnippet, // as listSnippets
  api.prepareSnippetRollout, // as prepareRollout
  api.startSnippetRollout, // as pauseRollout
]
