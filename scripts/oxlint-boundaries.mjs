// The house's import rules for oxlint, over resolved paths (docs/decisions/007). Plain JavaScript, as oxlint loads it itself.
// Every rule is one row: its number and name, and when an import breaks it. boundaries.test.ts plants one import per row.
import { builtinModules } from 'node:module'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Doors of packages beside the front one, each for a program that must stay small. */
const SECOND_DOORS = new Set(['contract/agent'])

/** @typedef {{ from: string, to: { file?: string, own?: string, inside?: string, outside?: string }, isTest: boolean }} Import */

const root = path.resolve(import.meta.dirname, '..')

const PURE_PACKAGE = /^packages\/(contract|xray|subscription|import)\/src\//
const PACKAGES_BESIDE = { contract: [], xray: ['contract'], subscription: ['contract', 'xray'], import: ['contract', 'xray'] }
const SERVER_FEATURE = /^apps\/server\/src\/features\/([^/]+)\//
const DASHBOARD_FEATURE = /^apps\/dashboard\/src\/features\/([^/]+)\//
const SERVER_BASE = /^apps\/server\/src\/(db|postgres|archive|backup|http|lib|ground|jobs)\//
const SERVER_BEDROCK = /^apps\/server\/src\/(db|postgres|archive|backup|http|lib)\//
const SERVER_GROUND = /^apps\/server\/src\/(ground|jobs)\//
const DASHBOARD_BASE = /^apps\/dashboard\/src\/(api|ui|lib)\//
const RULES_FILE = /^apps\/[^/]+\/src\/.*\.rules\.ts$/
const SERVER_QUERIES = /^apps\/server\/src\/.*\.queries\.ts$/
const LENT_BY_SERVER = /\.(queries|rules|actions)\.ts$/
const LENT_BY_DASHBOARD = /(\/parts\/[^/]+|\.(queries|rules|route))\.tsx?$/
/** What a date says of itself by the zone of the process or of the browser. */
const OWN_ZONE =
  /^(get|set)(Date|Day|FullYear|Hours|Minutes|Month|Seconds|Year)$|^getTimezoneOffset$|^to(Date|Time|LocaleDate|LocaleTime)String$/
const PUBLISHED_CONTRACT = '@remnawave/backend-contract'

/**
 * `from` is a path in the repository; `to` one of { file }, { own, inside } (a workspace by name) or { outside } (npm, node).
 * @type {[number: number, name: string, isBroken: (of: Import) => boolean][]}
 */
const rooms = [
  [
    2,
    'apps stay apart',
    ({ from, to }) => {
      const home = /^(apps|packages)\/[^/]+\//.exec(from)?.[0]
      if (!home) return false // scripts, e2e and bench drive the apps
      if (to.own) return !PACKAGES.has(to.own)
      return to.file !== undefined && !to.file.startsWith(home) && !to.file.startsWith('packages/')
    },
  ],
  [
    3,
    'packages by their front door',
    ({ from, to }) => {
      if (to.inside) return !SECOND_DOORS.has(`${to.own}${to.inside}`)
      const home = /^packages\/[^/]+\//.exec(to.file ?? '')?.[0]
      return home !== undefined && !from.startsWith(home)
    },
  ],
  [
    4,
    'contract needs only zod',
    ({ from, to, isTest }) =>
      !isTest &&
      from.startsWith('packages/contract/src/') &&
      (to.own !== undefined || (to.outside !== undefined && to.outside !== 'zod')),
  ],
  [
    5,
    'pure packages touch no machine',
    ({ from, to, isTest }) => {
      const word = PURE_PACKAGE.exec(from)?.[1]
      if (!word || isTest) return false
      return isBuiltin(to.outside) || (to.own !== undefined && !PACKAGES_BESIDE[word].includes(to.own))
    },
  ],
  [
    7,
    'routes are read by app.ts',
    ({ from, to, isTest }) =>
      !isTest && /^apps\/server\/.*\.routes\.ts$/.test(to.file ?? '') && from !== 'apps/server/src/app.ts',
  ],
  [
    8,
    'jobs are read by schedule.ts and by their own feature, which asks for them',
    ({ from, to, isTest }) =>
      !isTest &&
      /^apps\/server\/.*\.jobs\.ts$/.test(to.file ?? '') &&
      from !== 'apps/server/src/schedule.ts' &&
      path.dirname(from) !== path.dirname(to.file),
  ],
  [
    9,
    'rules are pure',
    ({ from, to, isTest }) => {
      if (isTest || !RULES_FILE.test(from)) return false
      if (to.file) return !RULES_FILE.test(to.file) && !/^apps\/[^/]+\/src\/lib\//.test(to.file)
      return to.outside !== undefined && !/^(zod|dayjs)(\/|$)/.test(to.outside)
    },
  ],
  [
    10,
    'queries know only the database',
    ({ from, to, isTest }) => {
      if (isTest || !SERVER_QUERIES.test(from)) return false
      if (to.file) return !/^apps\/server\/src\/(db|lib)\//.test(to.file) && !/\.(queries|rules)\.ts$/.test(to.file)
      return to.outside !== undefined && !/^(kysely|pg|pg-copy-streams|mysql2|node:sqlite|node:stream)(\/|$)/.test(to.outside)
    },
  ],
  [
    11,
    'server features meet at queries, rules, actions',
    ({ from, to, isTest }) => !isTest && isOtherFeature(SERVER_FEATURE, from, to.file) && !LENT_BY_SERVER.test(to.file),
  ],
  [
    12,
    'server base knows no feature, and its lower rooms not those above them',
    ({ from, to, isTest }) =>
      !isTest &&
      ((SERVER_BASE.test(from) && SERVER_FEATURE.test(to.file ?? '')) ||
        (SERVER_BEDROCK.test(from) && SERVER_GROUND.test(to.file ?? ''))),
  ],
  [
    13,
    'pages are read by routes.tsx, sign-in.tsx and route files',
    ({ from, to, isTest }) =>
      !isTest &&
      /^apps\/dashboard\/.*-page\.tsx$/.test(to.file ?? '') &&
      !['apps/dashboard/src/routes.tsx', 'apps/dashboard/src/sign-in.tsx'].includes(from) &&
      !from.endsWith('.route.ts'),
  ],
  [
    14,
    'dashboard features meet at parts, queries, rules',
    ({ from, to, isTest }) =>
      !isTest &&
      (isOtherFeature(DASHBOARD_FEATURE, from, to.file) ||
        (from.startsWith('apps/dashboard/src/shell/') && DASHBOARD_FEATURE.test(to.file ?? ''))) &&
      !LENT_BY_DASHBOARD.test(to.file),
  ],
  [
    15,
    'dashboard base knows no feature',
    ({ from, to, isTest }) =>
      !isTest && DASHBOARD_BASE.test(from) && /^apps\/dashboard\/src\/(features|shell)\//.test(to.file ?? ''),
  ],
  [
    16,
    'ui and lib make no calls',
    ({ from, to, isTest }) =>
      !isTest &&
      /^apps\/dashboard\/src\/(ui|lib)\//.test(from) &&
      (to.file?.startsWith('apps/dashboard/src/api/') || to.outside === '@tanstack/react-query'),
  ],
  [
    17,
    'the published contract stays in packages/wire-conformance',
    ({ from, to }) => (to.outside ?? '').startsWith(PUBLISHED_CONTRACT) && !from.startsWith('packages/wire-conformance/'),
  ],
]

const PACKAGES = new Set(Object.keys(PACKAGES_BESIDE))

const roomsRule = {
  create(context) {
    const from = inRepository(context.filename)
    const isTest = /\.test\.tsx?$/.test(from) || /^apps\/[^/]+\/test\//.test(from)
    const checkImport = (node, source) => {
      if (typeof source?.value !== 'string') return
      const to = target(context.filename, source.value)
      for (const [number, name, isBroken] of rooms)
        if (isBroken({ from, to, isTest }))
          context.report({ node, message: `Rule ${number}, ${name}: ${from} may not import ${source.value}` })
      const circle = isTest ? undefined : featureCircle(from, to.file)
      if (circle)
        context.report({ node, message: `Rule 18, no circles between server features: ${from} closes ${circle.join(' > ')}` })
    }
    const isPure = PURE_PACKAGE.test(from) && !isTest
    // Days are those of the installation (docs/decisions/030), wherever the process stands.
    const isZoneless = isPure || (from.startsWith('apps/server/src/') && !isTest)
    const isStatementless =
      from.startsWith('apps/server/src/') && !isTest && !SERVER_QUERIES.test(from) && !from.startsWith('apps/server/src/db/')
    const isMute = /^apps\/dashboard\/src\/(ui|lib)\//.test(from) && !isTest
    const report = (node, number, what) => context.report({ node, message: `Rule ${number}: ${from} may not use ${what}` })
    return {
      Program(node) {
        if (/^apps\/.*\/index\.tsx?$/.test(from)) report(node, 6, 'the name of a barrel: no barrels inside apps')
      },
      ImportDeclaration(node) {
        checkImport(node, node.source)
        const isSql = ({ imported, importKind }) => imported?.name === 'sql' && importKind !== 'type'
        if (node.source.value === 'kysely' && isStatementless && node.specifiers.some(isSql))
          report(node, 21, 'sql templates: statements stand in .queries.ts')
      },
      ExportNamedDeclaration: (node) => checkImport(node, node.source),
      ExportAllDeclaration: (node) => checkImport(node, node.source),
      ImportExpression: (node) => checkImport(node, node.source),
      TSImportType: (node) => checkImport(node, node.source ?? node.argument?.literal ?? node.argument),
      MemberExpression(node) {
        const name = `${node.object?.name}.${node.property?.name}`
        if (isPure && (name === 'Date.now' || name === 'Math.random' || /^(process|crypto|performance)\./.test(name)))
          report(node, 5, name)
        if (isZoneless && OWN_ZONE.test(node.property?.name ?? node.property?.value ?? ''))
          report(node, 19, `the zone of the process: ${node.property.name ?? node.property.value}()`)
      },
      NewExpression(node) {
        if (node.callee?.name === 'Date' && isPure && node.arguments.length === 0) report(node, 5, 'the clock')
        if (node.callee?.name === 'Date' && isZoneless && node.arguments.length > 1)
          report(node, 19, 'the zone of the process: new Date(year, month, ...)')
      },
      CallExpression(node) {
        if (isPure && node.callee?.name === 'Date') report(node, 5, 'the clock')
        if (node.callee?.name !== 'fetch') return
        if (isPure) report(node, 5, 'the network')
        if (isMute) report(node, 16, 'the network')
      },
    }
  },
}

/** A folder with more files than these has several subjects. Of the contract each file is a word, and all are read as one list. */
const MOST_FILES = 24
const LISTS_OF_WORDS = new Set(['packages/contract/src'])

const roomSizeRule = {
  create(context) {
    const from = inRepository(context.filename)
    const folder = path.posix.dirname(from)
    if (!/^(apps|packages)\/[^/]+\/src(\/|$)/.test(from) || LISTS_OF_WORDS.has(folder)) return {}
    return {
      Program(node) {
        const files = sourcesOf(folder)
        // Told once for the folder, not with each of its files.
        if (files.length > MOST_FILES && files[0] === path.basename(from))
          context.report({
            node,
            message: `Rule 20, rooms stay small: ${folder} has ${files.length} files, at most ${MOST_FILES} may lie flat`,
          })
      },
    }
  },
}

const sourcesOf = (folder) =>
  readdirSync(path.join(root, folder))
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .toSorted()

const fileNamesRule = {
  create(context) {
    const name = path.basename(context.filename)
    return {
      Program(node) {
        if (!/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*\.(ts|tsx|mts|js|mjs)$/.test(name))
          context.report({ node, message: `File names are kebab-case: ${name}` })
      },
    }
  },
}

/** Linter and browser tests read the default export of these. */
const READ_BY_TOOLS = new Set(['scripts/oxlint-boundaries.mjs', 'e2e/stage/global-setup.ts', 'e2e/systems/global-setup.ts'])

const defaultExportsRule = {
  create(context) {
    const from = inRepository(context.filename)
    const isAllowed = /^apps\/dashboard\/src\/.*-page\.tsx$/.test(from) || from.endsWith('.config.ts') || READ_BY_TOOLS.has(from)
    const report = (node) =>
      !isAllowed &&
      context.report({ node, message: 'Named exports only: default exports are for pages and the configuration of tools' })
    return {
      ExportDefaultDeclaration: report,
      ExportSpecifier: (node) => node.exported?.name === 'default' && report(node),
    }
  },
}

const WIRE_PRIMITIVES = new Set(['uuid', 'int', 'iso', 'email'])

/** zod's own primitives differ from the wire's (versions of uuid, 2^53 bounds, offsets): contract/src/wire.ts alone defines them. */
const wirePrimitivesRule = {
  create(context) {
    if (inRepository(context.filename) === 'packages/contract/src/wire.ts') return {}
    return {
      MemberExpression(node) {
        if (node.object?.name === 'z' && WIRE_PRIMITIVES.has(node.property?.name))
          context.report({
            node,
            message: `z.${node.property.name} differs from the wire: use the primitive of packages/contract/src/wire.ts`,
          })
      },
    }
  },
}

export default {
  meta: { name: 'boundaries' },
  rules: {
    rooms: roomsRule,
    'file-names': fileNamesRule,
    'room-size': roomSizeRule,
    'default-exports': defaultExportsRule,
    'wire-primitives': wirePrimitivesRule,
  },
}

function target(filename, specifier) {
  if (specifier.startsWith('.')) return { file: inRepository(path.resolve(path.dirname(filename), specifier)) }
  if (path.isAbsolute(specifier)) return { file: inRepository(specifier) }
  const own = /^@causeway\/([^/]+)(\/.+)?$/.exec(specifier)
  return own ? { own: own[1], inside: own[2] } : { outside: specifier }
}

/** Which server feature imports which, read from the files once per run of the linter. */
let arrows
function readArrows() {
  if (arrows) return arrows
  arrows = new Map()
  const features = path.join(root, 'apps/server/src/features')
  for (const entry of readdirSync(features, { recursive: true })) {
    const file = `apps/server/src/features/${entry.split(path.sep).join('/')}`
    if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue
    for (const [, specifier] of readFileSync(path.join(root, file), 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
      const to = target(path.join(root, file), specifier).file
      if (!isOtherFeature(SERVER_FEATURE, file, to)) continue
      const [home, away] = [SERVER_FEATURE.exec(file)[1], SERVER_FEATURE.exec(to)[1]]
      arrows.set(home, (arrows.get(home) ?? new Set()).add(away))
    }
  }
  return arrows
}

/** The way by which the imported feature leads back to the importing one, if there is one. */
function featureCircle(from, file) {
  if (!isOtherFeature(SERVER_FEATURE, from, file)) return undefined
  const [home, away] = [SERVER_FEATURE.exec(from)[1], SERVER_FEATURE.exec(file)[1]]
  const seen = new Set([away])
  const ways = [[home, away]]
  for (const way of ways) {
    if (way.at(-1) === home) return way
    for (const next of readArrows().get(way.at(-1)) ?? []) {
      if (next === home) return [...way, home]
      if (seen.has(next)) continue
      seen.add(next)
      ways.push([...way, next])
    }
  }
  return undefined
}

function isOtherFeature(feature, from, file) {
  const [home, away] = [feature.exec(from)?.[1], feature.exec(file ?? '')?.[1]]
  return home !== undefined && away !== undefined && home !== away
}

function isBuiltin(specifier) {
  return specifier !== undefined && (specifier.startsWith('node:') || builtinModules.includes(specifier))
}

function inRepository(file) {
  return path.relative(root, file).split(path.sep).join('/')
}
