// Prints the size of the house: what `docs/concepts.md` promises of packages, doors and lines. Run it with `node test/bench/house.ts`.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { createEngine } from '@harvestman/core'

import { findUnsaid, sourcesOf } from '../../scripts/check-sentences.ts'
import { modulesOfText } from '../loaded-modules.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const product = (pattern: string): readonly string[] =>
  globSync(pattern, { cwd: root }).filter((file) => !/\.test\.tsx?$|\/node_modules\/|\/dist\//.test(file))
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8')
const linesOf = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + textOf(file).split('\n').length - 1, 0)

const all = product('packages/*/{src,page/src}/**/*.{ts,tsx}')
const naming = (word: RegExp): number =>
  all.filter((file) => !file.startsWith('packages/answers/') && word.test(textOf(file))).length

/** The packages of ours that an import loads, itself aside. */
function loadedBy(name: string): string {
  const modules = modulesOfText(`await import('@harvestman/${name}')`)
  const packages = modules.flatMap((url) => /packages\/([^/]+)\/src/.exec(url)?.[1] ?? [])
  const others = new Set(packages.filter((one) => one !== name))
  return [...others].toSorted().join(', ') || 'none'
}

async function membersOfEngine(): Promise<number> {
  const engine = createEngine()
  const count = Reflect.ownKeys(engine).length
  await engine.close()
  return count
}

const sources = sourcesOf(root)
const unsaid = new Set(
  globSync('packages/*', { cwd: root })
    .flatMap((folder) => sources.entries(folder))
    .flatMap((entry) => findUnsaid(entry, sources)),
)
const rows: readonly (readonly [string, string | number])[] = [
  ['lines of product code in core', linesOf(product('packages/core/src/**/*.ts'))],
  ['lines of product code', linesOf(all)],
  ['files outside @harvestman/answers that name deep research', naming(/deep[-_]?research/i)],
  ['files outside @harvestman/answers that name llmstxt', naming(/llms-?_?\.?txt/i)],
  ['members of an engine without plugins', await membersOfEngine()],
  ['packages that @harvestman/redis loads', loadedBy('redis')],
  ['exports without a sentence', unsaid.size],
  [
    'functions beyond the length of the rule',
    all.filter((file) => textOf(file).includes('max-lines-per-function')).length,
  ],
]
for (const [what, figure] of rows) console.log(`${what}: ${figure}`)
