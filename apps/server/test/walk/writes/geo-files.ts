import { expect } from 'vitest'
import type { Writes } from '../declared.ts'
import type { TestServer } from '../../server.ts'
import { geositeFile } from '../../geo.ts'
import { ADDED, DELETED, NOW, SOME_TEXT, added } from '../rows.ts'

const content = geositeFile('ADS')

const NAMES = ['own.dat', 'other.dat', 'third.dat', 'gone.dat']

/** Some that stay, and some that are arriving. */
async function insertOthers({ ctx: { db } }: TestServer): Promise<void> {
  const row = {
    kind: 'geosite' as const,
    bytes: content.length,
    digest: 'a',
    lists: ['ADS'],
    content,
    revision: 4,
    uploadedBy: 'ann',
  }
  const [uploadedAt, receivedAt] = [new Date('2026-03-01T00:00:00Z'), new Date('2099-01-01T00:00:00Z')]
  await db
    .insertInto('geoFiles')
    .values(NAMES.map((name) => ({ name, ...row, uploadedAt })))
    .execute()
  await db
    .insertInto('geoFilePieces')
    .values(NAMES.map((name) => ({ name: `late-${name}`, offset: 0, content, receivedAt })))
    .execute()
}

export const geoFileWrites = {
  uploadGeoFile: () => ({
    before: insertOthers,
    input: { name: 'geosite.dat', bytes: content.length, offset: 0, content: content.toString('base64') },
    changes: {
      geoFiles: {
        'geosite.dat': added({
          kind: 'geosite',
          bytes: content.length,
          digest: SOME_TEXT,
          lists: ['ADS'],
          content: expect.anything(),
          revision: 1,
          uploadedAt: NOW,
          uploadedBy: 'admin',
        }),
      },
      auditLog: { 'uploadGeoFile geosite.dat': ADDED },
    },
  }),
  deleteGeoFile: () => ({
    before: insertOthers,
    input: { name: 'gone.dat' },
    changes: { geoFiles: { 'gone.dat': DELETED }, auditLog: { 'deleteGeoFile gone.dat': ADDED } },
  }),
} satisfies Writes
