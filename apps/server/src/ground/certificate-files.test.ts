import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCertificateFile } from './certificate-files.ts'

const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'
const KEY = '-----BEGIN EC PRIVATE KEY-----\nMIIB\n-----END EC PRIVATE KEY-----\n'
let root: string
let folder: string
beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'causeway-certificates-'))
  folder = path.join(root, 'ssl')
  await mkdir(path.join(folder, 'archive'), { recursive: true })
  await mkdir(path.join(folder, 'live'))
  await writeFile(path.join(folder, 'archive/cert1.pem'), CERTIFICATE)
  await writeFile(path.join(folder, 'key.pem'), KEY)
  await writeFile(path.join(folder, 'notes.txt'), 'no certificate')
  await symlink('../archive/cert1.pem', path.join(folder, 'live/cert.pem'))
  await writeFile(path.join(root, 'master.key'), KEY)
  await symlink('../master.key', path.join(folder, 'sneaky.pem'))
})
afterAll(() => rm(root, { recursive: true }))

test('certificates and keys in an allowed folder are read, also through links within it', async () => {
  expect(await readCertificateFile(path.join(folder, 'live/cert.pem'), ['/does/not/exist', folder])).toBe(CERTIFICATE)
  expect(await readCertificateFile(path.join(folder, 'key.pem'), [folder])).toBe(KEY)
})

test.each([
  ['outside the folders', () => path.join(root, 'master.key'), /CERTIFICATE_DIRS/],
  ['reached by dots', () => `${folder}/../master.key`, /CERTIFICATE_DIRS/],
  ['reached by a link out of the folder', () => path.join(folder, 'sneaky.pem'), /CERTIFICATE_DIRS/],
  ['that is something else', () => path.join(folder, 'notes.txt'), /PEM/],
  ['that does not exist', () => path.join(folder, 'gone.pem'), /ENOENT/],
])('a file %s is not read', async (_, file, reason) => {
  await expect(readCertificateFile(file(), [folder])).rejects.toThrow(reason)
})
