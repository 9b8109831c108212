// Holds who may import whom, that imports of files, of rooms and of packages make no circle, that a name of core has one meaning, that what switches a rule
// of the linter off says why, that messages of sockets are taken in one place, that no
// bytes are searched for UTF-16 text, that code for pages is no string, that keys of the store are made by their
// family, that tests name the programs that they start and say that they are long, that what a package exports has a sentence,
// and that members of types are read. Run it with `pnpm rooms`; it fails the build and says where the code might live instead.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import { findCircles, findPackageCircles, findRoomCircles } from './check-circles.ts'
import { findRecursiveFolders } from './check-folders.ts'
import { findForwardedReaders } from './check-forwarded.ts'
import { findLooseKeys } from './check-keys.ts'
import { findUnread } from './check-members.ts'
import { findSecondMeanings, type NamedFile } from './check-names.ts'
import { findPageCode } from './check-page-code.ts'
import { findShownMessages } from './check-public.ts'
import { findPlainImports, optionalOf, type Manifest } from './check-optional.ts'
import { findUntagged } from './check-programs.ts'
import { findUnexplained } from './check-reasons.ts'
import { findWideSearches } from './check-searches.ts'
import { findUnsaid, sourcesOf } from './check-sentences.ts'
import { findDelays } from './check-delays.ts'
import { findListeners } from './check-strangers.ts'
import { importsOf, type Import } from './imports.ts'
import { findUntaggedLong } from './long-tests.ts'
import { programs } from './programs.ts'
import { roomsOfPackages } from './rooms-of-packages.ts'

/**
 * For each room of core, the rooms it may import from. Its own room is always open, and so are the packages `ports` and `toolbox`; names of
 * other packages of ours stand for these.
 */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  redact: [],
  threats: ['net', 'keys'],
  profiles: ['plugin', 'coordination', 'keys'],
  schema: ['lib', 'threads', 'net', 'html', 'json-schema'],
  plugin: ['schema', 'net', 'threads', 'lib'],
  changes: ['schema', 'coordination', 'keys', 'diff', 'lib'],
  credits: ['plugin', 'schema', 'lib', 'coordination', 'keys'],
  gates: ['plugin', 'schema', 'lib'],
  team: ['plugin', 'schema', 'threats', 'lib'],
  stores: ['keys', 'lib'],
  blobs: ['keys', 'embedded', 'lib'],
  loaders: ['plugin', 'net', 'threads', 'lib'],
  parsers: ['plugin', 'net', 'threads', 'lib'],
  'crawl-plan': ['asking', 'plugin', 'schema', 'json-schema', 'lib'],
  citations: ['schema', 'asking', 'chunks'],
  formats: [
    'plugin',
    'schema',
    'html',
    'asking',
    'chunks',
    'citations',
    'changes',
    'diff',
    'credits/tariff',
    'json-schema',
    'redact',
    'lib',
  ],
  branding: ['plugin', 'page-scripts'],
  actions: ['plugin', 'schema', 'lib'],
  scrape: ['plugin', 'schema', 'redact', 'threats', 'credits', 'coordination', 'keys', 'net', 'threads', 'lib'],
  readers: ['scrape', 'parsers/written', 'plugin', 'redact', 'html', 'net', 'threads', 'lib'],
  map: ['scrape', 'threats', 'site', 'schema', 'plugin', 'credits', 'coordination', 'keys', 'net', 'lib'],
  search: ['scrape', 'threats', 'plugin', 'schema', 'credits', 'net', 'chunks', 'lib'],
  jobs: ['credits', 'scrape', 'schedule', 'webhooks', 'plugin', 'schema', 'coordination', 'keys', 'lib'],
  'jobs/log': ['jobs/handle', 'scrape', 'coordination', 'keys', 'lib'],
  'jobs/run': ['jobs/log', 'jobs/kit', 'credits', 'scrape', 'schedule', 'schema', 'coordination', 'lib'],
  'jobs/delivery': [
    'jobs/log',
    'jobs/kit',
    'jobs/handle',
    'jobs/run',
    'webhooks',
    'schema',
    'coordination',
    'keys',
    'lib',
  ],
  'jobs/worker': ['jobs', 'schedule', 'webhooks', 'schema', 'coordination', 'keys', 'lib'],
  batch: [
    'credits',
    'jobs/jobs',
    'jobs/handle',
    'jobs/log',
    'jobs/page-kind',
    'jobs/run',
    'scrape',
    'schema',
    'threats',
    'net',
    'lib',
  ],
  answers: [
    'batch',
    'credits',
    'jobs/jobs',
    'jobs/handle',
    'jobs/log',
    'jobs/run',
    'jobs/threads',
    'plugin',
    'scrape',
    'schema',
    'threats',
    'lib',
  ],
  crawl: [
    'crawl-plan',
    'credits',
    'jobs/jobs',
    'jobs/handle',
    'jobs/log',
    'jobs/page-kind',
    'jobs/run',
    'scrape',
    'schedule',
    'site',
    'schema',
    'threats',
    'coordination',
    'keys',
    'net',
    'html',
    'json-schema',
    'lib',
  ],
}

/** The room that puts the whole house together: it may import every other, and none may import it. */
const assembly = 'engine'

/** Files of core that see the whole house. */
const entries = new Set(['defaults', 'index', 'plugin', 'runtime', 'schema', 'types'])

/** For each package, the packages of ours it may import. Arrows point inward. */
export const packages: Readonly<Record<string, readonly string[]>> = {
  ports: [],
  toolbox: ['ports'],
  html: [],
  net: ['ports', 'toolbox'],
  'json-schema': ['ports', 'toolbox'],
  client: [],
  coordination: ['ports', 'toolbox'],
  schedule: ['ports', 'toolbox', 'coordination'],
  site: ['ports', 'toolbox', 'html', 'net', 'coordination'],
  webhooks: ['ports', 'toolbox', 'coordination'],
  chunks: ['toolbox'],
  asking: ['ports', 'toolbox', 'json-schema', 'chunks'],
  threads: ['ports', 'toolbox'],
  diff: ['ports', 'toolbox', 'json-schema', 'threads'],
  embedded: ['ports', 'toolbox'],
  core: [
    'ports',
    'toolbox',
    'html',
    'net',
    'json-schema',
    'coordination',
    'schedule',
    'site',
    'webhooks',
    'asking',
    'chunks',
    'threads',
    'diff',
    'embedded',
  ],
  testing: ['ports', 'json-schema', 'core'],
  keyv: ['ports', 'toolbox'],
  redis: ['ports', 'toolbox'],
  postgres: ['ports', 'toolbox'],
  s3: ['ports'],
  http: ['ports', 'toolbox', 'core', 'hosting', 'live', 'monitors', 'data', 'record'],
  puppeteer: ['ports', 'toolbox', 'net'],
  sandbox: ['ports', 'toolbox'],
  documents: ['ports', 'toolbox', 'core', 'html', 'threads', 'pdf', 'ocr'],
  pdf: ['ports', 'toolbox', 'core', 'threads'],
  ocr: ['ports', 'toolbox', 'core', 'threads', 'pdf', 'html'],
  llm: ['ports', 'toolbox', 'json-schema'],
  search: ['ports', 'toolbox', 'core', 'chunks'],
  answers: ['ports', 'toolbox', 'core', 'json-schema', 'chunks'],
  hosting: ['ports', 'toolbox', 'core'],
  live: ['ports', 'toolbox', 'core', 'json-schema', 'scripts', 'session-replay', 'webhooks'],
  record: ['ports', 'toolbox', 'core'],
  data: ['ports', 'toolbox', 'core', 'chunks', 'html', 'json-schema', 'answers', 'manners', 'site-apis'],
  scripts: ['ports', 'toolbox', 'core'],
  recrawl: ['ports', 'core', 'diff'],
  manners: ['ports', 'toolbox', 'core'],
  'site-apis': ['ports', 'toolbox', 'core', 'html', 'json-schema', 'threads'],
  'session-replay': ['ports', 'toolbox', 'core'],
  monitors: ['ports', 'toolbox', 'core', 'json-schema', 'webhooks', 'recrawl'],
  web: ['http'],
  tools: [],
  telemetry: ['ports', 'toolbox', 'threads'],
  node: [
    'ports',
    'toolbox',
    'core',
    'sandbox',
    'keyv',
    'redis',
    'postgres',
    's3',
    'http',
    'puppeteer',
    'documents',
    'llm',
    'search',
    'web',
    'tools',
    'telemetry',
    'live',
    'monitors',
    'data',
    'record',
  ],
  cli: ['ports', 'toolbox', 'client', 'core', 'data', 'node', 'live', 'record', 'tools'],
  mcp: ['cli'],
  'create-harvestman': [],
}

/** One library, one doorman: a third-party package is imported by one file. zod is the common tongue. */
const commonTongue = new Set(['zod'])

/** Packages that run anywhere: no other package, and nothing of Node. */
const portable = new Set(['html'])

function portableSays(file: string, specifier: string): string {
  return `${file} imports ${specifier}: this package runs in browsers too, so it imports its own files only.`
}

/** What is wrong with the imports, a sentence each. File names are relative to the root of the repository. */
export function findTrespasses(imports: readonly Import[]): string[] {
  return [...imports.flatMap(checkOne), ...checkDoormen(imports)]
}

function checkOne({ file, specifier }: Import): string[] {
  const [, pack = '', , ...inside] = file.split('/')
  if (specifier.startsWith('@harvestman/')) {
    const target = specifier.split('/')[1] ?? ''
    const allowed = packages[pack] ?? []
    if (allowed.includes(target))
      return pack === 'core' && inside.length > 1 && inside[0] !== assembly
        ? checkRoom(file, roomOf(inside), target)
        : []
    return [
      `${file} imports ${specifier}: ${pack} may import ${list(allowed)}. Arrows point inward; pass it in as a port.`,
    ]
  }
  if (!specifier.startsWith('.')) return portable.has(pack) ? [portableSays(file, specifier)] : []
  if (!specifier.endsWith('.ts')) return [`${file} imports ${specifier}: relative imports end in .ts.`]
  const target = join(dirname(file), specifier)
  if (!target.startsWith(`packages/${pack}/src/`))
    return [`${file} imports ${specifier}: it reaches into another package.`]
  if (inside.length < 2) return []
  const inPackage = target.slice(`packages/${pack}/src/`.length).replace(/\.ts$/, '')
  if (pack !== 'core') return checkRoomOfPackage(file, inside[0] ?? '', inPackage, roomsOfPackages[pack])
  return inside[0] === assembly ? [] : checkRoom(file, roomOf(inside), inPackage)
}

function checkRoom(file: string, room: string, target: string): string[] {
  const allowed = rooms[room]
  if (!allowed) return [`${file} is in a room that has no row in scripts/check-rooms.ts. Give it one.`]
  if ([room, 'ports', 'toolbox', ...allowed].some((open) => target === open || target.startsWith(`${open}/`))) return []
  const entry = entries.has(target) || target.startsWith(`${assembly}/`) ? ' (a file that sees the whole house)' : ''
  return [
    `${file} imports ${target}${entry}: the room ${room} may import ${list(['ports', 'toolbox', ...allowed])}. Move the code there, or have it passed in.`,
  ]
}

function checkRoomOfPackage(
  file: string,
  room: string,
  target: string,
  rooms: (typeof roomsOfPackages)[string] | undefined,
): string[] {
  if (!rooms) return []
  const allowed = rooms[room]
  if (!allowed) return [`${file} is in a room that has no row in scripts/rooms-of-packages.ts. Give it one.`]
  if ([room, ...allowed].some((open) => target === open || target.startsWith(`${open}/`))) return []
  return [
    `${file} imports ${target}: the room ${room} may import ${list(allowed)}. Move the code there, or have it passed in.`,
  ]
}

/** A room inside of a room has a row of its own; what surrounds it is not open to it unless that row says so. */
function roomOf([outer = '', inner = '']: readonly string[]): string {
  return `${outer}/${inner}` in rooms ? `${outer}/${inner}` : outer
}

function checkDoormen(imports: readonly Import[]): string[] {
  const doormen = new Map<string, Set<string>>()
  for (const { file, specifier } of imports) {
    // Declarations import nothing at run time.
    if (file.endsWith('.d.ts') || /^[.]|^node:|^@harvestman\//.test(specifier)) continue
    const name = specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/')
    const key = `${name} in packages/${file.split('/')[1]}`
    if (!commonTongue.has(name)) doormen.set(key, (doormen.get(key) ?? new Set()).add(file))
  }
  return [...doormen]
    .filter(([, files]) => files.size > 1)
    .map(([name, files]) => `${name} has ${files.size} doormen (${[...files].join(', ')}): let one file import it.`)
}

function list(names: readonly string[]): string {
  return names.length > 0 ? names.join(', ') : 'nothing of ours'
}

function main(): void {
  const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
  const read = (pattern: string, others = /\.test\.ts$|\/fixtures\/|\/cases\//): NamedFile[] =>
    globSync(pattern, { cwd: root })
      .filter((file) => !others.test(file))
      .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
  const texts = read('packages/*/src/**/*.ts')
  const pages = read('packages/*/page/**/*.{ts,tsx}')
  const ofPages = pages.flatMap(({ file, text }) => importsOf(file, text))
  const imports = texts.flatMap(({ file, text }) => importsOf(file, text))
  const ofTests = read('{packages/*/test,test}/**/*.ts', /\/(?:node_modules|bench)\//)
  const sources = sourcesOf(root)
  const folders = globSync('packages/*/package.json', { cwd: root }).map(dirname)
  const exported = folders.flatMap((folder) => sources.entries(folder))
  const unsaid = [...new Set(exported.flatMap((entry) => findUnsaid(entry, sources)))]
  const offered = new Set(exported.flatMap((entry) => sources.read(entry).match(/\b[A-Z]\w+/g) ?? []))
  const found: Readonly<Record<string, readonly string[]>> = {
    trespasses: findTrespasses(imports),
    circles: findCircles([...imports, ...ofPages]),
    'circles of rooms': findRoomCircles(imports),
    'circles of packages': findPackageCircles(imports),
    'names with a second meaning': findSecondMeanings(read('packages/core/src/**/*.ts', /\.test\.ts$/)),
    'exceptions without a reason': findUnexplained(texts),
    'messages for everyone that are made by hand': findShownMessages(texts),
    'sockets that are listened to by hand': findListeners(texts),
    'imports of packages that may be missing': folders.flatMap((folder) => {
      const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest
      const own = texts.filter(({ file }) => file.startsWith(`${folder}/src/`))
      return findPlainImports(own, optionalOf(manifest))
    }),
    'searches that may never return': findWideSearches([...texts, ...ofTests]),
    'folders whose creation may never return': findRecursiveFolders(texts),
    'readers of headers of proxies': findForwardedReaders(texts),
    'sockets that delay small messages': findDelays([...texts, ...read('packages/*/jail/*.mjs')]),
    'keys without a family': findLooseKeys(texts),
    'code for pages in strings': findPageCode(texts),
    'members that nothing reads': findUnread([...texts, ...pages], (type) => offered.has(type)),
    'programs that tests start without their tag': findUntagged(
      [...ofTests, ...read('packages/*/src/**/*.test.ts', /\/fixtures\//)],
      programs,
    ),
    'long files without their tag': findUntaggedLong(ofTests),
    'exports without a sentence': unsaid.map(
      (name) => `${name} is exported and has no sentence: say in a doc comment what it is.`,
    ),
  }
  const faults = Object.values(found).flat()
  for (const sentence of faults) console.error(sentence)
  const counts = Object.entries(found).map(([what, { length }]) => `${length} ${what}`)
  console.error(`${texts.length} files, ${imports.length} imports, ${counts.join(', ')}`)
  if (faults.length > 0) process.exitCode = 1
}

if (process.argv[1] && relative(process.argv[1], fileURLToPath(import.meta.url)) === '') main()
