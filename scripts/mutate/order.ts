import path from 'node:path'

// Which tests may notice a broken file, those that stand nearest first. Read from the imports of all files: asking vitest
// reads the whole suite for each question.

/** Of a repository: what each file imports, and the tests that reach a file. */
export interface Order {
  /** In the order in which they are worth running. */
  testsOf(file: string): { test: string; isNear: boolean }[]
}

const TEST = /\.test\.tsx?$/
/** Also what is started by its name, in a process of its own. */
const IMPORTED = /(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'|'([^'\s]+\.tsx?)'/g
const PACKAGE = /^@causeway\/(contract|xray|subscription)$/
/** Others begin processes, agents or cores of their own. */
const QUICK = /\.(routes|rules|queries|browser)\.test\.tsx?$|^packages\/|^apps\/dashboard\//
/** Take a minute and more. */
const LONG = /\/(fleet-chaos|killed|killed-rollouts|worker|containers|disk-room|folder-lock|embedded-postgres)\.test\.ts$/
/** Imports away from a test that stands elsewhere. */
const NEAR_IMPORTS = 2
/** Beside the file stands its whole feature in the dashboard, whose screens are split into folders, and its whole package. */
const BESIDE = /^apps\/dashboard\/src\/(features\/)?[^/]+\/|^packages\/[^/]+\/src\/|^apps\/agent\/src\//

export function orderOf(files: readonly { file: string; text: string }[]): Order {
  const known = new Set(files.map(({ file }) => file))
  const importers = new Map<string, string[]>()
  for (const { file, text } of files)
    for (const [, imports, names] of text.matchAll(IMPORTED)) {
      const imported = resolve(file, imports ?? names ?? '', known)
      if (imported !== undefined) importers.set(imported, [...(importers.get(imported) ?? []), file])
    }
  return {
    testsOf: (file) => {
      const place = BESIDE.exec(file)?.[0] ?? `${path.dirname(file)}/`
      return Array.from(distances(file, importers))
        .filter(([test]) => TEST.test(test))
        .map(([test, imports]) => ({
          test,
          isNear: test.startsWith(place) || imports <= NEAR_IMPORTS,
          rank: [
            test.startsWith(place) ? 0 : 1,
            QUICK.test(test) ? 0 : LONG.test(test) ? 2 : 1,
            isNamesake(file, test) ? 0 : 1,
            imports,
            -sharedFolders(file, test),
          ],
        }))
        .toSorted((one, other) => compare(one.rank, other.rank))
        .map(({ test, isNear }) => ({ test, isNear }))
    },
  }
}

function resolve(from: string, name: string, known: ReadonlySet<string>): string | undefined {
  const own = PACKAGE.exec(name)
  if (own) return `packages/${own[1]}/src/index.ts`
  const whole = name.replace(/\?.*$/, '')
  return [path.posix.join(path.posix.dirname(from), whole), whole].find((each) => known.has(each))
}

function distances(file: string, importers: ReadonlyMap<string, string[]>): Map<string, number> {
  const found = new Map([[file, 0]])
  for (const [each, imports] of found)
    for (const importer of importers.get(each) ?? []) if (!found.has(importer)) found.set(importer, imports + 1)
  return found
}

/** `hosts.queries.ts` and `hosts.routes.test.ts`. */
function isNamesake(file: string, test: string): boolean {
  return path.basename(file).split('.')[0] === path.basename(test).split('.')[0]
}

function sharedFolders(one: string, other: string): number {
  const others = other.split('/')
  const apart = one.split('/').findIndex((part, index) => part !== others[index])
  return apart
}

function compare(one: readonly number[], other: readonly number[]): number {
  for (const [index, value] of one.entries()) {
    const difference = value - (other[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
