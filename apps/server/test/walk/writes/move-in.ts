import { mkdtempSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Writes } from '../declared.ts'
import { ADDED, NOW } from '../rows.ts'

const env = () => ({ DATA_DIR: mkdtempSync(path.join(os.tmpdir(), 'causeway-walk-')) })

export const moveInWrites = {
  // What an import brings is held against its source in features/move-in.
  runMoveIn: () => ({
    env: env(),
    input: { panel: 'remnawave', isDryRun: true, databaseUrl: 'postgres://127.0.0.1:9/none' },
    changes: {
      moveIn: {
        1: {
          panel: 'remnawave',
          source: '127.0.0.1:9/none',
          failure: 'The database of the source cannot be opened: connect ECONNREFUSED 127.0.0.1:9.',
        },
      },
      auditLog: { 'rehearseMoveIn remnawave': ADDED },
    },
  }),
  markMoveIn: () => ({
    input: { mark: 'stopped' },
    changes: {
      moveIn: { 1: { stoppedAt: NOW } },
      auditLog: { 'stopOldPanel moveIn': ADDED },
    },
  }),
  uploadMoveInFile: () => ({
    env: env(),
    input: { name: 'dump.sql', bytes: 3, offset: 0, content: 'YWJj' },
    changes: { auditLog: { 'uploadMoveInFile dump.sql': ADDED } },
  }),
  deleteMoveInFile: () => ({
    env: env(),
    input: {},
    changes: { auditLog: { 'deleteMoveInFile source': ADDED } },
  }),
} satisfies Writes
