import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { removeSockets } from './sockets.ts'

it('removes sockets that a pattern names, and neither files nor other sockets', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'causeway-'))
  const [stale, other] = [net.createServer(), net.createServer()]
  const files = ['xray-1.sock', 'xray-2.sock', 'other.sock'].map((name) => path.join(folder, name))
  try {
    await new Promise<void>((resolve) => stale.listen(files[0], resolve))
    writeFileSync(path.join(folder, 'xray-2.sock'), '')
    await new Promise<void>((resolve) => other.listen(files[2], resolve))
    removeSockets([path.join(folder, 'xray-*.sock')])
    expect(files.map((file) => existsSync(file))).toEqual([false, true, true])
  } finally {
    stale.close()
    other.close()
    rmSync(folder, { recursive: true })
  }
})
