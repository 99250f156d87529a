import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import type * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { readRelease, ROOT } from '../../lib/product.ts'
import { commitPage, packedTag } from './build.rules.ts'

const DASHBOARD_PAGE = path.join(ROOT, 'apps/dashboard/dist/index.html')

/** The running version: from the environment of an image, else from the release, else from the checkout and the built dashboard. */
export async function buildInfo({ config }: Pick<Ctx, 'config'>): Promise<api.Reply<typeof api.getBuild>> {
  const release = readRelease()
  const checkout = await readCheckout()
  const commitFull = config.BUILD_COMMIT ?? release?.commit ?? checkout.commit
  return {
    version: config.version,
    buildTime: config.BUILD_TIME ?? release?.committedAt ?? (await builtAt()),
    commitFull,
    commit: commitFull?.slice(0, 7) ?? null,
    tag: config.BUILD_TAG ?? checkout.tag,
    branch: config.BUILD_BRANCH ?? config.REMNAWAVE_BRANCH ?? checkout.branch,
    commitUrl: commitPage(config.REPOSITORY_URL, commitFull),
    links: {
      repository: config.REPOSITORY_URL,
      communityChat: config.COMMUNITY_CHAT_URL,
      supportChat: config.SUPPORT_CHAT_URL,
      donation: config.DONATION_URL,
    },
  }
}

async function readCheckout(): Promise<{ commit: string | null; branch: string | null; tag: string | null }> {
  const head = await readGit('HEAD')
  if (head === undefined) return { commit: null, branch: null, tag: null }
  const packed = (await readGit('packed-refs')) ?? ''
  const ref = /^ref: (.+)$/.exec(head)?.[1]
  const commit =
    ref === undefined
      ? head
      : ((await readGit(ref)) ??
        packed
          .split('\n')
          .find((line) => line.endsWith(` ${ref}`))
          ?.split(' ')[0])
  return {
    commit: commit ?? null,
    branch: ref?.replace('refs/heads/', '') ?? null,
    tag: commit ? packedTag(packed, commit) : null,
  }
}

async function readGit(file: string): Promise<string | undefined> {
  const content = await readFile(path.join(ROOT, '.git', file), 'utf8').catch(() => undefined) // an image has no checkout
  return content?.trim()
}

async function builtAt(): Promise<string | null> {
  const built = await stat(DASHBOARD_PAGE).catch(() => undefined) // a server without dashboard files
  return built?.mtime.toISOString() ?? null
}
