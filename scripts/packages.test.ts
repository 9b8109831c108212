// What every package says of itself in the registry, and a release that is cut of them.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { importsOf } from './imports.ts'
import { isPrivate, packageFolders, privateNames, publishedFolders } from './private-packages.ts'
import { readLockfile, sbomOf, type Named } from './sbom.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folders = publishedFolders

interface Manifest extends Named {
  readonly description?: string
  readonly keywords?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
  readonly publishConfig?: {
    readonly exports?: Readonly<Record<string, string | { readonly types?: string; readonly default?: string }>>
  }
}

const manifestOf = (folder: string) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest
const home = 'https://github.com/harvestman/harvestman'

test.each(folders)('%s says what it is, where it lives and where its faults are told', (folder) => {
  const manifest = manifestOf(folder)
  expect(manifest).toMatchObject({
    license: 'MIT',
    type: 'module',
    homepage: `${home}/tree/main/${folder}#readme`,
    bugs: `${home}/issues`,
    repository: { type: 'git', url: `git+${home}.git`, directory: folder },
    engines: { node: '>=22.19.0' },
    files: expect.arrayContaining(['dist', 'README.md', 'LICENSE']),
    publishConfig: { access: 'public' },
  })
  expect(manifest.description).toMatch(/^[A-Z].{15,}\.$/s)
  expect(new Set(manifest.keywords).size).toBeGreaterThanOrEqual(3)
  expect(manifest.keywords).toContain('harvestman')
  const peers = Object.values(manifest.peerDependencies ?? {})
  expect(peers.filter((range) => !/\^/.test(range))).toEqual([])
})

test.each(folders)('%s has types for each entry, and a README that shows how it is used', (folder) => {
  const { name, publishConfig } = manifestOf(folder)
  for (const [entry, to] of Object.entries(publishConfig?.exports ?? {})) {
    if (entry.endsWith('.json') || entry.endsWith('.css')) continue
    expect([entry, to]).toEqual([entry, { types: expect.stringMatching(/\.d\.ts$/), default: expect.any(String) }])
  }
  const readme = readFileSync(join(root, folder, 'README.md'), 'utf8')
  expect(readme.startsWith(`# ${name}\n\n`)).toBe(true)
  expect(readme).toMatch(/```(?:ts|sh|json|tsx)\n/)
})

test('the README lists each published package with what it does and who installs it, and no more than 25', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const [, list = ''] = /\n## Packages\n(.*?)\n## /s.exec(readme) ?? []
  const groups = list.split(/^### /m).slice(1)
  expect(groups.map((group) => group.split('\n')[0])).toEqual(['Use it', 'Run it', 'Extend it'])
  const listed = [...list.matchAll(/^\| \[`([^`]+)`\]\((packages\/[^)]+)\) \| [A-Z`].+\. \| [A-Z`].+\. \|$/gm)]
  expect(listed.map(([, name, folder]) => `${folder} ${name}`).toSorted()).toEqual(
    publishedFolders.map((folder) => `${folder} ${manifestOf(folder).name}`).toSorted(),
  )
  expect(publishedFolders.length).toBeLessThanOrEqual(25)
})

test.each(folders)('%s needs no private package where it is installed', (folder) => {
  const { dependencies, peerDependencies, optionalDependencies } = manifestOf(folder)
  const needed = Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies })
  expect(needed.filter(isPrivate)).toEqual([])
})

/** Private packages without module state: several published packages can have a copy. */
const stateless = ['chunks', 'coordination', 'diff', 'json-schema', 'net', 'threads', 'toolbox', 'webhooks'].map(
  (name) => `@harvestman/${name}`,
)

const sourcesIn = (folder: string) =>
  globSync(`${folder}/src/**/*.ts`, { cwd: root })
    .filter((file) => !/\.test\.ts$|\/fixtures\/|\/cases\//.test(file))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))

function carriedBy(folder: string, found = new Set<string>()): ReadonlySet<string> {
  for (const { file, text } of sourcesIn(folder))
    for (const { specifier } of importsOf(file, text)) {
      const name = privateNames.find((one) => specifier === one || specifier.startsWith(`${one}/`))
      if (name === undefined || found.has(name)) continue
      found.add(name)
      carriedBy(name.replace('@harvestman/', 'packages/'), found)
    }
  return found
}

test('each private package is in one published package, or has no state of its own', () => {
  const carriers = new Map(privateNames.map((name) => [name, [] as string[]]))
  for (const folder of publishedFolders) for (const name of carriedBy(folder)) carriers.get(name)?.push(folder)
  expect([...carriers].filter(([, by]) => by.length === 0)).toEqual([])
  const doubled = [...carriers].filter(([name, by]) => by.length > 1 && !stateless.includes(name))
  expect(doubled).toEqual([])
})

// Caches: two copies of one give the same answers.
const harmless = new Set([
  // A buffer that every read is copied out of before the next one.
  'packages/toolbox/src/whole-reads.ts: let reads: Buffer | undefined',
  'packages/net/src/text/latin.ts: const known = new Map<string, readonly string[]>()',
  "packages/coordination/src/credits/account.ts: let last = { number: -1, day: '' }",
])

test('a private package of which there may be several copies keeps nothing in its modules', () => {
  const kept =
    /^(?:export )?(?:let |var |const \w+(?:: (?!Readonly)[^=]+)? = (?:new (?:Map|Set|WeakMap|WeakSet|WeakRef)\b(?:<[^>]*>+)?\(\)|Symbol\())[^\n]*/gm
  const found = packageFolders
    .filter((folder) => stateless.includes(manifestOf(folder).name))
    .flatMap(sourcesIn)
    .flatMap(({ file, text }) => Array.from(text.matchAll(kept), ([line]) => `${file}: ${line}`))
  expect(found.filter((line) => !harmless.has(line))).toEqual([])
  expect('const known = new WeakMap<object, Kept>()').toMatch(kept)
})

test(
  'the list of what a package brings has its whole tree, with hashes, and nothing of its tests',
  { tags: ['long'] },
  () => {
    const lockfile = readLockfile(readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8'))
    const { components, dependencies } = sbomOf('packages/redis', lockfile, manifestOf)
    const names = components.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['@harvestman/ports', 'ioredis', 'bullmq', 'tslib']))
    expect(names).not.toContain('@harvestman/testing')
    const refs = new Set(components.map((component) => component['bom-ref']))
    expect(refs.size).toBe(components.length)
    expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.has(ref))).toEqual([])
    for (const { name, hashes } of components.filter((one) => !one.name.startsWith('@harvestman/')))
      expect([name, hashes?.[0]?.content]).toEqual([name, expect.stringMatching(/^[\da-f]{128}$/)])
    expect(components.find(({ name }) => name === 'ioredis')?.purl).toMatch(/^pkg:npm\/ioredis@\d/)
  },
)

test('what only some configurations load is an optional package, which the command does not bring', () => {
  const sources = globSync('packages/node/src/*.ts', { cwd: root }).map((file) =>
    readFileSync(join(root, file), 'utf8'),
  )
  const loaded = sources.flatMap((text) =>
    Array.from(text.matchAll(/loadOptional\('(@[^']+)'/g), ([, name = '']) => name),
  )
  expect(loaded).toContain('@harvestman/sandbox')
  const { peerDependenciesMeta = {} } = manifestOf('packages/cli')
  const brought = new Set<string>()
  const bring = (name: string): void => {
    if (!name.startsWith('@harvestman/') || brought.has(name)) return
    brought.add(name)
    Object.keys(manifestOf(name.replace('@harvestman/', 'packages/')).dependencies ?? {}).forEach(bring)
  }
  bring('@harvestman/cli')
  for (const name of loaded)
    expect([name, peerDependenciesMeta[name], brought.has(name)]).toEqual([name, { optional: true }, false])
})

const config = JSON.parse(readFileSync(join(root, '.changeset/config.json'), 'utf8')) as {
  readonly fixed: readonly (readonly string[])[]
}

test('what is not published has no version to be raised with the others', () => {
  for (const folder of ['docs', 'test']) expect(config.fixed[0]).toContain(`!${manifestOf(folder).name}`)
  expect(packageFolders.map(manifestOf).filter(({ version }) => version === undefined)).toEqual([])
})

test('each changeset names packages that there are', () => {
  const names = new Set(folders.map((folder) => manifestOf(folder).name))
  const named = globSync('.changeset/*.md', { cwd: root }).flatMap((file) => {
    const [, head = ''] = readFileSync(join(root, file), 'utf8').split('---\n')
    return [...head.matchAll(/^'([^']+)': (?:patch|minor|major)$/gm)].map(([, name = '']) => ({ file, name }))
  })
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter(({ name }) => !names.has(name))).toEqual([])
})
