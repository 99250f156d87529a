import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from './open-store.ts'
import { streamOf, type Target } from './store.ts'
import { tryStore } from './try-store.ts'

// Stores that fail; real ones are asked in e2e/systems/stores.e2e.ts.

type Reply = { status: number; body?: string; headers?: Record<string, string> }

/** A store that keeps objects, but for what `fault` answers itself. */
async function fakeStore(fault: (method: string, url: string) => Reply | undefined): Promise<Target> {
  const objects = new Map<string, Buffer>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const [method, url] = [request.method ?? '', request.url ?? '']
      const { pathname, searchParams } = new URL(url, 'http://store')
      const send = ({ status, body = '', headers = {} }: Reply) => response.writeHead(status, headers).end(body)
      const answer = fault(method, url)
      if (answer) return send(answer)
      if (searchParams.has('uploads')) return send({ status: 200, body: '<ListMultipartUploadsResult/>' })
      if (searchParams.has('list-type')) return send({ status: 200, body: listing([...objects]) })
      if (method === 'DELETE') return (objects.delete(pathname), send({ status: 204 }))
      if (method === 'PUT') objects.set(pathname, Buffer.concat(chunks))
      const held = objects.get(pathname)
      if (!held) return send({ status: 404, body: errorBody('NoSuchKey') })
      const headers = { etag: `"${createHash('md5').update(held).digest('hex')}"`, 'last-modified': new Date(0).toUTCString() }
      response.writeHead(200, { ...headers, 'content-length': method === 'PUT' ? 0 : held.length })
      response.end(method === 'GET' ? held : undefined)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const endpoint = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  const keys = { accessKeyId: 'id', secretAccessKey: 'secret' }
  return {
    id: 's3',
    kind: 's3',
    endpoint,
    region: 'r',
    bucket: 'bucket',
    prefix: 'p',
    isPathStyle: true,
    authority: null,
    ...keys,
  }
}

function listing(objects: [string, Buffer][]): string {
  const contents = objects.map(
    ([key, { length }]) =>
      `<Contents><Key>${key.slice('/bucket/'.length)}</Key><Size>${length}</Size><ETag>x</ETag><LastModified>2026-01-01T00:00:00Z</LastModified></Contents>`,
  )
  return `<ListBucketResult><Name>bucket</Name><IsTruncated>false</IsTruncated>${contents.join('')}</ListBucketResult>`
}

const errorBody = (code: string) => `<Error><Code>${code}</Code><Message>no</Message></Error>`

async function outcome(target: Target, allowed: string[] = ['127.0.0.1']): Promise<string> {
  return tryStore(openStore(target, allowed)).then(
    () => 'works',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
}

test('BACK-002 a store and a folder that work are found to', async () => {
  expect(await outcome(await fakeStore(() => undefined))).toBe('works')
  const folder = mkdtempSync(path.join(os.tmpdir(), 'causeway-target-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(path.join(folder, 'of another'), '')
  expect(await outcome({ id: 'folder', kind: 'folder', path: folder })).toBe('works')
  expect(readdirSync(folder)).toEqual(['of another'])
})

const onPut = (code: string, status: number) => (method: string) =>
  method === 'PUT' ? { status, body: errorBody(code) } : undefined

test.each([
  ['is full', onPut('InsufficientStorage', 507), / is full\. Make room there/],
  ['has another clock', onPut('RequestTimeTooSkewed', 403), /^The clock of this server is not the one of http:/],
  ['does not know the key', onPut('InvalidAccessKeyId', 403), / does not know the access key\.$/],
  ['has another secret', onPut('SignatureDoesNotMatch', 403), /^The secret access key is not the one/],
  ['allows nothing', onPut('AccessDenied', 403), /^The access key may not do this/],
  ['has no such bucket', onPut('NoSuchBucket', 404), /^There is no bucket at /],
  ['is in another region', onPut('AuthorizationHeaderMalformed', 400), / is in another region\./],
  ['fails in its own way', onPut('Teapot', 418), / refused with 418 Teapot: no$/],
  [
    'keeps other bytes',
    (method: string, url: string) =>
      method === 'HEAD' && url.includes('causeway-try')
        ? { status: 200, headers: { 'content-length': '7', etag: '"x"', 'last-modified': new Date(0).toUTCString() } }
        : undefined,
    /^What the store keeps is not what was written/,
  ],
  [
    'shows what it does not list',
    (_: string, url: string) => (url.includes('list-type') ? { status: 200, body: listing([]) } : undefined),
    / does not list a file that was just written there\.$/,
  ],
])('BACK-011 a store that %s is told of in a sentence', async (_, fault, sentence) => {
  expect(await outcome(await fakeStore(fault))).toMatch(sentence)
})

test('BACK-011 a store that is away, or in a network that is not for this server, is told of', async () => {
  const target = await fakeStore(() => undefined)
  expect(await outcome(target, [])).toMatch(/^127\.0\.0\.1:\d+ cannot be reached: 127\.0\.0\.1 lies in a private network/)
  const away: Target = { ...target, endpoint: 'http://127.0.0.1:9' } as Target // of the same kind
  expect(await outcome(away)).toMatch(/^127\.0\.0\.1:9 cannot be reached: /)
  expect(await outcome({ id: 'folder', kind: 'folder', path: '/no/where' })).toBe(
    'There is no folder /no/where. Make it, or mount the disk it is on.',
  )
})

test('BACK-011 a write whose source breaks off leaves nothing at the store', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'causeway-target-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const target of [await fakeStore(() => undefined), { id: 'folder', kind: 'folder', path: folder } as const]) {
    const store = openStore(target, ['127.0.0.1'])
    await store.write('kept', streamOf('kept'), 4)
    const broken = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(9)),
      pull: (controller) => controller.error(new Error('tar failed: no such file')),
    })
    await expect(store.write('causeway-cut', broken, 9)).rejects.toThrow('tar failed')
    expect((await store.list()).map(({ name }) => name)).toEqual(['kept'])
  }
})
