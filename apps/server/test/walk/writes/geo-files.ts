import { expect } from 'vitest'
import type { Writes } from '../declared.ts'
import { geositeFile } from '../../geo.ts'
import { ADDED, DELETED, NOW, SOME_TEXT, added } from '../rows.ts'

const content = geositeFile('ADS')

export const geoFileWrites = {
  uploadGeoFile: () => ({
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
    input: { name: 'gone.dat' },
    changes: { geoFiles: { 'gone.dat': DELETED }, auditLog: { 'deleteGeoFile gone.dat': ADDED } },
  }),
} satisfies Writes
