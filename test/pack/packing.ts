// The packages as they are published, made by this very tree.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { publishedFolders } from '../../scripts/private-packages.ts'
import { madeOfTree } from '../made-once.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly packageManager: string
}

export interface Manifest {
  readonly name: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly publishConfig: { readonly exports: Readonly<Record<string, unknown>> }
}

/** Of those that are published. */
export const manifests: readonly Manifest[] = publishedFolders.map(
  (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest,
)

/** Our packages that one needs, itself among them. */
export function closureOf(name: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(name)) return found
  found.add(name)
  const { dependencies = {} } = manifests.find((one) => one.name === name)!
  for (const other of Object.keys(dependencies))
    if (manifests.some((one) => one.name === other)) closureOf(other, found)
  return found
}

/** How the names of the tarballs of a package begin. */
export function slugOf(name: string): string {
  return `${name.replace('@', '').replace('/', '-')}-`
}

/** All of them, built and packed: the folder, and the names of the tarballs in it. */
export async function packAll(): Promise<{ readonly folder: string; readonly tarballs: readonly string[] }> {
  const folder = await madeOfTree('packed', packInto)
  return { folder, tarballs: readdirSync(folder).filter((name) => name.endsWith('.tgz')) }
}

/** Stands for the docs site, which takes as long as all the rest; test/docs/site.long.test.ts makes that. */
export const docsPage = '<title>The docs</title>'

function packInto(folder: string): void {
  const site = join(folder, 'docs')
  mkdirSync(site)
  writeFileSync(join(site, 'index.html'), docsPage)
  execFileSync(process.execPath, [join(root, 'scripts/build.ts'), site], { stdio: 'inherit' })
  const filters = publishedFolders.map((published) => `--filter=./${published}`)
  execFileSync('npx', ['--yes', packageManager, '-r', ...filters, 'pack', '--pack-destination', folder], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
